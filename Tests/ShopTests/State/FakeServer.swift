import Foundation
@testable import Shop
@testable import StoreModel
import Synchronization

/// An outbox that notes its calls, and answers with what it was given or with an error.
final class FakeOutbox: OutboxStore {
    let identity = AppIdentity(bundleID: "lantern")
    let now = SampleShop.now
    private let items: [OutboxItem]
    private let settings: NotificationSettings?
    private let error: StoreError?
    private let called = Mutex<[String]>([])

    init(
        _ items: [OutboxItem], _ settings: NotificationSettings?, failing error: StoreError? = nil
    ) {
        self.items = items
        self.settings = settings
        self.error = error
    }

    var calls: [String] { called.withLock { $0 } }

    private func answer<Value>(_ value: Value, _ call: String) throws(StoreError) -> Value {
        called.withLock { $0.append(call) }
        if let error { throw error }
        return value
    }

    func server() async throws(StoreError) -> ServerSettings {
        var server = ServerSettings()
        server.notifications = settings
        return try answer(server, "server")
    }

    func change(_ change: NotificationsChange) async throws(StoreError) -> ServerSettings {
        let name =
            switch change {
            case .send(let url, let host): "send \(url) \(host)"
            case .stop: "stop"
            case .retryInSandbox: "retry"
            }
        return try answer(ServerSettings(), name)
    }

    func changes() -> AsyncStream<Void> { AsyncStream { $0.finish() } }
    func deriveNotifications() async throws(StoreError) -> Int { try answer(0, "derive") }

    func outbox(_ query: OutboxQuery) async throws(StoreError) -> OutboxPage {
        let isDue = if case .due = query.selection { true } else { false }
        let found = items.filter { item in
            (!isDue || item.next != nil)
                && (!query.isFailed || !item.attempts.isEmpty && !item.isReceived)
        }
        let page = OutboxPage(
            items: Array(found.prefix(query.limit)), through: nil, version: 1,
            count: query.counts ? found.count : 0)
        return try answer(page, query.limit == 0 ? "count" : "outbox")
    }

    func outboxDue() async throws(StoreError) -> (count: Int, next: Timestamp?) {
        try answer((count: 0, next: nil), "due")
    }

    func signed(
        _ notification: QueuedNotification, broken: VerificationError?
    ) throws(StoreError) -> Signed<NotificationPayload> {
        try answer(Signed(rawValue: "a.b.c"), "signed")
    }

    func record(_ attempts: [EndedAttempt]) async throws(StoreError) {
        try answer((), "record")
    }

    func resend(_ id: UUID) async throws(StoreError) -> OutboxItem? {
        try answer(items.first { $0.id == id }, "resend")
    }

    func postpone(_ id: UUID, byMilliseconds: Int64) async throws(StoreError) {
        try answer((), "postpone")
    }

    func terms() async throws(StoreError) -> (server: ServerSettings, fault: Fault?) {
        try answer((ServerSettings(), nil), "terms")
    }

    func spend(_ fault: Fault) async throws(StoreError) -> Bool { try answer(false, "spend") }

    func queueTest() async throws(StoreError) -> OutboxItem? {
        try answer(settings == nil ? nil : SampleServer.unsent, "test")
    }
}

/// The store's own server in tests of the worker.
final class FakeServer: ServerConsole {
    let fake: FakeOutbox
    private let notTried: Int
    private let error: StoreError?
    private let called = Mutex<[String]>([])
    let (wakes, waking) = AsyncStream.makeStream(of: Void.self)

    /// - Parameter notTried: how many notifications a move of the clock leaves.
    init(
        _ items: [OutboxItem] = SampleServer.snapshot.notifications,
        _ settings: NotificationSettings? = SampleServer.settings, notTried: Int = 0,
        failing error: StoreError? = nil
    ) {
        fake = FakeOutbox(items, settings, failing: error)
        self.notTried = notTried
        self.error = error
    }

    var outbox: any OutboxStore { fake }
    let host = "here"
    var calls: [String] { called.withLock { $0 } }

    private func note(_ call: String) { called.withLock { $0.append(call) } }

    func requests(limit: Int) -> [ServerRequest] { SampleServer.requests }

    func requestWakes() -> AsyncStream<Void>? {
        note("requestWakes")
        return wakes
    }

    func inspect(
        _ notification: QueuedNotification
    ) async throws(StoreError) -> (payload: NotificationPayload?, problem: VerificationError?) {
        if let error { throw error }
        let payload = notification.payload(
            fake.identity, version: "1", transaction: "header.payload.signature",
            renewalInfo: nil, appTransaction: nil)
        return (payload, .invalidSignature)
    }

    func sendDue() async throws(StoreError) {
        note("sendDue")
        if let error { throw error }
    }

    func move(
        _ action: ClockAction, onWait: @escaping @Sendable (NotificationWait) -> Void
    ) async throws(StoreError) -> (events: [StoreEvent], waiting: Int, holder: String?) {
        note("move")
        if let error { throw error }
        if notTried > 0 { onWait(NotificationWait(count: notTried, address: SampleServer.address)) }
        return ([], notTried, "7")
    }
}
