import Foundation
@testable import StoreEngine
@testable import StoreModel
import Testing

extension LedgerConformance {
    static let families = [
        Check("an account's family is found by each of its members, until it leaves") { handles in
            let family = Sample.family
            try await handles.ledger.record(
                Sample.familyChanged(family, of: "kai"), Sample.familyChanged(family, of: "aoi"),
                Sample.familyChanged(family, of: "nia"))
            let all: Set<AccountName> = ["kai", "aoi", "nia", "mo"]
            var found = try await handles.other.query { $0.accounts = all }
            #expect(found.families == ["kai": family, "aoi": family, "nia": family])
            #expect(try await handles.other.families() == [family])
            var smaller = family
            smaller.members.removeAll { $0.account == "nia" }
            try await handles.ledger.record(
                Sample.familyChanged(smaller, of: "kai"), Sample.familyChanged(smaller, of: "aoi"),
                Sample.familyChanged(nil, of: "nia"))
            found = try await handles.other.query { $0.accounts = all }
            #expect(found.families == ["kai": smaller, "aoi": smaller])
            #expect(try await handles.other.families() == [smaller])
            try await expectFolded(handles)
        },
        Check("a share of a sale in the same decision is of the number that the sale gets") {
            handles in
            try await handles.ledger.record(Sample.sold())
            let decision = Decision(
                reads: [:],
                entries: [
                    Sample.sold(SampleCatalog.theme, .nonConsumable, to: "kai"),
                    Sample.shared(.ofEntry(0), with: "aoi"),
                    Sample.shared(.ofEntry(0), with: "nia"),
                ])
            let results = try await handles.ledger.append([decision], at: Sample.now)
            guard case .recorded(let entries) = results.first else {
                Issue.record("a conflict")
                return
            }
            let numbers = entries.compactMap(\.number)
            #expect(numbers.count == 3)
            #expect(entries.dropFirst().map(\.entry.shared) == [numbers[0], numbers[0]])
            // Compare the entries that another handle reads with those that the append returned.
            let kept = try await handles.other.allEntries().suffix(3)
            #expect(Array(kept) == entries)
            let found = try await handles.other.query { $0.shares = [numbers[0]] }
            #expect(found.shares[numbers[0]]?.map(\.id) == Array(numbers.dropFirst()))
            #expect(found.shares[numbers[0]]?.map(\.account) == ["aoi", "nia"])
            try await expectFolded(handles)
        },
        Check("shares are no sales: they count in no total, and neither own nor subscribe") {
            handles in
            let bought = try await sell(
                Sample.sold(SampleCatalog.theme, .nonConsumable, to: "kai"), in: handles)
            let period = try await sell(Sample.period(to: "kai", dueAfter: 10), in: handles)
            let before = try await handles.other.takings()
            let share = try await sell(Sample.shared(bought.id, with: "aoi"), in: handles)
            let plan = try await sell(
                Sample.shared(
                    period.id, with: "aoi", product: SampleCatalog.monthly,
                    group: SampleCatalog.group, until: Sample.after(10)), in: handles)
            #expect(try await handles.other.takings() == before)
            let key = LedgerQuery.Subscribed(account: "aoi", group: SampleCatalog.group)
            let owned = LedgerQuery.Owned(account: "aoi", product: SampleCatalog.theme)
            let found = try await handles.other.query { query in
                query.owned = [owned]
                query.subscribed = [key]
                query.wholeGroups = [key]
                query.accounts = ["aoi"]
                query.entitling = ["aoi"]
                query.sharedChains = [.init(account: "aoi", id: period.id)]
            }
            #expect(found.owned.isEmpty && found.subscribed.isEmpty)
            #expect(found.wholeGroups[key] == [])
            #expect(found.firstDue.isEmpty, "a share renews with its owner's")
            #expect(found.entitling["aoi"] == [share, plan])
            #expect(found.sharedChains == [.init(account: "aoi", id: period.id): plan])
            try await expectFolded(handles)
        },
        Check("of each shared chain the latest period entitles, beside the account's own") {
            handles in
            let own = try await sell(Sample.period(dueAfter: 10), in: handles)
            var chains: [TransactionRow] = []
            for owner: AccountName in ["kai", "nia"] {
                chains.append(
                    try await sell(Sample.period(to: owner, dueAfter: 10), in: handles))
            }
            var shares: [TransactionRow] = []
            for chain in chains {
                shares.append(
                    try await sell(
                        Sample.shared(
                            chain.id, with: "aoi", product: SampleCatalog.monthly,
                            group: SampleCatalog.group, until: Sample.after(10),
                            by: chain.account), in: handles))
            }
            let renewed = try await sell(
                Sample.period(2, of: chains[0].id, to: "kai", dueAfter: 20), in: handles)
            let next = try await sell(
                Sample.shared(
                    renewed.id, with: "aoi", product: SampleCatalog.monthly,
                    group: SampleCatalog.group, until: Sample.after(20), chain: chains[0].id),
                in: handles)
            #expect(try await handles.other.entitling(of: "aoi") == [own, shares[1], next])
            let query = LedgerQuery.Sold(account: "aoi", id: chains[0].id)
            let found = try await handles.other.query { $0.sharedChains = [query] }
            #expect(found.sharedChains[query] == shares[0])
            #expect(try await handles.other.lastShares(of: "aoi") == [shares[1], next])
            #expect(try await handles.other.lastShares(of: "kai").isEmpty)
            // A revoked share still counts as the last one; a deleted share does not.
            func revise(_ share: TransactionRow, _ state: TransactionState) async throws {
                let revision = TransactionRevision(
                    state: state, change: .revoked, productID: SampleCatalog.monthly,
                    type: .autoRenewable)
                try await handles.ledger.record(
                    Sample.entry(.revised(revision), on: nil, number: .existing(share.id)))
            }
            let revocation = Revocation(
                date: Sample.after(1), reason: .other, takenBack: .all, refunded: .none,
                refundedMilliunits: 0)
            try await revise(next, TransactionState(revision: 1, revocation: revocation))
            try await revise(shares[1], TransactionState(revision: 1, isDeleted: true))
            #expect(try await handles.other.entitling(of: "aoi") == [own, shares[0]])
            let last = try await handles.other.lastShares(of: "aoi")
            #expect(last.map(\.id) == [next.id] && last.first?.state.isRevoked == true)
            try await expectFolded(handles)
        },
        Check("a token, a user name or a device is noticed once enough accounts use it") {
            handles in
            let token = UUID()
            let hash = String(repeating: "ab", count: 32)
            func pay(_ account: AccountName, device: DeviceName = "phone") async throws {
                var payment = Payment.of(SampleCatalog.coins)
                payment.appAccountToken = token
                payment.applicationUsernameHash = hash
                try await handles.ledger.record(
                    Sample.entry(
                        .failed(payment, StoreError(.networkError)), of: account, on: device))
            }
            try await pay("aoi")
            try await pay("aoi")
            #expect(try await handles.other.notices().isEmpty)
            try await pay("kai")
            func both(_ accounts: [AccountName]) -> [AccountNotice] {
                [
                    AccountNotice(
                        kind: .appAccountToken, subject: token.uuidString.lowercased(),
                        accounts: accounts),
                    AccountNotice(
                        kind: .applicationUsername, subject: hash, accounts: accounts),
                ]
            }
            #expect(try await handles.other.notices() == both(["aoi", "kai"]))
            try await pay("mo", device: "tablet")
            try await pay("nia")
            let three = AccountNotice(
                kind: .device, subject: "phone", accounts: ["aoi", "kai", "nia"])
            #expect(
                try await handles.other.notices() == both(["aoi", "kai", "mo", "nia"]) + [three])
            // A device may have any number of accounts; only the first of them are listed.
            let visitors = (100..<140).map { AccountName("visitor-\($0)") }
            for visitor in visitors { try await pay(visitor) }
            let notices = try await handles.other.notices()
            #expect(notices.map(\.accounts.count) == [20, 20, 20])
            #expect(
                notices.last?.accounts
                    == ["aoi", "kai", "nia"] + visitors.prefix(17))
            try await expectFolded(handles)
        },
    ]
}

