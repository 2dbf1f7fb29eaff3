import Foundation
import StoreEngine
import StoreModel
import StoreServer
import StoreTestSupport
import Synchronization
import TestBasics
import Testing

/// Sending notifications: in order, again after failures, and at least once after any failure of the
/// store.
@Suite("the sender of notifications", .timeLimit(.minutes(10))) struct SenderTests {
    private static let hour = SendingStore.hour

    @Test("notifications arrive in the order of their events, each once [G2]")
    func order() async throws {
        let shop = try await SendingStore()
        for _ in 0..<40 { try await shop.buy(SampleCatalog.coins) }
        try await shop.buy(SampleCatalog.monthly)
        try await shop.sender.sendDue()
        let items = try await shop.items()
        #expect(items.count == 41 && items.allSatisfy { $0.state == .sent })
        #expect(shop.backend.got == items.map(\.id))
        #expect(Set(shop.backend.received.map(\.notificationUUID)) == Set(items.map(\.id)))
        try await shop.sender.sendDue()
        #expect(shop.backend.got.count == 41, "nothing is sent twice")
    }

    @Test("more notifications than are read at once arrive in order, each once")
    func pages() async throws {
        let shop = try await SendingStore()
        for _ in 0..<530 { try await shop.buy(SampleCatalog.coins) }
        try await shop.sender.sendDue()
        let items = try await shop.items()
        #expect(items.count == 530 && items.allSatisfy { $0.state == .sent })
        #expect(shop.backend.got == items.map(\.id))
    }

    @Test("what was sent and could not be recorded is sent again, and nothing is skipped")
    func unrecorded() async throws {
        let ledger = FaultyLedger(InMemoryLedger())
        let shop = try await SendingStore(on: ledger)
        for _ in 0..<40 { try await shop.buy(SampleCatalog.coins) }
        _ = try await shop.outbox.deriveNotifications()
        ledger.refuseWrites(with: .storeFull)
        await #expect(throws: StoreError.self) { try await shop.sender.sendDue() }
        #expect(try await shop.items().allSatisfy { $0.attempts.isEmpty })
        let sent = shop.backend.got.count
        #expect(sent > 0)
        ledger.refuseWrites(with: nil)
        try await shop.sender.sendDue()
        let items = try await shop.items()
        #expect(items.allSatisfy { $0.attempts.map(\.result) == [.success] })
        #expect(shop.backend.first == items.map(\.id) && shop.backend.got.count == sent + 40)
    }

    @Test("a receiver that does not answer one notification gets the others")
    func slow() async throws {
        let shop = try await SendingStore()
        for _ in 0..<30 { try await shop.buy(SampleCatalog.coins) }
        _ = try await shop.outbox.deriveNotifications()
        let first = try #require(try await shop.items().first?.id)
        let received = ChangeSignal()
        let others = Mutex(0)
        shop.backend.answer { id in
            guard id == first else {
                others.withLock { $0 += 1 }
                received.notify()
                return .success
            }
            let wakes = received.subscribe()
            while others.withLock({ $0 }) < 29 { _ = await wakes.nextWake() }
            return .timedOut
        }
        try await shop.sender.sendDue()
        #expect(
            try await shop.items().map(\.state) == [.failing] + Array(repeating: .sent, count: 29))
    }

    @Test("a walk of the clock tries each notification again at its own time")
    func walk() async throws {
        let shop = try await SendingStore()
        shop.backend.answer { _ in .socketIssue }
        try await shop.buy(SampleCatalog.coins)
        let start = shop.outbox.now
        let down = try await shop.advance(hours: 40)
        #expect(down.waiting == 0)
        func hours() async throws -> [Int64] {
            try #require(try await shop.items().first).attempts.map {
                $0.at.milliseconds(since: start) / Self.hour
            }
        }
        #expect(try await hours() == [0, 1, 13, 37])
        shop.backend.answer { _ in .success }
        _ = try await shop.advance(hours: 24 * 7)
        #expect(try await hours() == [0, 1, 13, 37, 85])
        let item = try #require(try await shop.items().first)
        #expect(item.state == .sent && Set(shop.backend.got) == [item.id])
        #expect(
            try await shop.store.console.clock().now.milliseconds(since: start)
                == (40 + 24 * 7) * Self.hour)
    }

    @Test("after six attempts a notification is given up, and in the sandbox after one")
    func givenUp() async throws {
        for (retries, count) in [(true, 6), (false, 1)] {
            let shop = try await SendingStore(retries: retries)
            shop.backend.answer { _ in .unsuccessfulStatus }
            try await shop.buy(SampleCatalog.coins)
            _ = try await shop.advance(hours: 24 * 30)
            let item = try #require(try await shop.items().first)
            #expect(item.attempts.count == count && item.state == .failed)
            // A person may send it once more.
            shop.backend.answer { _ in .success }
            _ = try await shop.outbox.resend(item.id)
            try await shop.sender.sendDue()
            #expect(try await shop.items().first?.state == .sent)
            #expect(shop.backend.got.count == count + 1)
        }
    }

    @Test("the texts have the state of the time of each renewal, although the clock goes a year")
    func year() async throws {
        let shop = try await SendingStore()
        try await shop.buy(SampleCatalog.monthly)
        _ = try await shop.walk.move(
            .advance(.calendar(SubscriptionPeriod(unit: .year, value: 1))))
        let renewed = shop.backend.received.filter { $0.notificationType == .didRenew }
        #expect(renewed.count == 12 || renewed.count == 11)
        #expect(renewed.map(\.signedDate) == renewed.map(\.signedDate).sorted())
        let items = try await shop.items()
        #expect(items.allSatisfy { $0.attempts.first?.at == $0.notification.at })
        #expect(renewed.allSatisfy { $0.data?.status == .subscribed })
    }

    @Test("without an address, or with one of another host, nothing is sent and the clock jumps")
    func obstacles() async throws {
        let shop = try await SendingStore()
        let other = Sender(store: shop.outbox, poster: shop.backend, host: "there")
        try await shop.buy(SampleCatalog.coins)
        try await other.sendDue()
        #expect(try await shop.items().map(\.state) == [.waiting])
        _ = try await shop.outbox.change(.send(to: "http://127.0.0.1:1/", host: "there"))
        #expect(try await shop.advance(hours: 1).waiting == 1, "nobody sends, and it is said")
        _ = try await shop.outbox.change(.stop)
        try await shop.sender.sendDue()
        let outcome = try await shop.advance(hours: 1)
        #expect(outcome.events.map(\.kind) == [.clockSet] && shop.backend.got.isEmpty)
        try await shop.buy(SampleCatalog.coins)
        try await shop.sender.sendDue()
        #expect(try await shop.items().map(\.state) == [.waiting, .noAddress])
    }

    @Test("one sender of a store has the lease, and an advance of the clock waits for it")
    func lease() async throws {
        let shop = try await SendingStore()
        let lease = try #require(SenderLease(storeFolder: shop.folder.path))
        #expect(SenderLease(storeFolder: shop.folder.path) == nil)
        #expect(SenderLease.isHeld(storeFolder: shop.folder.path))
        lease.release()
        #expect(!SenderLease.isHeld(storeFolder: shop.folder.path))
        let sender = shop.sender
        let (outbox, path) = (shop.outbox, shop.folder.path)
        let running = Task { await sender.run(inStoreAt: path) { _ in } }
        try await shop.buy(SampleCatalog.coins)
        let wakes = outbox.changes()
        while try await shop.items().first?.state != .sent { _ = await wakes.nextWake() }
        shop.backend.answer { _ in .noResponse }
        try await shop.buy(SampleCatalog.theme)
        let outcome = try await shop.advance(hours: 24)
        #expect(outcome.waiting == 0)
        #expect(try await shop.items().last?.attempts.count == 3)
        running.cancel()
        await running.value
        #expect(!SenderLease.isHeld(storeFolder: path))
    }

    @Test(
        "a walk of the clock waits for a process that sends nothing once, and never for one that cannot"
    )
    func silence() async throws {
        for host in ["here", "there"] {
            let shop = try await SendingStore()
            let lease = try #require(SenderLease(storeFolder: shop.folder.path))
            _ = try await shop.outbox.change(.send(to: "http://127.0.0.1:1/", host: host))
            try await shop.buy(SampleCatalog.monthly)
            let start = shop.outbox.now
            var walk = shop.walk
            if host == "here" { walk.silenceMax = .milliseconds(10) }
            // Waiting at each of so many renewals would take longer than a test may.
            let outcome = try await walk.move(.advance(.seconds(24 * 3_600 * 3_000)))
            let count = try await shop.items().count
            #expect(outcome.waiting == count && count > 20)
            #expect(outcome.obstacle == (host == "here" ? nil : .otherHost))
            #expect(shop.backend.got.isEmpty)
            #expect(shop.outbox.now.milliseconds(since: start) == 24 * 3_000 * Self.hour)
            lease.release()
        }
    }

    @Test("a move of the clock that waits says once for how many notifications, and for whom")
    func wait() async throws {
        let shop = try await SendingStore()
        try await shop.buy(SampleCatalog.coins)
        try await shop.buy(SampleCatalog.theme)
        let told = Mutex<[NotificationWait]>([])
        let isTold = ChangeSignal()
        shop.backend.answer { _ in
            let wakes = isTold.subscribe()
            while told.withLock({ $0.isEmpty }) { _ = await wakes.nextWake() }
            return .noResponse
        }
        var walk = shop.walk
        walk.quietMax = .milliseconds(1)
        walk.onWait = { wait in
            told.withLock { $0.append(wait) }
            isTold.notify()
        }
        #expect(try await walk.move(.advance(.seconds(24 * 3_600))).waiting == 0)
        let expected = NotificationWait(count: 2, address: "http://127.0.0.1:3000/apple")
        #expect(told.withLock { $0 } == [expected])
    }

    @Test(
        "after the failure of any call of the ledger each notification arrives at least once",
        arguments: FaultyLedger.Moment.allCases)
    func failingSteps(_ moment: FaultyLedger.Moment) async throws {
        var failures = 0
        while true {
            let ledger = InMemoryLedger()
            let clock = ManualClock()
            let shop = try await SendingStore(on: ledger, clock: clock)
            for product in [SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.monthly] {
                try await shop.buy(product)
            }
            let faulty = FaultyLedger(ledger, failAt: failures + 1, moment: moment)
            do {
                let broken = try await TestStore(ledger: faulty, clock: clock, elapsed: nil)
                let sender = Sender(
                    store: broken.engine.outboxStore, poster: shop.backend, host: "here")
                try await sender.sendDue()
            } catch let error as StoreError {
                #expect(error.cause == "on purpose")
            }
            guard faulty.hasFired else { break }
            try await shop.sender.sendDue()
            let items = try await shop.items()
            #expect(items.count == 3 && items.allSatisfy { $0.state == .sent }, "\(failures)")
            #expect(shop.backend.first == items.map(\.id), "\(failures)")
            #expect(Set(shop.backend.received.map(\.notificationUUID)) == Set(items.map(\.id)))
            failures += 1
        }
        #expect(failures > 10)
    }

    static let seeds = Array(1...12 as ClosedRange<UInt64>)

    @Test(
        "nothing is lost with a receiver that fails and comes back, and senders that are killed",
        arguments: seeds)
    func simulation(_ seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let ledger = InMemoryLedger()
        let clock = ManualClock()
        let shop = try await SendingStore(on: ledger, clock: clock)
        let failures: [SendAttemptResult] = [.timedOut, .noResponse, .socketIssue, .prematureClose]
        for _ in 0..<30 {
            let down = random.chance(50) ? random.pick(failures) : .success
            shop.backend.answer { id in id.uuid.0.isMultiple(of: 5) ? .unsuccessfulStatus : down }
            switch random.below(5) {
            case 0: try await shop.buy(SampleCatalog.coins)
            case 1: try await shop.buy(SampleCatalog.monthly)
            case 2: _ = try await shop.advance(hours: Int64(random.below(60)))
            case 3:
                if let item = random.pick(try await shop.items().map(Optional.some) + [nil]) {
                    _ = try await shop.outbox.resend(item.id)
                }
            default:
                // A sender that is killed within its work.
                let faulty = FaultyLedger(
                    ledger, failAt: 4 + random.below(20), moment: random.pick([.before, .after]))
                let broken = try? await TestStore(ledger: faulty, clock: clock, elapsed: nil)
                guard let broken else { continue }
                try? await Sender(
                    store: broken.engine.outboxStore, poster: shop.backend, host: "here"
                ).sendDue()
            }
        }
        shop.backend.answer { _ in .success }
        _ = try await shop.advance(hours: 24 * 8)
        let items = try await shop.items()
        let received = Set(shop.backend.received.map(\.notificationUUID))
        for item in items {
            #expect(item.next == nil)
            // One that was received by a sender that was killed before it recorded so is sent again,
            // and those attempts may fail.
            #expect(!item.isReceived || received.contains(item.id))
            #expect(item.isReceived || item.attempts.count >= 6, "\(item)")
        }
        #expect(shop.backend.first == items.map(\.id), "first attempts are in order")
        #expect(try await ledger.allRows() == Projections(folding: ledger.allEntries()))
    }
}
