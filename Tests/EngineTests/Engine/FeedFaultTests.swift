import StoreCatalog
@testable import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// Feeds of devices that a fault of `Fault.Call.updates` disturbs, as their readers get them.
@Suite("disturbed feeds", .timeLimit(.minutes(10)))
struct FeedFaultTests {
    private static let start = FeedCursor(epoch: 1, position: 0)

    private static func disturb(
        _ store: TestStore, _ error: StoreError.Code, count: Int? = 1, delay: Int64? = nil
    ) async throws {
        _ = try await store.console.perform(
            .failNext(.updates, error: error, count: count, delayMilliseconds: delay))
    }

    private static func buy(_ store: TestStore, _ product: ProductID = SampleCatalog.coins)
        async throws -> TransactionID
    {
        try #require(try await store.session().purchase(.of(product)).number)
    }

    private static func sold(_ batch: StoreEventBatch?) -> [TransactionID] {
        (batch?.events ?? []).compactMap { event in
            if case .sold(let sale) = event.change { sale.id } else { nil }
        }
    }

    /// Reads batches until so many sales have come, counting repeats.
    private static func sales(
        _ count: Int, of feed: inout StoreEventStream.Iterator
    ) async throws -> [TransactionID] {
        var found: [TransactionID] = []
        while found.count < count { found += sold(try await feed.next()) }
        return found
    }

    @Test("a sale is held back until its purchase is answered")
    func afterAnswer() async throws {
        let ledger = InMemoryLedger()
        let here = try await TestStore(ledger: ledger)
        let there = try await TestStore(ledger: ledger)
        try await Self.disturb(here, .deliveredAfterAnswer)
        let payment = Payment.of(SampleCatalog.coins)
        // As if this process had sent the payment, and another one were to sell it.
        here.engine.unanswered.begin(payment.id)
        let id = try await there.session().purchase(payment).number
        var feed = here.session().updates(after: Self.start).makeAsyncIterator()
        let before = try #require(try await feed.next())
        #expect(Self.sold(before).isEmpty && before.heldBack == nil)
        let head = try await here.session().head()
        #expect(before.cursor.position < head.position)
        here.engine.unanswered.end(payment.id)
        let after = try await Self.sales(1, of: &feed)
        #expect(after.first == id)
        #expect(try await here.console.faults().isEmpty, "used up")
    }

    @Test("the readers of one device are disturbed alike, for one use of the fault")
    func readersAlike() async throws {
        let ledger = InMemoryLedger()
        let stores = [try await TestStore(ledger: ledger), try await TestStore(ledger: ledger)]
        try await Self.disturb(stores[0], .deliveredTwice)
        let id = try await Self.buy(stores[0])
        for store in stores {
            var feed = store.session().updates(after: Self.start).makeAsyncIterator()
            let found = try await Self.sales(2, of: &feed)
            #expect(found == [id, id])
        }
        var tablet = stores[1].session(device: "tablet").updates(after: Self.start)
            .makeAsyncIterator()
        let other = try await Self.buy(stores[1])
        let found = try await Self.sales(2, of: &tablet)
        #expect(found == [id, other], "another device's is in order")
        let uses = try await stores[0].entries().filter {
            if case .faultSpent = $0.entry.fact { true } else { false }
        }
        #expect(uses.count == 1)
    }

    @Test("what is held back holds back what follows, and the cursor passes none of it")
    func order() async throws {
        let store = try await TestStore()
        let first = try await Self.buy(store)
        try await Self.disturb(store, .deliveredOutOfOrder)
        let cursor = try await store.session().head()
        let held = try await Self.buy(store)
        var feed = store.session().updates(after: cursor).makeAsyncIterator()
        let told = try #require(try await feed.next())
        #expect(told.events.isEmpty && told.cursor == cursor)
        #expect(told.heldBack == .deliveredOutOfOrder)
        _ = try await store.console.perform(.promote(SampleCatalog.theme, account: "aoi"))
        let newer = try await Self.buy(store)
        let batch = try #require(try await feed.next())
        #expect(Self.sold(batch) == [newer, held] && batch.heldBack == nil)
        #expect(batch.events.map(\.kind) == [.sold, .promoted, .sold], "only sales change places")
        #expect(try await store.console.faults().isEmpty)
        var all = store.session(device: "tablet").updates(after: Self.start).makeAsyncIterator()
        let whole = try await Self.sales(3, of: &all)
        #expect(whole == [first, held, newer])
    }

    @Test("clearing the fault lets what was held back come", arguments: [nil, 60_000] as [Int64?])
    func cleared(_ delay: Int64?) async throws {
        let store = try await TestStore()
        try await Self.disturb(store, .deliveredLate, count: nil, delay: delay)
        let cursor = try await store.session().head()
        let id = try await Self.buy(store)
        var feed = store.session().updates(after: cursor).makeAsyncIterator()
        let told = try await feed.next()
        #expect(told?.heldBack == .deliveredLate)
        try await store.console.clearFaults()
        let found = try await Self.sales(1, of: &feed)
        #expect(found == [id])
    }

    @Test("a late update comes by time alone, without a commit")
    func byTimeAlone() async throws {
        let system = ManualClock()
        let store = try await TestStore(clock: system, elapsed: PassingClock(system: system))
        try await Self.disturb(store, .deliveredLate, delay: 3_600_000)
        let cursor = try await store.session().head()
        let id = try await Self.buy(store)
        var feed = store.session().updates(after: cursor).makeAsyncIterator()
        let found = try await Self.sales(1, of: &feed)
        #expect(found == [id])
        let sale = try #require(try await store.entries().first { $0.number == id })
        #expect(store.engine.clock.now() >= sale.recordedAt.advanced(byMilliseconds: 3_600_000))
    }

    @Test("the operator's feed and a store that is exported are as if there were no such fault")
    func elsewhere() async throws {
        let store = try await TestStore()
        try await Self.disturb(store, .deliveredLate, count: nil)
        let id = try await Self.buy(store)
        var feed = store.console.events(after: Self.start).makeAsyncIterator()
        let found = try await Self.sales(1, of: &feed)
        #expect(found == [id])
        let export = try await store.engine.storeKitExport(for: "aoi")
        #expect(!String(decoding: export.bytes, as: UTF8.self).contains("deliveredLate"))
        #expect(export.omissions.contains { $0.found.contains("of next calls, feed or server") })
    }
}

/// Elapsed time that passes at once for whoever waits, and moves the store's clock.
private struct PassingClock: Clock {
    let system: ManualClock
    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        let left = (now.duration(to: deadline) / .milliseconds(1)).rounded(.up)
        system.advance(byMilliseconds: max(0, Int64(left)))
    }
}
