import StoreCatalog
@testable import StoreEngine
import StoreModel
import Testing

extension LedgerConformance {
    static let due = [
        Check("due items come in the order they happen, up to an instant and a limit") {
            handles in
            let recorded = try await handles.ledger.record(
                Sample.period(dueAfter: 5), Sample.period(to: "kai", dueAfter: 10),
                Sample.period(group: "another", dueAfter: 30),
                Sample.period(to: "noor", dueAfter: 20))
            let chains = recorded.compactMap(\.number)
            // Due at the same time as kai's: the smaller chain id comes first.
            try await handles.ledger.record(Sample.period(2, of: chains[0], dueAfter: 10))
            func found(
                through seconds: Int64, of account: AccountName? = nil, limit: Int = 9
            ) async throws -> [TransactionID] {
                try await handles.other.due(
                    through: Sample.after(seconds), of: account, limit: limit
                ).map(\.chain)
            }
            #expect(try await found(through: 9) == [])
            #expect(try await found(through: 10) == [chains[0], chains[1]])
            #expect(try await found(through: 29) == [chains[0], chains[1], chains[3]])
            #expect(
                try await found(through: 99) == [chains[0], chains[1], chains[3], chains[2]])
            #expect(try await found(through: 99, limit: 3) == [chains[0], chains[1], chains[3]])
            #expect(try await found(through: 99, limit: 1) == [chains[0]])
            #expect(try await found(through: 99, of: "aoi") == [chains[0], chains[2]])
            #expect(try await found(through: 99, of: "aoi", limit: 1) == [chains[0]])
            #expect(try await found(through: 29, of: "aoi") == [chains[0]])
            #expect(try await found(through: 99, of: "mia") == [])
            let snapshot = try await handles.other.query { query in
                query.accounts = ["aoi", "noor", "mia"]
                query.nextDue = true
            }
            #expect(snapshot.firstDue == ["aoi": Sample.after(10), "noor": Sample.after(20)])
            #expect(snapshot.nextDue?.chain == chains[0])
            try await expectFolded(handles)
        },
        Check("a chain has one due period at a time") { handles in
            let chain = try await subscribe(in: handles)
            for ordinal in 2...4 {
                try await handles.ledger.record(
                    Sample.period(ordinal, of: chain, dueAfter: Int64(ordinal) * 10))
                #expect(
                    try await handles.other.allDue() == [
                        item(chain, period: ordinal + 1, after: Int64(ordinal) * 10)
                    ])
            }
            try await expectFolded(handles)
        },
        Check("a due item carried out through both handles is recorded once") { handles in
            let chain = try await subscribe(in: handles)
            let items = try await handles.ledger.due(
                through: Sample.after(10), of: nil, limit: 9)
            #expect(items == [item(chain, period: 2, after: 10)])
            // Both handles read the due items before either records them.
            let first = try #require(try await carryOut(items, from: handles.ledger))
            let second = try #require(try await carryOut(items, from: handles.other))
            let results =
                try await handles.ledger.append([first], at: Sample.after(10))
                + handles.other.append([second], at: Sample.after(10))
            #expect(results.map(\.isConflict) == [false, true])
            for ledger in [handles.ledger, handles.other] {
                #expect(
                    try await carryOut(items, from: ledger) == nil, "the next read finds it done")
                #expect(try await ledger.history(of: "aoi").count == 2)
                let due = try await ledger.allDue()
                #expect(due.map(\.chain) == [chain] && due.map(\.period) == [3])
            }
            try await expectFolded(handles)
        },
        Check("auto-renew off removes the due item of a chain, and on sets the given one") {
            handles in
            let chain = try await subscribe(in: handles)
            let others = try await handles.ledger.record(Sample.period(to: "kai", dueAfter: 40))
            let theirs = item(
                try #require(others[0].number), of: "kai", period: 2, after: 40)
            #expect(
                try await handles.other.allDue() == [item(chain, period: 2, after: 10), theirs])

            let start = try await handles.other.head()
            let off = try await handles.ledger.record(autoRenew(chain, nil))
            #expect(try await handles.other.allDue() == [theirs])
            var found = try await readChain(chain, in: handles)
            #expect(found.subscriptions[chain]?.autoRenews == false)
            #expect(found.subscriptions[chain]?.ordinal == 1)
            #expect(found.firstDue["aoi"] == nil)
            #expect(found.nextDue == theirs)

            let next = item(chain, period: 2, after: 15)
            let on = try await handles.ledger.record(autoRenew(chain, next))
            #expect(try await handles.other.allDue() == [next, theirs])
            found = try await readChain(chain, in: handles)
            #expect(found.subscriptions[chain]?.autoRenews == true)
            #expect(found.firstDue["aoi"] == Sample.after(15))
            #expect(found.nextDue == next)

            let feed = try await handles.other.entries(after: start, account: "aoi", limit: 9)
            #expect(feed.entries == off + on)
            try await expectFolded(handles)
        },
        Check("a sale without a period is never due") { handles in
            try await handles.ledger.record(
                Sample.sold(), Sample.sold(SampleCatalog.pass, .nonRenewing),
                Sample.sold(
                    SampleCatalog.monthly, .autoRenewable, group: SampleCatalog.group,
                    expires: Sample.after(1)), Sample.given(.outsideApp))
            #expect(try await handles.other.allDue().isEmpty)
            let found = try await handles.other.query { $0.nextDue = true }
            #expect(found.nextDue == nil)
        },
    ]

    private static func subscribe(in handles: Handles) async throws -> TransactionID {
        let sold = try await handles.ledger.record(Sample.period(dueAfter: 10))
        return try #require(sold[0].number)
    }

    private static func item(
        _ chain: TransactionID, of account: AccountName = "aoi", period: Int, after seconds: Int64
    ) -> DueItem {
        DueItem(
            account: account, chain: chain, kind: .renewal, period: period,
            at: Sample.after(seconds))
    }

    private static func autoRenew(_ chain: TransactionID, _ next: DueItem?) -> Entry {
        Sample.entry(
            .autoRenewChanged(
                AutoRenewChange(
                    chain: chain, productID: SampleCatalog.monthly, isOn: next != nil,
                    reason: .chosen, next: next,
                    state: SubscriptionState(offReason: next == nil ? .chosen : nil))), on: nil)
    }

    private static func readChain(
        _ chain: TransactionID, in handles: Handles
    ) async throws -> LedgerSnapshot {
        try await handles.other.query { query in
            query.accounts = ["aoi"]
            query.subscriptions = [.init(account: "aoi", id: chain)]
            query.nextDue = true
        }
    }

    /// The rule's decision on due items by this ledger's rows; nil if no work is left.
    private static func carryOut(
        _ items: [DueItem], from ledger: any Ledger
    ) async throws -> Decision? {
        let chains = try await ledger.query { query in
            query.subscriptions = Set(items.map { .init(account: $0.account, id: $0.chain) })
        }
        let found = try await ledger.query { query in
            query.accounts = Set(items.map(\.account))
            query.subscriptions = Set(items.map { .init(account: $0.account, id: $0.chain) })
            query.sales = Set(chains.subscriptions.values.map(\.latest))
        }
        return RenewalRules.carryOut(
            items,
            in: RuleContext(
                snapshot: found, catalog: CatalogIndex(SampleCatalog.catalog()),
                now: Sample.after(10)))
    }
}
