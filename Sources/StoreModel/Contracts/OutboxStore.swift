package import Foundation

/// The notifications that a store has to send to an app's backend (App Store Server Notifications),
/// as a sender sees them. Every call may throw the errors named at `Store`.
package protocol OutboxStore: Sendable {
    /// The app and environment.
    var identity: AppIdentity { get }
    /// The store's time.
    var now: Timestamp { get }

    /// With the address, as of the last commit of any process.
    func server() async throws(StoreError) -> ServerSettings

    /// Changes where notifications go, and returns the settings from then on.
    ///
    /// - Throws: `contentServerFailed` with `addressRefused` for an address that the store does not
    ///   send to.
    func change(_ change: NotificationsChange) async throws(StoreError) -> ServerSettings

    /// Wakes after every commit of any process; the first wake comes at once.
    func changes() -> AsyncStream<Void>

    /// Makes the notifications of what has happened since the last call of any process, in order.
    ///
    /// - Returns: how many it made.
    func deriveNotifications() async throws(StoreError) -> Int

    /// Notifications, as of one commit; read by index.
    func outbox(_ query: OutboxQuery) async throws(StoreError) -> OutboxPage

    /// How many are due by now, and when the next one is due that is not; nil for none.
    func outboxDue() async throws(StoreError) -> (count: Int, next: Timestamp?)

    /// A notification as it is sent: its parts are signed now.
    ///
    /// - Parameter broken: how its verification is to fail, of certificates, app and environment;
    ///   nil for a valid text.
    func signed(
        _ notification: QueuedNotification, broken: VerificationError?
    ) throws(StoreError) -> Signed<NotificationPayload>

    /// Records attempts, each of another notification, all of them or none, and when the next ones
    /// follow. An attempt that was begun before a person asked to send the notification again does
    /// not end that.
    func record(_ attempts: [EndedAttempt]) async throws(StoreError)

    /// Makes a notification due now. Nil if there is none with this number.
    func resend(_ id: UUID) async throws(StoreError) -> OutboxItem?

    /// Makes a notification due later, in store time from now.
    func postpone(_ id: UUID, byMilliseconds: Int64) async throws(StoreError)

    /// On what the next attempt depends, as of the last commit of any process: the address, and the
    /// fault that it meets, set on purpose; nil if none is in force. One whose time is over is
    /// removed.
    func terms() async throws(StoreError) -> (server: ServerSettings, fault: Fault?)

    /// Uses up one attempt of a fault; false if another has done so first.
    func spend(_ fault: Fault) async throws(StoreError) -> Bool

    /// Puts a notification of type `TEST` into the outbox. Nil while there is no address.
    func queueTest() async throws(StoreError) -> OutboxItem?
}

extension OutboxStore {
    /// A notification by its number (`notificationUUID`); nil if there is none.
    package func item(_ id: UUID) async throws(StoreError) -> OutboxItem? {
        try await outbox(OutboxQuery(.one(id), limit: 1)).items.first
    }

    /// The newest notifications first, and the settings of the server. In a store that tells a
    /// backend, those of the latest events are made before, so that they are among them.
    ///
    /// - Parameter narrow: sets the query's filters.
    package func latest(
        limit: Int, _ narrow: (inout OutboxQuery) -> Void = { _ in }
    ) async throws(StoreError) -> (items: [OutboxItem], settings: ServerSettings) {
        let settings = try await server()
        if settings.notifications != nil { _ = try? await deriveNotifications() }
        var query = OutboxQuery(.newest(before: nil), limit: limit)
        narrow(&query)
        return (try await outbox(query).items, settings)
    }

    package func signed(
        _ notification: QueuedNotification
    ) throws(StoreError) -> Signed<NotificationPayload> {
        try signed(notification, broken: nil)
    }
}

/// Sends a notification to an app's backend, once.
package protocol NotificationPoster: Sendable {
    /// Never throws: a failure is a result.
    ///
    /// - Parameters:
    ///   - body: JSON.
    ///   - onSent: called once, when the request has been written or there will be none. The next
    ///     notification may be sent then: it cannot arrive earlier.
    func post(
        _ body: Data, to url: String, onSent: @escaping @Sendable () -> Void
    ) async -> PostOutcome
}

/// The result of a request to an app's backend.
package struct PostOutcome: Hashable, Sendable {
    package var result: SendAttemptResult
    /// Nil without an answer.
    package var status: Int?

    package init(_ result: SendAttemptResult, status: Int? = nil) {
        self.result = result
        self.status = status
    }
}
