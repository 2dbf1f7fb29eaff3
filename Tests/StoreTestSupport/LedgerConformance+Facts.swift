import Foundation
@testable import StoreEngine
import StoreModel
import Testing

extension LedgerConformance {
    static let unknownFacts = [
        Check("an entry of an unknown kind is passed on unchanged, and its account reported") {
            handles in
            #expect(try await !handles.other.query().hasUnknownFacts)
            let body = Data([0, 255, 123])
            let recorded = try await handles.ledger.record(
                Sample.sold(to: "kai"), Sample.entry(.unknown(kind: 99, body: body)))
            for ledger in [handles.ledger, handles.other] {
                let feed = try await ledger.entries(
                    after: Sample.start, account: "aoi", limit: 9)
                #expect(feed.entries == [recorded[1]])
                let history = try await ledger.entries(
                    before: feed.cursor, filter: .init(account: "aoi"), limit: 9)
                #expect(history.entries == [recorded[1]])
                #expect(try await ledger.allEntries() == recorded)
                let found = try await ledger.query { $0.accounts = ["aoi", "kai"] }
                #expect(found.accountsWithUnknownFacts == ["aoi"])
                #expect(!found.hasUnknownFacts)
                #expect(found.version(.account("aoi")) == 2)
                #expect(throws: StoreError.self) { try found.refuseUnknownFacts(of: "aoi") }
                try found.refuseUnknownFacts(of: "kai")
            }
            // Only accounts that the query names are reported.
            let others = try await handles.other.query { $0.accounts = ["kai"] }
            #expect(others.accountsWithUnknownFacts.isEmpty)
            try await expectFolded(handles)
        },
        Check("an unknown entry without an account is passed on to every account") { handles in
            #expect(try await !handles.other.query().hasUnknownFacts)
            try await handles.ledger.record(
                Sample.entry(.unknown(kind: 99, body: Data()), of: nil, on: nil))
            for ledger in [handles.ledger, handles.other] {
                let found = try await ledger.query { $0.accounts = ["aoi"] }
                #expect(found.hasUnknownFacts)
                #expect(found.accountsWithUnknownFacts.isEmpty)
                #expect(found.version(.store) == 1)
                #expect(throws: StoreError.self) { try found.refuseUnknownFacts(of: "aoi") }
                let feed = try await ledger.entries(
                    after: Sample.start, account: "aoi", limit: 9)
                #expect(feed.entries.map(\.entry.fact) == [.unknown(kind: 99, body: Data())])
            }
        },
        Check("an entry that contradicts itself fails the whole append") { handles in
            let good = Decision(
                reads: [:], entries: [Sample.sold()], attachments: ["digest": Data([1])])
            for (what, entry) in contradictions {
                let bad = Decision(reads: [:], entries: [Sample.sold(), entry])
                let error = await #expect(throws: StoreError.self, "\(what)") {
                    try await handles.ledger.append([good, bad, good], at: Sample.now)
                }
                #expect(error?.code == .contradictoryEntry, "\(what)")
            }
            #expect(try await handles.other.head() == Sample.start)
            #expect(try await handles.other.attachment("digest") == nil)
            try await expectFolded(handles)
            // The refused append has used no position and no number.
            let recorded = try await handles.other.record(Sample.sold())
            #expect(recorded[0].position == 1)
            #expect(recorded[0].number?.number == StoreLimits.firstTransactionNumber)
        },
    ]

    private static let contradictions: [(what: String, entry: Entry)] = {
        let id = TransactionID(1_000_001)
        let payment = Payment.of(SampleCatalog.coins)
        let clock = Entry.Fact.clockSet(.system)
        let revision = TransactionRevision(
            state: .asSold, change: .revoked, productID: SampleCatalog.coins, type: .consumable)
        let item = DueItem(
            account: "aoi", chain: id, kind: .renewal, period: 2, at: Sample.after(1))
        func autoRenew(_ isOn: Bool, _ next: DueItem?) -> Entry.Fact {
            .autoRenewChanged(
                AutoRenewChange(
                    chain: id, productID: SampleCatalog.monthly, isOn: isOn, reason: .chosen,
                    next: next, state: .renewing))
        }
        func changed(_ entry: Entry, _ change: (inout Entry) -> Void) -> Entry {
            var entry = entry
            change(&entry)
            return entry
        }
        func sold(_ entry: Entry, _ change: (inout Sale) -> Void) -> Entry {
            guard case .sold(var sale) = entry.fact else { return entry }
            change(&sale)
            return changed(entry) { $0.fact = .sold(sale) }
        }
        let renewal = Sample.period(2, of: id, dueAfter: 9)
        let share = Sample.given(.familyShare(of: id))
        return [
            ("a sale of nobody", changed(Sample.sold()) { $0.account = nil }),
            ("a sale without a number", changed(Sample.sold()) { $0.number = .none }),
            ("a payment from no device", changed(Sample.sold()) { $0.device = nil }),
            ("a renewal from a device", changed(renewal) { $0.device = "phone" }),
            ("a renewal of no chain", sold(renewal) { $0.original = nil }),
            ("a renewal of no period", sold(renewal) { $0.term = nil }),
            ("a renewal without end", sold(renewal) { $0.expiresDate = nil }),
            ("a share from a device", changed(share) { $0.device = "phone" }),
            ("a share with a token", sold(share) { $0.appAccountToken = UUID() }),
            (
                "a purchase outside the app from a device",
                changed(Sample.given(.outsideApp)) { $0.device = "phone" }
            ),
            ("a request without a number", Sample.entry(.deferred(payment, .askToBuy))),
            (
                "a request from no device",
                Sample.entry(.deferred(payment, .askToBuy), on: nil, number: .next)
            ),
            (
                "a failure of nobody",
                Sample.entry(.failed(payment, StoreError(.networkError)), of: nil)
            ),
            ("an end of a new number", Sample.entry(.finished, number: .next)),
            (
                "a claim of nobody",
                Sample.entry(.claimed(by: "phone"), of: nil, number: .existing(id))
            ),
            (
                "a refund request of no transaction",
                Sample.entry(.refundRequested(Sample.refund(of: id)))
            ),
            (
                "a refund declined of no transaction",
                Sample.entry(.refundDeclined(Sample.refund(of: id)), on: nil)
            ),
            (
                "a promoted purchase of nobody",
                Sample.entry(.promoted(SampleCatalog.coins), of: nil, on: nil)
            ),
            (
                "a cancelled purchase on no device",
                Sample.entry(.purchaseCancelled(SampleCatalog.coins), on: nil)
            ),
            ("a family change of nobody", Sample.familyChanged(Sample.family, of: nil)),
            (
                "the family of somebody else",
                Sample.familyChanged(Sample.family, of: "stranger")
            ),
            (
                "a share that renews by itself",
                sold(share) { share in
                    if case .sold(let renewing) = renewal.fact { share.term = renewing.term }
                }
            ),
            ("a share that grants coins", sold(share) { $0.grant = .init(unit: "c", amount: 1) }),
            ("a revision of nothing", Sample.entry(.revised(revision))),
            ("auto-renew of nobody", Sample.entry(autoRenew(false, nil), of: nil)),
            ("auto-renew on and never due", Sample.entry(autoRenew(true, nil))),
            (
                "a subscription that goes on and is never due",
                Sample.entry(Sample.billingFailed(id, next: nil))
            ),
            (
                "a subscription of nobody",
                Sample.entry(Sample.billingFailed(id, next: item), of: nil)
            ),
            (
                "settings of somebody else",
                changed(Sample.settings("aoi")) { $0.account = "kai" }
            ),
            ("the store's clock of one account", Sample.entry(clock)),
        ]
    }()
}
