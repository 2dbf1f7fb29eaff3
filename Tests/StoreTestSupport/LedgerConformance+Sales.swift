@testable import StoreEngine
import StoreModel
import Testing

extension LedgerConformance {
    /// Checks that every lookup finds each sale, whatever its cause.
    static let sales = [
        Check("a paid sale is in every lookup of sales, and found by its payment") { handles in
            let payment = Payment.of(SampleCatalog.theme)
            let sold = try await sell(
                Sample.sold(SampleCatalog.theme, .nonConsumable, payment: payment), in: handles)
            #expect(sold.device == "phone")
            #expect(try await handles.other.entitling(of: "aoi") == [sold])
            let known = try await handles.other.query { $0.payments = [payment.id] }
            #expect(known.payments[payment.id]?.state == .sold(sold))
            #expect(known.payments[payment.id]?.payment == payment)
        },
        Check("a renewal, which has no device, is in every lookup of sales") { handles in
            let first = try await sell(Sample.period(dueAfter: 10), in: handles)
            let renewal = try await sell(
                Sample.period(2, of: first.id, dueAfter: 20), in: handles)
            #expect(renewal.device == nil && renewal.sale.payment == nil)
            #expect(renewal.originalID == first.id)
            #expect(try await handles.other.entitling(of: "aoi") == [renewal])
            let key = LedgerQuery.Subscribed(account: "aoi", group: SampleCatalog.group)
            let found = try await handles.other.query { query in
                query.subscribed = [key]
                query.wholeGroups = [key]
                query.subscriptions = [.init(account: "aoi", id: first.id)]
            }
            #expect(found.subscribed[key] == renewal)
            #expect(found.wholeGroups[key] == [first, renewal])
            #expect(
                found.subscriptions[first.id]
                    == SubscriptionRow(
                        chain: first.id, account: "aoi", autoRenews: true, ordinal: 2,
                        latest: renewal.id, previous: first.id))
        },
        Check("a family share is in every lookup of its own account's sales") {
            handles in
            let bought = try await sell(
                Sample.sold(SampleCatalog.theme, .nonConsumable, to: "kai"), in: handles)
            let share = try await sell(
                Sample.given(.familyShare(of: bought.id), price: 0), in: handles)
            #expect(share.device == nil && share.id != bought.id)
            #expect(try await handles.other.entitling(of: "aoi") == [share])
            #expect(try await handles.other.entitling(of: "kai") == [bought])
            let owned = LedgerQuery.Owned(account: "aoi", product: SampleCatalog.theme)
            let found = try await handles.other.query { $0.owned = [owned] }
            // An account does not own a product that its family shares, so it may still buy it.
            #expect(found.owned[owned] == nil)
            let shares = try await handles.other.query { $0.shares = [bought.id] }
            #expect(shares.shares[bought.id] == [share])
        },
        Check("a purchase outside the app is in every lookup of sales") { handles in
            let sold = try await sell(Sample.given(.outsideApp), in: handles)
            #expect(sold.device == nil && sold.sale.payment == nil)
            #expect(try await handles.other.entitling(of: "aoi") == [sold])
            // The sale has no device, so any device may deliver it.
            #expect(try await handles.other.unfinished(of: "aoi").map(\.0.device) == [nil])
        },
    ]

    /// Records a sale, and expects it in every lookup of sales.
    static func sell(_ entry: Entry, in handles: Handles) async throws -> TransactionRow {
        let start = try await handles.ledger.head()
        let before = try await handles.ledger.takings().first ?? SalesTotals(currency: "USD")
        let recorded = try await handles.ledger.record(entry)[0]
        let id = try #require(recorded.number)
        let account = try #require(entry.account)
        guard case .sold(let sale) = entry.fact else { throw StoreError(.unknown) }
        let row = TransactionRow(
            id: id, account: account, device: entry.device, sale: sale,
            changedAt: recorded.position)

        let other = handles.other
        #expect(try await other.history(of: account).first == row)
        #expect(try await other.history(of: account, entitlingOnly: true).first == row)
        #expect(try await other.entitling(of: account).contains(row))
        let waiting = try await other.unfinished(of: account)
        #expect(
            waiting.last?.0 == UnfinishedRow(id: id, account: account, device: entry.device))
        #expect(waiting.last?.1 == row)
        for reader: AccountName? in [account, nil] {
            let feed = try await other.entries(after: start, account: reader, limit: 9)
            #expect(feed.entries == [recorded])
            let history = try await other.entries(
                before: feed.cursor, filter: .init(account: reader), limit: 1)
            #expect(history.entries == [recorded])
        }
        let sold = LedgerQuery.Sold(account: account, id: id)
        let found = try await other.query { query in
            query.transactions = [sold]
            query.finishing = [sold]
        }
        #expect(found.transactions == [id: row])
        #expect(found.soldTypes == [sold: sale.type])
        #expect(found.unfinished[id]?.device == entry.device)
        let after = try await other.takings().first
        // A share does not count as a sale.
        let count: Int64 = sale.sharedTransaction == nil ? 1 : 0
        #expect((after?.sales ?? 0) == before.sales + count)
        #expect(
            (after?.soldMilliunits ?? 0) == before.soldMilliunits + count * sale.price.milliunits)
        try await expectFolded(handles)
        return row
    }
}
