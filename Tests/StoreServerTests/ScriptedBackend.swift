import Foundation
import StoreEngine
import StoreModel
import StoreServer
import StoreSigning
import StoreTestSupport
import Synchronization

/// An app's backend inside the test: it answers as it is told, and keeps what it got.
final class ScriptedBackend: NotificationPoster {
    private struct State {
        var got: [UUID] = []
        var received: [NotificationPayload] = []
    }
    private let state = Mutex(State())
    private let result: Mutex<@Sendable (UUID) async -> SendAttemptResult>

    init(_ result: @escaping @Sendable (UUID) async -> SendAttemptResult = { _ in .success }) {
        self.result = Mutex(result)
    }

    func answer(_ result: @escaping @Sendable (UUID) async -> SendAttemptResult) {
        self.result.withLock { $0 = result }
    }

    /// Each request, in the order in which it arrived.
    var got: [UUID] { state.withLock { $0.got } }
    /// What it answered with success.
    var received: [NotificationPayload] { state.withLock { $0.received } }

    /// In the order in which each arrived first.
    var first: [UUID] {
        var seen: Set<UUID> = []
        return got.filter { seen.insert($0).inserted }
    }

    private struct Body: Decodable { var signedPayload: Signed<NotificationPayload> }

    func post(
        _ body: Data, to url: String, onSent: @escaping @Sendable () -> Void
    ) async -> PostOutcome {
        guard let signed = try? JSONDecoder().decode(Body.self, from: body).signedPayload,
            let payload = try? await TestStore.verifier().verify(signed)
        else {
            onSent()
            return PostOutcome(.other)
        }
        let id = payload.notificationUUID
        state.withLock { $0.got.append(id) }
        await Task.yield()
        onSent()
        let answer = result.withLock { $0 }
        let outcome = await answer(id)
        guard outcome == .success else { return PostOutcome(outcome) }
        state.withLock { $0.received.append(payload) }
        return PostOutcome(.success, status: 200)
    }
}

/// A store that sends to a scripted backend.
struct SendingStore {
    let store: TestStore
    let outbox: any OutboxStore
    let backend = ScriptedBackend()
    let folder: TemporaryFolder

    static let hour: Int64 = 3_600_000

    /// - Parameters:
    ///   - retries: whether failed notifications are sent again.
    ///   - hasOffers: whether the catalog has offers for subscribers.
    init(
        retries: Bool = true, on ledger: any Ledger = InMemoryLedger(),
        clock: ManualClock = .init(), hasOffers: Bool = false
    ) async throws {
        store = try await TestStore(
            ledger: ledger, clock: clock, elapsed: nil,
            catalog: hasOffers ? SampleCatalog.catalogWithOffers() : SampleCatalog.catalog())
        outbox = store.engine.outboxStore
        folder = try TemporaryFolder()
        _ = try await outbox.change(.send(to: "http://127.0.0.1:3000/apple", host: "here"))
        _ = try await outbox.change(.retryInSandbox(retries))
        _ = try await store.console.perform(.clock(.stop))
    }

    var sender: Sender { Sender(store: outbox, poster: backend, host: "here") }

    var walk: ClockWalk {
        ClockWalk(
            console: store.console, outbox: outbox, poster: backend, host: "here",
            folder: folder.path)
    }

    @discardableResult
    func buy(_ product: ProductID) async throws -> TransactionID? {
        try await store.session().purchase(.of(product)).number
    }

    func items() async throws -> [OutboxItem] {
        try await outbox.outbox(OutboxQuery(.oldest(after: nil), limit: .max)).items
    }

    func advance(hours: Int64) async throws -> ClockWalk.Outcome {
        try await walk.move(.advance(.seconds(hours * 3_600)))
    }
}
