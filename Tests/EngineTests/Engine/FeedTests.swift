import SQLiteLedger
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct FeedTests {
    private static let start = FeedCursor(epoch: 1, position: 0)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The ids of the next `count` sales in a feed, in order.
    private func sales(
        _ count: Int, of stream: StoreEventStream
    ) async throws -> [TransactionID] {
        var found: [TransactionID] = []
        for try await batch in stream {
            for event in batch.events {
                if case .sold(let issued) = event.change { found.append(issued.id) }
            }
            if found.count >= count { break }
        }
        return found
    }

    private func buy(_ count: Int, from store: TestStore) async throws -> [TransactionID] {
        var ids: [TransactionID] = []
        for _ in 0..<count {
            let outcome = try await store.session().purchase(.of(SampleCatalog.coins))
            ids.append(try #require(outcome.number))
        }
        return ids
    }

    @Test("every reader gets all events in order", arguments: LedgerKind.allCases)
    func everyReaderGetsEverythingInOrder(_ kind: LedgerKind) async throws {
        let store = try await TestStore(ledger: kind.make(in: folder))
        let session = store.session()
        async let first = sales(20, of: session.updates(after: Self.start))
        async let second = sales(20, of: session.updates(after: Self.start))
        async let console = sales(20, of: store.console.events(after: Self.start))
        let bought = try await buy(20, from: store)
        #expect(try await first == bought)
        #expect(try await second == bought)
        #expect(try await console == bought)
    }

    @Test("a thousand readers get a thousand sales each, in order")
    func aThousandReadersGetEverythingInOrder() async throws {
        let count = 1_000
        let store = try await TestStore()
        let session = store.session()
        try await withThrowingTaskGroup(of: [TransactionID].self) { group in
            for number in 0..<count {
                let stream =
                    number.isMultiple(of: 2)
                    ? session.updates(after: Self.start) : store.console.events(after: Self.start)
                group.addTask { try await sales(count, of: stream) }
            }
            // Purchases made at the same time share a commit, and so wake each reader once.
            for _ in 0..<(count / 100) {
                try await withThrowingTaskGroup { purchases in
                    for _ in 0..<100 {
                        purchases.addTask {
                            _ = try await session.purchase(.of(SampleCatalog.coins))
                        }
                    }
                    try await purchases.waitForAll()
                }
            }
            let sold = try await sales(count, of: session.updates(after: Self.start))
            #expect(sold == sold.sorted() && Set(sold).count == count)
            for try await seen in group { #expect(seen == sold) }
        }
    }

    @Test("a slow reader delays no other reader and loses nothing")
    func aSlowReaderDelaysNobodyAndLosesNothing() async throws {
        let store = try await TestStore()
        let session = store.session()
        var slow = session.updates(after: Self.start).makeAsyncIterator()
        _ = try await buy(1, from: store)
        var seen: [StoreEvent] = try await slow.next()?.events ?? []
        // More events than one page holds, while the slow reader does not read.
        let count = StoreLimits.feedPageMax + 20
        let bought = try await buy(count, from: store)
        let fast = try await sales(count, of: session.updates(after: Self.start))
        #expect(fast.suffix(count).elementsEqual(bought))
        while seen.last?.cursor.position != Int64(count + 4) {
            seen += try #require(try await slow.next()).events
        }
        let positions = seen.map(\.cursor.position)
        #expect(positions == Array(2...Int64(count + 4)), "all but the store's opening, once")
    }

    @Test("a reader resumes after its cursor")
    func aReaderGoesOnWhereItsCursorSays() async throws {
        let store = try await TestStore()
        let first = try await buy(3, from: store)
        let cursor = try await store.session().head()
        let second = try await buy(2, from: store)
        #expect(try await sales(2, of: store.session().updates(after: cursor)) == second)
        #expect(
            try await sales(5, of: store.session().updates(after: Self.start)) == first + second)
    }

    @Test("another account's events are not delivered")
    func whatConcernsAnotherAccountIsNotTold() async throws {
        let store = try await TestStore()
        _ = try await store.session(account: "kai").purchase(.of(SampleCatalog.coins))
        let own = try await buy(1, from: store)
        var events: [StoreEvent] = []
        for try await batch in store.session().updates(after: Self.start) {
            events += batch.events
            if batch.cursor == (try await store.session().head()) { break }
        }
        #expect(events.allSatisfy { $0.account == nil || $0.account == "aoi" })
        #expect(
            events.last.map { if case .sold(let issued) = $0.change { [issued.id] } else { [] } }
                == own)
    }

    @Test("a purchase's answer and its event carry the same signed text")
    func anAnswerAndItsEventCarryTheSameText() async throws {
        let store = try await TestStore()
        let outcome = try await store.session().purchase(.of(SampleCatalog.coins))
        guard case .purchased(let answered, _, _) = outcome else {
            Issue.record("not sold")
            return
        }
        for try await batch in store.session().updates(after: Self.start) {
            for event in batch.events {
                if event.kind == .sold {
                    #expect(event.issued?.signed == answered)
                    return
                }
            }
        }
    }

    @Test("a thousand subscribers see a thousand events, each once and in order")
    func aThousandSubscribers() async throws {
        let store = try await TestStore()
        let start = try await store.session().head()
        let products = [SampleCatalog.theme, SampleCatalog.coins, SampleCatalog.pass]
        let count = 1_000
        let expected = (0..<count).map { products[$0 % products.count] }
        func promote(_ products: some Sequence<ProductID>) async throws {
            for product in products {
                _ = try await store.console.perform(.promote(product, account: "aoi"))
            }
        }
        // Most events are recorded before the reader starts, the rest while it reads.
        try await promote(expected.prefix(950))
        try await withThrowingTaskGroup { group in
            for number in 0..<1_000 {
                let session = store.session(device: DeviceName("device\(number)"))
                group.addTask {
                    var seen: [ProductID] = []
                    var last = start.position
                    for try await batch in session.updates(after: start) {
                        for event in batch.events {
                            if event.cursor.position <= last { Issue.record("out of order") }
                            last = event.cursor.position
                            if case .promoted(let product) = event.change { seen.append(product) }
                        }
                        if seen.count >= count { break }
                    }
                    #expect(seen == expected)
                }
            }
            try await promote(expected.dropFirst(950))
            try await group.waitForAll()
        }
    }

    @Test("every change of the store is an event")
    func everyChangeOfTheStoreIsTold() async throws {
        let store = try await TestStore()
        let (session, console) = (store.session(), store.console)
        _ = try await console.changeAccount(
            "aoi", askToBuy: true, canMakePayments: nil, territory: nil)
        for answer in [true, false] {
            let payment = Payment.of(SampleCatalog.coins)
            let request = try #require(try await session.purchase(payment).number)
            if answer {
                _ = try await console.approve(request)
                _ = try await store.session(device: "tablet").claim(request)
                _ = try await store.session(device: "tablet").finish(request)
            } else {
                try await console.decline(request)
            }
        }
        for count in [1, 2, 1] {
            try await console.failNext(.purchase, error: .networkError, count: count)
        }
        _ = try await session.purchase(.of(SampleCatalog.theme))
        try await console.clearFaults()
        var reported: [String] = []
        for try await batch in session.updates(after: Self.start) {
            reported += batch.events.map { Self.name($0.change) }
            if batch.cursor == (try await session.head()) { break }
        }
        #expect(
            reported == [
                "catalog 1", "account", "deferred", "sold", "claimed by tablet", "finished",
                "deferred", "failed approvalDeclined", "fault 3 × 1", "fault 11 × 2",
                "fault 12 × 1", "no fault 3", "failed networkError", "no fault 11", "no fault 12",
            ])
    }

    private static func name(_ change: StoreEvent.Change) -> String {
        switch change {
        case .sold: "sold"
        case .deferred: "deferred"
        case .failed(_, let error, _): "failed \(error.code)"
        case .finished: "finished"
        case .claimed(_, let device): "claimed by \(device)"
        case .catalogRevised(let revision, _, _): "catalog \(revision)"
        case .accountChanged: "account"
        case .faultSet(let fault): "fault \(fault.id) × \(fault.remaining ?? 0)"
        case .faultCleared(let fault): "no fault \(fault.id)"
        case .revised(let revision): "\(revision.kind) \(revision.id)"
        case .deleted: "deleted"
        case .autoRenewChanged(_, _, let isOn, _): "auto-renew \(isOn)"
        case .subscriptionChanged(let event): "subscription \(event.kind)"
        case .clockSet: "clock"
        case .renewalsSet: "renewals"
        case .refundRequested(let request): "refund \(request.reason)"
        case .refundDeclined: "no refund"
        case .promoted(let product): "promoted \(product)"
        case .purchaseCancelled(let product): "cancelled \(product)"
        case .valueChanged(let change): "value \(change.key)"
        case .familyChanged(let change): "family of \(change.organizer)"
        case .serverSet(let settings): "server with \(settings.keys.count) keys"
        case .consumptionAnswered(let answer): "consumption of \(answer.transactionID)"
        case .extensionDone(let outcome): "extended \(outcome.succeeded)"
        case .unknown(let kind): "unknown \(kind)"
        }
    }

    @Test("a failing ledger ends the feed with its error")
    func aFailingLedgerEndsTheFeedWithItsError() async throws {
        let ledger = InMemoryLedger()
        _ = try await TestStore(ledger: ledger)
        // The first two calls of the ledger open the store; the third is the feed's.
        let faulty = FaultyLedger(ledger, failAt: 3, moment: .before)
        let store = try await TestStore(ledger: faulty)
        var feed = store.session().updates(after: Self.start).makeAsyncIterator()
        do {
            _ = try await feed.next()
            Issue.record("read in spite of it")
        } catch {
            #expect((error as? StoreError)?.code == .storeUnreadable)
        }
    }
}
