import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import TestBasics
import Testing

@Suite("histories", .timeLimit(.minutes(10))) struct HistoryTests {
    private static let start = FeedCursor(epoch: 1, position: 0)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// All events of the feed up to its present end, in order.
    private func feed(_ store: TestStore) async throws -> [StoreEvent] {
        let head = try await store.console.head()
        var events: [StoreEvent] = []
        for try await batch in store.console.events(after: Self.start) {
            events += batch.events
            if batch.cursor.position >= head.position { break }
        }
        return events
    }

    /// All events of a history, newest first, and how many pages they took.
    private func history(
        _ filter: HistoryFilter = HistoryFilter(), limit: Int,
        _ page: (FeedCursor?, HistoryFilter, Int) async throws(StoreError) -> HistoryPage
    ) async throws -> [StoreEvent] {
        var events: [StoreEvent] = []
        var next: FeedCursor?
        repeat {
            let found = try await page(next, filter, limit)
            try #require(found.next.map { $0.position < next?.position ?? .max } ?? true)
            try #require(!found.events.isEmpty || events.isEmpty, "an empty page after others")
            events += found.events
            next = found.next
        } while next != nil
        return events
    }

    private func history(
        _ filter: HistoryFilter = HistoryFilter(), limit: Int = 3, of store: TestStore
    ) async throws -> [StoreEvent] {
        let console = store.console
        return try await history(filter, limit: limit) {
            before, filter, limit async throws(StoreError) in
            try await console.history(before: before, filter: filter, limit: limit)
        }
    }

    @Test(
        "every filtered history has the events of the feed that fit, newest first",
        arguments: LedgerKind.allCases, [3, 11])
    func asTheFeed(_ kind: LedgerKind, _ seed: UInt64) async throws {
        let handles = try kind.handles(in: folder)
        var simulation = StoreSimulation(seed: seed, handles: handles)
        try await simulation.run(steps: 160)
        let store = try await TestStore(ledger: handles.ledger, elapsed: nil)
        let feed = try await feed(store)
        var products: [TransactionID: ProductID] = [:]
        for case .sold(let issued) in feed.map(\.change) { products[issued.id] = issued.productID }
        var random = SplitMix64(seed: seed)
        var filters = EventKind.allCases.map { HistoryFilter(kinds: [$0]) } + [HistoryFilter()]
        for _ in 0..<30 {
            filters.append(
                HistoryFilter(
                    kinds: Set((0..<random.below(4)).map { _ in random.pick(EventKind.allCases) }),
                    product: random.pick([
                        nil, SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.monthly,
                    ]),
                    account: random.pick([nil, "aoi", "kai"]),
                    since: random.pick([nil, random.pick(feed).at])))
        }
        for filter in filters {
            let expected = feed.filter { event in
                (filter.kinds.isEmpty || filter.kinds.contains(event.kind))
                    && (filter.product.map { event.product(products) == $0 } ?? true)
                    && (filter.account.map { event.account == $0 } ?? true)
                    && (filter.since.map { event.at >= $0 } ?? true)
            }.reversed()
            let found = try await history(filter, limit: 1 + random.below(20), of: store)
            #expect(found.map(\.cursor) == expected.map(\.cursor), "\(filter)")
            #expect(found.map(\.kind) == expected.map(\.kind), "\(filter)")
            #expect(found.map(\.at) == expected.map(\.at))
            #expect(found.map(\.account) == expected.map(\.account))
            #expect(found.map(\.device) == expected.map(\.device))
            #expect(found.map(\.productID) == expected.map { $0.product(products) })
        }
    }

    @Test("events recorded between two pages change no later page", arguments: LedgerKind.allCases)
    func whileAppending(_ kind: LedgerKind) async throws {
        let store = try await TestStore(ledger: kind.make(in: folder))
        for _ in 0..<7 { _ = try await store.session().purchase(.of(SampleCatalog.coins)) }
        let before = try await history(limit: .max, of: store)
        let console = store.console
        let session = store.session()
        let found = try await history(limit: 2) {
            before, filter, limit async throws(StoreError) in
            let page = try await console.history(before: before, filter: filter, limit: limit)
            _ = try await session.purchase(.of(SampleCatalog.coins))
            return page
        }
        #expect(found == before)
        #expect(found.count == 9, "catalog, account and seven sales")
    }

    @Test("events of one entry are never divided between pages")
    func undivided() async throws {
        let store = try await TestStore()
        for count in 1...3 {
            try await store.console.failNext(.purchase, error: .networkError, count: count)
        }
        try await store.console.clearFaults()
        let page = try await store.console.history(
            before: nil, filter: HistoryFilter(), limit: 1)
        #expect(page.events.map(\.index) == [2, 1, 0])
        #expect(page.events.allSatisfy { $0.kind == .faultCleared })
        let next = try await store.console.history(
            before: page.next, filter: HistoryFilter(), limit: 100)
        #expect(next.events.map(\.kind) == [.faultSet, .faultSet, .faultSet, .catalogRevised])
        #expect(next.next == nil, "the opening of the store is no event")
    }

    @Test("a customer's history has the own account's events, whatever account is asked for")
    func customers() async throws {
        let store = try await TestStore()
        _ = try await store.session(account: "kai").purchase(.of(SampleCatalog.coins))
        let bought = try await store.session().purchase(.of(SampleCatalog.theme))
        let id = try #require(bought.number)
        _ = try await store.session().finish(id)
        let session = store.session(device: "tablet")
        let found = try await history(.init(account: "kai"), limit: 2) {
            before, filter, limit async throws(StoreError) in
            try await session.events(before: before, filter: filter, limit: limit)
        }
        #expect(found.map(\.kind) == [.finished, .sold, .accountChanged])
        #expect(found.map(\.transactionID) == [id, id, nil])
        #expect(found[0].sale == found[1].sale)
        #expect(found[0].productID == SampleCatalog.theme)
        #expect(found[0].price == Money(milliunits: 1_990, currency: "USD"))
        #expect(found[1].device == "phone" && found[1].paymentID != nil)
    }

    @Test("a customer's newest page has the renewals that are due")
    func renewals() async throws {
        let clock = ManualClock()
        let store = try await TestStore(clock: clock, elapsed: nil)
        _ = try await store.session().purchase(.of(SampleCatalog.monthly))
        clock.advance(byMilliseconds: 40 * 86_400_000)
        let page = try await store.session().events(
            before: nil, filter: .init(kinds: [.sold]), limit: 5)
        #expect(page.events.map { $0.sale?.reason } == [.renewal, .purchase])
        #expect(page.events[0].sale?.originalID == page.events[1].transactionID)
    }

    @Test("a refund and its reversal say what money they moved")
    func revisions() async throws {
        let store = try await TestStore()
        let id = try #require(
            try await store.session().purchase(.of(SampleCatalog.coins, quantity: 2)).number)
        _ = try await store.console.perform(.refund(id, .percent(25), reason: .app))
        _ = try await store.console.perform(.refund(id, .rest, reason: .other))
        _ = try await store.console.perform(.reverseRefund(id))
        _ = try await store.console.perform(.delete(id, wholeChain: false))
        let found = try await history(of: store).prefix(4)
        #expect(found.map(\.kind) == [.deleted, .refundReversed, .refunded, .refunded])
        let revisions = found.map { event -> PastRevision? in
            if case .revised(let revision) = event.change { revision } else { nil }
        }
        #expect(revisions.map { $0?.money?.milliunits } == [nil, 1_980, 1_480, 500])
        #expect(revisions.map { $0?.revocation?.reason } == [nil, nil, .other, .app])
        #expect(found.allSatisfy { $0.quantity == 2 && $0.transactionID == id })
    }

    @Test("a transaction is signed as it is now, for whoever may see it")
    func transactions() async throws {
        let store = try await TestStore()
        let (session, console) = (store.session(), store.console)
        let id = try #require(try await session.purchase(.of(SampleCatalog.theme)).number)
        _ = try await console.perform(.refund(id, .rest, reason: .app))
        let verifier = try TestStore.verifier()
        for (text, isForDevice) in [
            (try await session.transaction(id), true), (try await console.transaction(id), false),
        ] {
            guard case .verified(let transaction) = await verifier.verify(text) else {
                Issue.record("not verified")
                continue
            }
            #expect(transaction.payload.transactionId == id)
            #expect(transaction.payload.revocationDate != nil)
            #expect((transaction.payload.deviceVerification != nil) == isForDevice)
        }
        func error(_ read: () async throws -> SignedTransaction) async -> StoreError.Code? {
            do {
                _ = try await read()
                return nil
            } catch { return (error as? StoreError)?.code }
        }
        #expect(
            await error { try await store.session(account: "kai").transaction(id) }
                == .transactionNotFound)
        #expect(
            await error { try await console.transaction(TransactionID(7)) } == .transactionNotFound)
        _ = try await console.perform(.delete(id, wholeChain: false))
        #expect(await error { try await session.transaction(id) } == .transactionNotFound)
        #expect(await error { try await console.transaction(id) } == .transactionNotFound)
    }

    @Test("what is due next is listed in order of time, with product and account")
    func upcoming() async throws {
        let store = try await TestStore(elapsed: nil)
        #expect(try await store.console.upcoming(limit: 5).isEmpty)
        let yearly = try await store.session().purchase(.of(SampleCatalog.yearly))
        let monthly = try await store.session(account: "kai").purchase(.of(SampleCatalog.monthly))
        let items = try await store.console.upcoming(limit: 5)
        #expect(items.map(\.productID) == [SampleCatalog.monthly, SampleCatalog.yearly])
        #expect(items.map(\.account) == ["kai", "aoi"])
        #expect(items.map { Optional($0.chain) } == [monthly.number, yearly.number])
        #expect(items.allSatisfy { $0.kind == .renewal })
        let next = try #require(try await store.console.clock().next)
        #expect(next.at == items[0].at && next.productID == items[0].productID)
        #expect(try await store.console.upcoming(limit: 1) == [items[0]])
    }
}

extension StoreEvent {
    /// The product of the event; `sold` has the products of the transactions.
    fileprivate func product(_ sold: [TransactionID: ProductID]) -> ProductID? {
        switch change {
        case .sold, .revised: issued?.productID
        case .deleted(_, let product, _), .autoRenewChanged(_, let product, _, _): product
        case .subscriptionChanged(let event): event.productID
        case .deferred(let payment, _, _), .failed(let payment, _, _): payment.productID
        case .finished(let id), .claimed(let id, _): sold[id]
        case .refundRequested(let request), .refundDeclined(let request): request.productID
        case .promoted(let product), .purchaseCancelled(let product): product
        case .consumptionAnswered(let answer): answer.productID
        case .extensionDone(let outcome): outcome.request.productID
        case .clockSet, .renewalsSet, .serverSet, .unknown, .catalogRevised, .accountChanged,
            .faultSet,
            .faultCleared, .familyChanged, .valueChanged:
            nil
        }
    }
}
