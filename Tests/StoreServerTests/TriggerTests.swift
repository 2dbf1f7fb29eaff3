import Foundation
import StoreEngine
import StoreModel
import StoreServer
import StoreTestSupport
import Synchronization
import Testing

/// Causing notifications, and forwarding them while one develops.
@Suite("trigger and listen", .timeLimit(.minutes(10))) struct TriggerTests {
    static let kinds = NotificationKind.all.filter { !$0.type.isNeverSent }

    private func trigger(
        _ kind: NotificationKind, in shop: SendingStore,
        _ say: @escaping (String) -> Void = { _ in }
    ) -> Trigger {
        Trigger(
            kind, console: shop.store.console, outbox: shop.outbox, walk: shop.walk,
            session: shop.store.session(account: "trigger-1", device: "phone"), say: say)
    }

    @Test(
        "each notification that the store can cause is caused, and sent as libraries read it [G2]",
        arguments: kinds)
    func each(_ kind: NotificationKind) async throws {
        let shop = try await SendingStore(hasOffers: true)
        let before = try await shop.store.console.clock().renewals
        var steps: [String] = []
        let item = try await trigger(kind, in: shop) { steps.append($0) }.run()
        #expect(item?.notification.kind == kind, "\(steps)")
        #expect(!steps.isEmpty && steps.allSatisfy { !$0.isEmpty })
        #expect(try await shop.store.console.clock().renewals == before)
        try await shop.sender.sendDue()
        #expect(
            shop.backend.received.contains {
                $0.notificationUUID == item?.id && $0.notificationType == kind.type
                    && $0.subtype == kind.subtype
            })
        for item in try await shop.items() {
            let problems = try NotificationShape.problems(
                of: try shop.outbox.signed(item.notification))
            #expect(problems.isEmpty, "\(item.notification.kind)")
        }
    }

    @Test("what the catalog lacks is told, and nothing is half done")
    func needs() async throws {
        let shop = try await SendingStore()
        await #expect(throws: TriggerNeed.offer) {
            _ = try await trigger(NotificationKind(.offerRedeemed), in: shop).run()
        }
        #expect(try await shop.items().isEmpty)
    }

    @Test("a listener forwards from now on, beside the store's address, what it is to forward")
    func listen() async throws {
        let shop = try await SendingStore()
        try await shop.buy(SampleCatalog.coins)
        _ = try await shop.outbox.deriveNotifications()
        let own = ScriptedBackend()
        let listener = Listener(
            outbox: shop.outbox, poster: own, address: "http://127.0.0.1:1/",
            names: ["REFUND", "SUBSCRIBED.INITIAL_BUY"])
        let (answers, answered) = AsyncStream.makeStream(of: Listener.Forwarded.self)
        let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            try await listener.run {
                isReady.finish()
            } onAnswer: {
                answered.yield($0)
            }
        }
        for await _ in ready {}
        let theme = try #require(try await shop.buy(SampleCatalog.theme))
        try await shop.buy(SampleCatalog.monthly)
        _ = try await shop.store.console.perform(.refund(theme, .rest, reason: .other))
        _ = try await shop.outbox.deriveNotifications()
        var kinds: [String] = []
        for await one in answers {
            kinds.append(one.notification.kind.description)
            #expect(one.outcome.result == .success)
            if kinds.count == 2 { break }
        }
        running.cancel()
        #expect(Set(kinds) == ["REFUND", "SUBSCRIBED.INITIAL_BUY"])
        #expect(shop.backend.got.isEmpty, "the store's own address is the sender's")
        #expect(try await shop.items().allSatisfy { $0.attempts.isEmpty })
    }

    @Test("a receiver that does not answer one notification gets the others from a listener")
    func slowReceiver() async throws {
        let shop = try await SendingStore()
        let own = ScriptedBackend()
        let (more, isMore) = AsyncStream.makeStream(of: Void.self)
        own.answer { id in
            guard id == own.got.first else { return .success }
            for await _ in more {}
            return .timedOut
        }
        let listener = Listener(
            outbox: shop.outbox, poster: own, address: "http://127.0.0.1:1/", names: [])
        let (answers, answered) = AsyncStream.makeStream(of: SendAttemptResult.self)
        let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            try await listener.run {
                isReady.finish()
            } onAnswer: {
                answered.yield($0.outcome.result)
            }
        }
        for await _ in ready {}
        for _ in 0..<(Sender.atOnce * 3) { try await shop.buy(SampleCatalog.coins) }
        _ = try await shop.outbox.deriveNotifications()
        var results: [SendAttemptResult] = []
        for await result in answers {
            results.append(result)
            if results.count == Sender.atOnce * 3 - 1 { isMore.finish() }
            if results.count == Sender.atOnce * 3 { break }
        }
        running.cancel()
        #expect(results.last == .timedOut && results.filter { $0 == .success }.count == 47)
    }
}