extension Sample {
    /// The family of kai, with aoi as an adult and nia as a child.
    static var family: Family {
        var family = Family(organizer: "kai")
        family.members.append(.init(account: "aoi"))
        family.members.append(.init(account: "nia", role: .child))
        return family
    }

    static func familyChanged(
        _ family: Family?, of account: AccountName?,
        _ what: FamilyChange.What = .joined("aoi", .adult)
    ) -> Entry {
        entry(
            .familyChanged(FamilyChange(what: what, organizer: "kai", family: family)),
            of: account, on: nil)
    }

    /// A family member's share of a transaction, by default of a theme that kai bought.
    static func shared(
        _ id: TransactionID, with account: AccountName, product: ProductID = SampleCatalog.theme,
        group: SubscriptionGroupID? = nil, until end: Timestamp? = nil,
        by owner: AccountName = "kai",
        chain: TransactionID? = nil
    ) -> Entry {
        let sale = Sale(
            cause: .familyShare(of: id), productID: product,
            type: group == nil ? .nonConsumable : .autoRenewable, groupID: group,
            purchaseDate: now, expiresDate: end, storefront: "USA",
            price: Money(milliunits: 0, currency: "USD"),
            share: SharedSale(owner: owner, chain: chain, isRenewal: chain != nil))
        return entry(.sold(sale), of: account, on: nil, number: .next)
    }
}

extension Entry {
    /// The original transaction of a share; nil for any other entry.
    fileprivate var shared: TransactionID? {
        guard case .sold(let sale) = fact else { return nil }
        return sale.sharedTransaction
    }
}
