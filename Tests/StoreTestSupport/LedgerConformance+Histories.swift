import Foundation
@testable package import StoreEngine
@testable import StoreModel
import TestBasics
import Testing

extension LedgerConformance {
    static let histories = [
        Check("a history is read backwards, page by page, until nothing is left") { handles in
            let catalog = CatalogRevision(number: 1, digest: "d", productCount: 0)
            let recorded = try await handles.ledger.record(
                Sample.sold(to: "aoi"), Sample.sold(to: "kai"),
                Sample.entry(.catalogRevised(catalog), of: nil),
                Sample.sold(to: "aoi"), Sample.sold(to: "aoi"))
            let head = try await handles.other.head()
            // An entry that is recorded later is not in a history that starts at this head.
            try await handles.ledger.record(Sample.sold(to: "aoi"))
            let page = try await handles.other.entries(
                before: head, filter: .init(account: "aoi"), limit: 2)
            #expect(page.entries == [recorded[4], recorded[3]])
            #expect(
                try await handles.other.pages(before: head, .init(account: "aoi"), limit: 2)
                    == [[5, 4], [1]], "what concerns the whole store is about no account")
            #expect(
                try await handles.other.pages(before: head, .init(account: "kai"), limit: 1)
                    == [[2], []], "a full page may be the last")
            #expect(
                try await handles.other.pages(before: head, .init(account: "noor"), limit: 1)
                    == [[]])
            // The last page was full and ended at the first entry, so no empty page follows.
            #expect(
                try await handles.other.pages(before: head, .init(account: "aoi"), limit: 3)
                    == [[5, 4, 1]])
            #expect(
                try await handles.other.pages(before: head, HistoryFilter(), limit: 3)
                    == [[5, 4, 3], [2, 1]])
        },
        Check("small pages of a history have the entries of the feed, backwards") { handles in
            for index in 0..<17 {
                try await handles.ledger.record(
                    Sample.sold(to: index.isMultiple(of: 3) ? "kai" : "aoi"))
            }
            let head = try await handles.ledger.head()
            for account: AccountName? in [nil, "aoi", "kai", "noor"] {
                let feed = try await handles.ledger.entries(
                    after: Sample.start, account: account, limit: .max)
                for limit in [1, 2, 3, 5, 17, 18, .max] {
                    let pages = try await handles.other.pages(
                        before: head, .init(account: account), limit: limit)
                    #expect(pages.allSatisfy { $0.count <= limit })
                    #expect(pages.dropLast().allSatisfy { $0.count == limit })
                    #expect(pages.flatMap(\.self) == feed.entries.reversed().map(\.position))
                }
            }
        },
        Check("a filtered history has exactly the entries that fit, in pages of any size") {
            handles in
            let sample = try await recordSample(in: handles.ledger)
            try await expectFolded(handles)
            let head = try await handles.ledger.head()
            var filters = EventKind.allCases.map { HistoryFilter(kinds: [$0]) }
            filters += [HistoryFilter(), HistoryFilter(product: ""), HistoryFilter(account: "")]
            var random = SplitMix64(seed: 7)
            for _ in 0..<150 {
                let kinds = (0..<random.below(4)).map { _ in random.pick(EventKind.allCases) }
                filters.append(
                    HistoryFilter(
                        kinds: Set(kinds),
                        product: random.pick([
                            nil, nil, SampleCatalog.coins, SampleCatalog.theme,
                            SampleCatalog.monthly, "test.unheard",
                        ]),
                        account: random.pick([nil, nil, "aoi", "kai", "noor"]),
                        since: random.pick([
                            nil, nil, Sample.after(-1), Sample.after(8), Sample.after(99),
                        ])))
            }
            for filter in filters {
                let expected = sample.filter { $0.fits(filter) }.map(\.position)
                for limit in [1, 3, .max] {
                    let pages = try await handles.other.pages(
                        before: head, filter, limit: limit)
                    #expect(
                        pages.flatMap(\.self) == expected.reversed(), "\(filter), by \(limit)")
                    #expect(pages.dropLast().allSatisfy { $0.count == limit })
                }
            }
        },
        Check("a history since an instant begins with the first entry of that instant") {
            handles in
            for second in [0, 5, 5, 5, 9] {
                try await handles.ledger.record(Sample.sold(), at: Sample.after(Int64(second)))
            }
            let head = try await handles.ledger.head()
            for (since, first) in [(-1, 1), (0, 1), (1, 2), (5, 2), (6, 5), (9, 5), (10, 6)] {
                for kinds: Set<EventKind> in [[], [.sold], [.sold, .refunded]] {
                    let filter = HistoryFilter(kinds: kinds, since: Sample.after(Int64(since)))
                    let page = try await handles.other.entries(
                        before: head, filter: filter, limit: 9)
                    let expected = (1...5).filter { $0 >= first }.reversed().map(Int64.init)
                    #expect(page.entries.map(\.position) == expected, "since \(since)")
                }
            }
        },
        Check("a history is empty before the first entry, and complete behind the last") {
            handles in
            let empty = try await handles.ledger.entries(
                before: handles.ledger.head(), filter: HistoryFilter(), limit: 5)
            #expect(empty.entries.isEmpty && empty.cursor == Sample.start)
            try await handles.ledger.record(Sample.sold(), Sample.sold())
            let first = try await handles.other.entries(
                before: Sample.start, filter: .init(account: "aoi"), limit: 5)
            #expect(first.entries.isEmpty && first.cursor == Sample.start)
            let beyond = FeedCursor(epoch: 1, position: 1_000)
            let all = try await handles.other.entries(
                before: beyond, filter: .init(account: "aoi"), limit: 5)
            #expect(all.entries.map(\.position) == [2, 1])
            #expect(all.cursor == Sample.start)
        },
        Check("a history of another epoch is refused") { handles in
            try await handles.ledger.record(Sample.sold())
            for account: AccountName? in [nil, "aoi"] {
                let error = await #expect(throws: StoreError.self) {
                    try await handles.ledger.entries(
                        before: FeedCursor(epoch: 2, position: 1),
                        filter: .init(account: account), limit: 1)
                }
                #expect(error?.code == .storeReplaced)
            }
        },
    ]

    /// An entry of the sample, and what a history finds it by; no kind if it is no event.
    private struct Expected {
        var position: Int64
        var at: Timestamp
        var account: AccountName?
        var product: ProductID?
        var kind: EventKind?

        func fits(_ filter: HistoryFilter) -> Bool {
            guard let kind else { return false }
            if !filter.kinds.isEmpty, !filter.kinds.contains(kind) { return false }
            if let product = filter.product, self.product != product { return false }
            if let account = filter.account, self.account != account { return false }
            return filter.since.map { at >= $0 } ?? true
        }
    }

    /// Records an entry of every kind, for the accounts "aoi" and "kai" and for the whole store.
    package static func recordEveryKind(in ledger: some Ledger) async throws {
        _ = try await recordSample(in: ledger)
    }

    /// A second apart. Finishes and claims have a product only through their transactions.
    private static func recordSample(in ledger: some Ledger) async throws -> [Expected] {
        var sample: [Expected] = []
        func record(
            _ entry: Entry, _ kind: EventKind?, _ product: ProductID? = nil
        ) async throws -> TransactionID? {
            let at = Sample.after(Int64(sample.count))
            let recorded = try #require(try await ledger.record(entry, at: at).first)
            sample.append(
                Expected(
                    position: recorded.position, at: at, account: entry.account,
                    product: product, kind: kind))
            return recorded.number
        }
        let (coins, theme, monthly) = (
            SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.monthly
        )
        let identity = AppIdentity(bundleID: "com.example.test")
        _ = try await record(Sample.entry(.storeOpened(identity: identity), of: nil), nil)
        let catalog = CatalogRevision(number: 1, digest: "d", productCount: 0)
        _ = try await record(
            Sample.entry(.catalogRevised(catalog), of: nil), .catalogRevised)
        // The operator hosted a package of a product's content.
        let hosting = CatalogRevision(
            number: 2, digest: "e", productCount: 0,
            package: PackageRelease(
                productID: theme, contentID: "text", version: try #require(ContentVersion("1.1")),
                state: .uploaded, sha256: "s", length: 1, unpackedLength: 1, fileCount: 1,
                manifestDigest: "m"))
        _ = try await record(
            Sample.entry(.catalogRevised(hosting), of: nil), .catalogRevised, theme)
        _ = try await record(Sample.settings("kai"), .accountChanged)
        let first = try #require(try await record(Sample.sold(), .sold, coins))
        let second = try #require(
            try await record(Sample.sold(theme, .nonConsumable, to: "kai"), .sold, theme))
        _ = try await record(
            Sample.entry(.finished, number: .existing(first)), .finished, coins)
        _ = try await record(
            Sample.entry(.finished, of: "kai", number: .existing(second)), .finished, theme)
        // The transaction belongs to another account, so the ledger finds no product for it.
        _ = try await record(
            Sample.entry(.finished, of: "kai", number: .existing(first)), .finished)
        let third = try #require(try await record(Sample.sold(), .sold, coins))
        _ = try await record(
            Sample.entry(.claimed(by: "tablet"), number: .existing(third)), .claimed, coins)
        let payment = Payment.of(theme)
        let request = try #require(
            try await record(
                Sample.entry(.deferred(payment, .askToBuy), number: .next), .deferred, theme))
        _ = try await record(
            Sample.entry(
                .failed(payment, StoreError(.approvalDeclined)), number: .existing(request)),
            .failed, theme)
        let refund = Sample.refund(of: second, theme, by: "kai")
        _ = try await record(
            Sample.entry(.refundRequested(refund), of: "kai", number: .existing(second)),
            .refundRequested, theme)
        _ = try await record(
            Sample.entry(.refundDeclined(refund), of: "kai", on: nil, number: .existing(second)),
            .refundDeclined, theme)
        _ = try await record(Sample.entry(.promoted(coins), on: nil), .promoted, coins)
        _ = try await record(
            Sample.entry(.purchaseCancelled(coins)), .purchaseCancelled, coins)
        _ = try await record(Sample.familyChanged(Sample.family, of: "aoi"), .familyChanged)
        let money = Money(milliunits: 1_990, currency: "USD")
        let changes: [(TransactionRevision.Change, EventKind)] = [
            (.refunded(money), .refunded), (.refundReversed(money), .refundReversed),
            (.revoked, .revoked), (.expiryMoved, .expiryMoved), (.upgraded(money), .upgraded),
            (.deleted(sold: money, refunded: money), .deleted),
        ]
        for (index, (change, kind)) in changes.enumerated() {
            let revision = TransactionRevision(
                state: TransactionState(revision: index + 1), change: change, productID: theme,
                type: .nonConsumable)
            _ = try await record(
                Sample.entry(.revised(revision), of: "kai", on: nil, number: .existing(second)),
                kind, theme)
        }
        let chain = try #require(
            try await record(Sample.period(dueAfter: 2_592_000), .sold, monthly))
        let item = DueItem(
            account: "aoi", chain: chain, kind: .renewal, period: 2, at: Sample.after(2_592_000))
        for isOn in [false, true] {
            let change = AutoRenewChange(
                chain: chain, productID: monthly, isOn: isOn, reason: .chosen,
                next: isOn ? item : nil, state: SubscriptionState(offReason: isOn ? nil : .chosen))
            _ = try await record(
                Sample.entry(.autoRenewChanged(change), on: nil),
                isOn ? .autoRenewEnabled : .autoRenewDisabled, monthly)
        }
        for (kind, listed) in [
            (SubscriptionEvent.Kind.expired, EventKind.expired), (.billingFailed, .billingFailed),
            (.priceIncreaseAsked, .priceIncrease), (.planChangePlanned, .planChange),
            (.offerRedeemed, .offerRedeemed),
        ] {
            let change = SubscriptionChange(
                event: SubscriptionEvent(kind: kind, chain: chain, productID: monthly),
                autoRenews: true, state: .renewing, next: item)
            _ = try await record(
                Sample.entry(.subscriptionChanged(change), on: nil), listed, monthly)
        }
        let fault = Fault(id: 20, call: .purchase, error: .unknown, remaining: 2)
        var (left, spent) = (fault, fault)
        (left.remaining, spent.remaining) = (1, 0)
        let facts: [(Entry.Fact, EventKind)] = [
            (.faultSet(fault), .faultSet), (.faultSpent(left), .faultSet),
            (.faultSpent(spent), .faultCleared), (.faultsCleared([fault, left]), .faultCleared),
            (.clockSet(.system), .clockSet), (.renewalsSet(.standard), .renewalsSet),
            (.unknown(kind: 99, body: Data()), .unknown),
        ]
        for (fact, kind) in facts {
            _ = try await record(Sample.entry(fact, of: nil, on: nil), kind)
        }
        _ = try await record(Sample.entry(.unknown(kind: 99, body: Data())), .unknown)
        _ = try await record(
            Sample.entry(.valueChanged(AccountValue(key: "theme", value: "sepia"))), .valueChanged)
        for (fact, kind, product): (Entry.Fact, EventKind, ProductID?) in [
            (.serverSet(Sample.server), .serverSet, nil),
            (.extensionDone(Sample.extended), .extensionDone, monthly),
        ] {
            _ = try await record(Sample.entry(fact, of: nil, on: nil), kind, product)
        }
        _ = try await record(
            Sample.entry(
                .consumptionAnswered(Sample.consumption(of: first)), on: nil,
                number: .existing(first)),
            .consumptionAnswered, coins)
        _ = try await record(
            Sample.entry(
                .revised(Sample.tokenSet(revision: 1)), on: nil, number: .existing(first)),
            .tokenSet, coins)
        _ = try await record(
            Sample.familyChanged(Sample.family, of: "nia", .consentRescinded("nia")),
            .consentRescinded)
        #expect(
            Set(sample.compactMap(\.kind)) == Set(EventKind.allCases), "one of every kind")
        return sample
    }
}

extension Ledger {
    func pages(before start: FeedCursor, _ filter: HistoryFilter, limit: Int) async throws
        -> [[Int64]]
    {
        var cursor = start
        var pages: [[Int64]] = []
        repeat {
            let page = try await entries(before: cursor, filter: filter, limit: limit)
            try #require(
                page.cursor.position < max(1, cursor.position),
                "the cursor of a history must move back")
            pages.append(page.entries.map(\.position))
            cursor = page.cursor
        } while cursor.position > 0
        return pages
    }
}
