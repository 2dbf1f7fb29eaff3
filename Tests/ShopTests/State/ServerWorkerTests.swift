import Foundation
@testable import Shop
@testable import StoreModel
import Testing

/// The worker answers the effects of the server's screen, and moves the clock by way of the retries.
@Suite(.timeLimit(.minutes(10))) struct ServerWorkerTests {
    private struct Bench {
        let store = FakeStore()
        let server: FakeServer?
        let worker: ShopWorker
        private var actions: AsyncStream<ShopAction?>.Iterator

        init(_ server: FakeServer?) {
            self.server = server
            let (stream, posting) = AsyncStream.makeStream(of: ShopAction?.self)
            actions = stream.makeAsyncIterator()
            worker = ShopWorker(
                store: store, device: store, storeOperator: store, offerSigner: store,
                server: server, elapsed: ContinuousClock(), post: { posting.yield($0) },
                ended: { _ in posting.yield(nil) })
        }

        mutating func next() async -> ShopAction? {
            await actions.next(isolation: #isolation).flatMap { $0 }
        }

        /// All actions of one effect.
        mutating func perform(_ effect: ShopEffect) async -> [ShopAction] {
            worker.perform(effect)
            var found: [ShopAction] = []
            while let action = await next() { found.append(action) }
            return found
        }
    }

    private static func server(_ action: ShopAction?) -> ServerAction? {
        if case .component(let action)? = action { action as? ServerAction } else { nil }
    }

    @Test("all that the screen shows is read, and what has happened since is made first")
    func whole() async throws {
        var bench = Bench(FakeServer())
        let actions = await bench.perform(.readServer(isWhole: true))
        guard actions.count == 1,
            case .arrived(let snapshot, waiting: 2)? = Self.server(actions.first)
        else {
            Issue.record("\(actions)")
            return
        }
        // Two wait, and one of them because its receiver has failed.
        #expect(snapshot == SampleServer.snapshot)
        let calls = ["server", "derive", "outbox", "server", "count", "count"]
        #expect(bench.server?.fake.calls == calls)
    }

    @Test("a store that was never given an address makes no notifications when it is looked at")
    func nowhere() async throws {
        var bench = Bench(FakeServer([], nil))
        let actions = await bench.perform(.readServer(isWhole: true))
        guard case .arrived(let snapshot, waiting: 0)? = Self.server(actions.first) else {
            Issue.record("\(actions)")
            return
        }
        #expect(snapshot?.obstacle == .noAddress && snapshot?.settings == nil)
        #expect(bench.server?.fake.calls.contains("derive") == false)
    }

    @Test(
        "the header counts what waits once the receiver has failed, and reads nothing else",
        arguments: [
            ([SampleServer.waiting, SampleServer.failing, SampleServer.sent], 2),
            ([SampleServer.waiting, SampleServer.sent], 0), ([], 0),
        ] as [([OutboxItem], Int)])
    func counted(_ items: [OutboxItem], _ count: Int) async {
        var bench = Bench(FakeServer(items))
        let actions = await bench.perform(.readServer(isWhole: false))
        if case .arrived(nil, waiting: let found)? = Self.server(actions.first) {
            #expect(found == count)
        } else {
            Issue.record("\(actions)")
        }
        #expect(bench.server?.fake.calls.filter { $0 != "count" } == ["server"])
        var silent = Bench(FakeServer(items, nil))
        _ = await silent.perform(.readServer(isWhole: false))
        #expect(silent.server?.fake.calls == ["server"])
    }

    @Test("the requests are followed from when they are first shown, once")
    func wakes() async {
        var bench = Bench(FakeServer())
        _ = await bench.perform(.readServer(isWhole: false))
        #expect(bench.server?.calls.isEmpty == true)
        _ = await bench.perform(.readServer(isWhole: true))
        _ = await bench.perform(.readServer(isWhole: true))
        #expect(bench.server?.calls == ["requestWakes"])
        bench.server?.waking.yield()
        let action = await bench.next()
        if case .woke? = Self.server(action) { return }
        Issue.record("\(String(describing: action))")
    }

    @Test("the details are the decoded parts, and why they are not verified")
    func inspect() async {
        var bench = Bench(FakeServer())
        let actions = await bench.perform(.inspect(SampleServer.sent.notification))
        guard case .inspected(let details)? = Self.server(actions.first) else {
            Issue.record("\(actions)")
            return
        }
        #expect(details.notification == SampleServer.sent.notification)
        #expect(details.problem == .invalidSignature)
        let payload = details.payload.joined(separator: "\n")
        #expect(payload.contains("DID_RENEW"))
        #expect(!payload.contains("header.payload.signature"), "it is shown decoded")
        #expect(details.transaction.contains { $0.contains("book.two") })
        #expect(details.renewalInfo.isEmpty)
    }

    struct Change: Sendable {
        var change: ServerChange
        var call: String
        var item: OutboxItem?
    }

    @Test(
        "a change is recorded before anything is sent, and told at once",
        arguments: [
            Change(
                change: .resend(SampleServer.sent), call: "resend", item: SampleServer.sent),
            Change(change: .test, call: "test", item: SampleServer.unsent),
            Change(
                change: .send(to: "http://127.0.0.1:1/"), call: "send http://127.0.0.1:1/ here"),
            Change(change: .stop, call: "stop"),
        ])
    func changes(_ row: Change) async {
        var bench = Bench(FakeServer())
        let actions = await bench.perform(.changeServer(row.change))
        guard actions.count == 1, case .changed(let told, let found)? = Self.server(actions.first)
        else {
            Issue.record("\(actions)")
            return
        }
        #expect(told == row.change && found == row.item)
        #expect(bench.server?.fake.calls == [row.call])
        #expect(bench.server?.calls == (row.change == .stop ? [] : ["sendDue"]))
    }

    @Test("what fails is told")
    func failures() async {
        let error = StoreError(.storeBusy)
        var bench = Bench(FakeServer(failing: error))
        for isWhole in [false, true] {
            let actions = await bench.perform(.readServer(isWhole: isWhole))
            guard case .failed(.readServer(isWhole: isWhole), error)? = Self.server(actions.last)
            else {
                Issue.record("\(actions)")
                continue
            }
        }
        let sent = SampleServer.sent.notification
        let inspected = await bench.perform(.inspect(sent))
        if case .failed(.inspect(sent), error)? = Self.server(inspected.last) {
            #expect(inspected.count == 1)
        } else {
            Issue.record("\(inspected)")
        }
        let actions = await bench.perform(.changeServer(.test))
        if case .attemptFailed(error)? = actions.last { return }
        Issue.record("\(actions)")
    }

    @Test("the clock is moved through the retries; a wait is told, and what is left after the move")
    func clock() async {
        var bench = Bench(FakeServer(notTried: 2))
        let actions = await bench.perform(.perform(.clock(.advance(.seconds(60)))))
        #expect(bench.server?.calls == ["move"])
        #expect(!bench.store.calls.contains { $0.hasPrefix("perform") })
        let wait = NotificationWait(count: 2, address: SampleServer.address)
        guard actions.count == 4, case .clockWaits(wait)? = Self.server(actions[0]),
            case .operatorPerformed = actions[1],
            case .notTried(2, holder: .some("7"))? = Self.server(actions[2]),
            case .deviceChanged = actions[3]
        else {
            Issue.record("\(actions)")
            return
        }
        var quiet = Bench(FakeServer())
        #expect(await quiet.perform(.perform(.clock(.stop))).count == 2)
        // Other actions, and a shop without a server, ask the operator.
        _ = await quiet.perform(.perform(.clearFaults))
        #expect(quiet.server?.calls == ["move"])
        #expect(quiet.store.calls.contains { $0.hasPrefix("perform") })
        var alone = Bench(nil)
        _ = await alone.perform(.perform(.clock(.stop)))
        #expect(alone.store.calls.contains { $0.hasPrefix("perform") })
    }

    @Test("the server's part is read when the shop opens and after every commit")
    func commits() async throws {
        var bench = Bench(FakeServer())
        try await bench.worker.start()
        guard case .opened? = await bench.next(), case .woke? = Self.server(await bench.next())
        else {
            Issue.record("nothing is read at the start")
            return
        }
        // Entries of the outbox have no events.
        bench.store.feeding.yield(StoreEventBatch(events: [], cursor: FakeStore.cursor))
        let action = await bench.next()
        if case .woke? = Self.server(action) { return }
        Issue.record("\(String(describing: action))")
    }
}
