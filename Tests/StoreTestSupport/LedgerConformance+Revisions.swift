import StoreEngine
@testable import StoreModel
import Testing

extension LedgerConformance {
    static let revisions = [
        Check("a refund ends the entitlement and returns the money") { handles in
            let id = try await sellTheme(in: handles)
            let state = try await revise(
                id, 1, taking: Share(percent: 40), refunded: 796, .refunded(dollars(796)),
                in: handles)
            #expect(
                try await status(of: id, in: handles)
                    == SaleStatus(
                        state: state, isInHistory: true, isRestorable: false, entitles: false,
                        isOwned: false, isUnfinished: true, sold: 1_990, refunded: 796, sales: 1))
            // A revision has the whole new state, but only this refund's sum.
            let rest = try await revise(
                id, 2, taking: .all, refunded: 1_990, .refunded(dollars(1_194)), in: handles)
            let now = try await status(of: id, in: handles)
            #expect(now.state == rest)
            #expect(now.refunded == 1_990)
        },
        Check("a revocation ends the entitlement and returns no money") { handles in
            let id = try await sellTheme(in: handles)
            let state = try await revise(id, 1, taking: .all, refunded: 0, .revoked, in: handles)
            #expect(
                try await status(of: id, in: handles)
                    == SaleStatus(
                        state: state, isInHistory: true, isRestorable: false, entitles: false,
                        isOwned: false, isUnfinished: true, sold: 1_990, refunded: 0, sales: 1))
        },
        Check("a reversal restores the entitlement and takes the money back") { handles in
            let id = try await sellTheme(in: handles)
            try await revise(
                id, 1, taking: .all, refunded: 1_990, .refunded(dollars(1_990)), in: handles)
            let state = try await revise(
                id, 2, taking: nil, refunded: 0, .refundReversed(dollars(1_990)), in: handles)
            #expect(
                try await status(of: id, in: handles)
                    == SaleStatus(
                        state: state, isInHistory: true, isRestorable: true, entitles: true,
                        isOwned: true, isUnfinished: true, sold: 1_990, refunded: 0, sales: 1))
        },
        Check("a deleted sale is in no lookup, only in the entries") { handles in
            let id = try await sellTheme(in: handles)
            try await revise(
                id, 1, taking: Share(percent: 40), refunded: 796, .refunded(dollars(796)),
                in: handles)
            let state = try await revise(
                id, 2, taking: Share(percent: 40), refunded: 796, isDeleted: true,
                .deleted(sold: dollars(1_990), refunded: dollars(796)), in: handles)
            #expect(
                try await status(of: id, in: handles)
                    == SaleStatus(
                        state: state, isInHistory: false, isRestorable: false, entitles: false,
                        isOwned: false, isUnfinished: false, sold: 0, refunded: 0, sales: 0))
            #expect(try await handles.other.allEntries().count == 3)
            // The number of the deleted transaction is not used again.
            #expect(try await sellTheme(in: handles) > id)
        },
        Check("once the last period is deleted, the one before is the group's latest") { handles in
            let first = try await handles.ledger.record(Sample.period(dueAfter: 10))
            let chain = try #require(first[0].number)
            let second = try await handles.ledger.record(
                Sample.period(2, of: chain, dueAfter: 20))
            let id = try #require(second[0].number)
            let money = Payment.of(SampleCatalog.monthly).shownPrice
            try await revise(
                id, 1, taking: nil, refunded: 0, isDeleted: true,
                .deleted(sold: money, refunded: dollars(0)), in: handles)
            let key = LedgerQuery.Subscribed(account: "aoi", group: SampleCatalog.group)
            let found = try await handles.other.query { query in
                query.subscribed = [key]
                query.wholeGroups = [key]
            }
            #expect(found.subscribed[key]?.id == chain)
            #expect(found.wholeGroups[key]?.map(\.id) == [chain])
            #expect(try await handles.other.entitling(of: "aoi").map(\.id) == [chain])
        },
        Check("a payment is found with its transaction in its current state") { handles in
            let payment = Payment.of(SampleCatalog.theme)
            let sold = try await handles.ledger.record(
                Sample.sold(SampleCatalog.theme, .nonConsumable, payment: payment))
            let id = try #require(sold[0].number)
            let state = try await revise(id, 1, taking: .all, refunded: 0, .revoked, in: handles)
            let found = try await handles.other.query { $0.payments = [payment.id] }
            guard case .sold(let row) = found.payments[payment.id]?.state else {
                Issue.record("\(found.payments)")
                return
            }
            #expect(row.id == id && row.state == state)
        },
        Check("the store's clock is the one set last, through either handle") { handles in
            #expect(try await handles.other.query().clock == nil)
            for state in [ClockState.stopped(at: Sample.after(5)), .running(offset: -7)] {
                try await handles.ledger.record(Sample.entry(.clockSet(state), of: nil, on: nil))
                #expect(try await handles.other.query().clock == state)
                #expect(try await handles.ledger.query().clock == state)
            }
            #expect(try await handles.other.query().version(.store) == 2)
            try await expectFolded(handles)
        },
        Check("the renewal settings are the ones set last, through either handle") { handles in
            #expect(try await handles.other.query().renewals == nil)
            for settings in [
                RenewalSettings(rate: .oneMinuteIsOneDay, limit: 3), RenewalSettings(),
            ] {
                try await handles.ledger.record(
                    Sample.entry(.renewalsSet(settings), of: nil, on: nil))
                #expect(try await handles.other.query().renewals == settings)
                #expect(try await handles.ledger.query().renewals == settings)
            }
            #expect(try await handles.other.query().version(.store) == 2)
            try await expectFolded(handles)
        },
    ]

    /// The results of all lookups for one sale of the theme, and the totals of all sales.
    private struct SaleStatus: Equatable {
        var state: TransactionState?
        var isInHistory: Bool
        var isRestorable: Bool
        var entitles: Bool
        var isOwned: Bool
        var isUnfinished: Bool
        var sold: Int64?
        var refunded: Int64?
        var sales: Int64?
    }

    private static func status(
        of id: TransactionID, in handles: Handles
    ) async throws -> SaleStatus {
        let ledger = handles.other
        let owned = LedgerQuery.Owned(account: "aoi", product: SampleCatalog.theme)
        let found = try await ledger.query { query in
            query.sales = [id]
            query.owned = [owned]
            query.finishing = [.init(account: "aoi", id: id)]
        }
        let isWaiting = try await ledger.unfinished(of: "aoi").contains { $0.0.id == id }
        #expect(isWaiting == (found.unfinished[id] != nil))
        let money = try await ledger.takings().first
        return SaleStatus(
            state: found.transactions[id]?.state,
            isInHistory: try await ledger.history(of: "aoi").contains { $0.id == id },
            isRestorable: try await ledger.history(of: "aoi", entitlingOnly: true)
                .contains { $0.id == id },
            entitles: try await ledger.entitling(of: "aoi").contains { $0.id == id },
            isOwned: found.owned[owned]?.id == id, isUnfinished: isWaiting,
            sold: money?.soldMilliunits, refunded: money?.refundedMilliunits, sales: money?.sales)
    }

    private static func sellTheme(in handles: Handles) async throws -> TransactionID {
        let sold = try await handles.ledger.record(
            Sample.sold(SampleCatalog.theme, .nonConsumable))
        return try #require(sold[0].number)
    }

    private static func dollars(_ milliunits: Int64) -> Money {
        Money(milliunits: milliunits, currency: "USD")
    }

    /// Records a revision, expects the feed to deliver it completely, and returns the new state.
    @discardableResult
    private static func revise(
        _ id: TransactionID, _ revision: Int, taking share: Share?, refunded: Int64,
        isDeleted: Bool = false, _ change: TransactionRevision.Change, in handles: Handles
    ) async throws -> TransactionState {
        let revocation = share.map { share in
            Revocation(
                date: Sample.now, reason: .app, takenBack: share,
                refunded: refunded == 0 ? .none : share, refundedMilliunits: refunded)
        }
        let state = TransactionState(
            revision: revision, revocation: revocation, isDeleted: isDeleted)
        let start = try await handles.other.head()
        let recorded = try await handles.ledger.record(
            Sample.entry(
                .revised(
                    TransactionRevision(
                        state: state, change: change, productID: SampleCatalog.theme,
                        type: .nonConsumable)), on: nil, number: .existing(id)))
        let feed = try await handles.other.entries(after: start, account: "aoi", limit: 9)
        #expect(feed.entries == recorded)
        try await expectFolded(handles)
        return state
    }
}
