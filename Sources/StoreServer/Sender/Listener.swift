import Basics
import Foundation
package import StoreModel

/// Forwards a store's notifications to an address of its own process, beside the store's address
/// and without a trace in the store.
package struct Listener: Sendable {
    private let outbox: any OutboxStore
    private let poster: any NotificationPoster
    private let address: String
    /// Names of types, and of types with subtypes; all if empty.
    private let names: Set<String>

    /// - Parameter names: such as `REFUND` or `EXPIRED.VOLUNTARY`; all notifications if empty.
    package init(
        outbox: any OutboxStore, poster: any NotificationPoster, address: String,
        names: Set<String>
    ) {
        self.outbox = outbox
        self.poster = poster
        self.address = address
        self.names = names
    }

    /// What became of a notification that was forwarded.
    package struct Forwarded: Sendable {
        package var notification: QueuedNotification
        package var outcome: PostOutcome
        package var milliseconds: Int
    }

    /// Forwards what is queued from now on, several at a time, each begun in order, until the task
    /// is cancelled.
    ///
    /// - Parameters:
    ///   - onListening: called once no later notification can be missed.
    ///   - onAnswer: called for each.
    package func run(
        onListening: () -> Void, onAnswer: @escaping @Sendable (Forwarded) -> Void
    ) async throws(StoreError) {
        let changes = outbox.changes()
        let newest = try await outbox.outbox(OutboxQuery(.newest(before: nil), limit: 1))
        let start = newest.items.first?.ordinal
        onListening()
        let failure = await withTaskGroup(of: Void.self) { group -> StoreError? in
            var place = start
            var underWay = 0
            do throws(StoreError) {
                while await changes.nextWake() {
                    while let item = try await first(after: place) {
                        place = item.ordinal
                        guard isWanted(item.notification) else { continue }
                        let body = try outbox.body(of: item.notification)
                        if underWay == Sender.atOnce {
                            _ = await group.next()
                            underWay -= 1
                        }
                        underWay += 1
                        // Ends when the request was written, so that the next cannot overtake it.
                        let (sent, sending) = AsyncStream.makeStream(of: Void.self)
                        group.addTask {
                            onAnswer(await forward(item.notification, body) { sending.finish() })
                        }
                        for await _ in sent {}
                    }
                }
            } catch { return error }
            return nil
        }
        if let failure { throw failure }
    }

    private func first(after place: Int64?) async throws(StoreError) -> OutboxItem? {
        try await outbox.outbox(OutboxQuery(.oldest(after: place), limit: 1)).items.first
    }

    private func isWanted(_ notification: QueuedNotification) -> Bool {
        names.isEmpty || names.contains(notification.kind.description)
            || names.contains(notification.kind.type.rawValue)
    }

    private func forward(
        _ notification: QueuedNotification, _ body: Data, onSent: @escaping @Sendable () -> Void
    ) async -> Forwarded {
        let watch = Stopwatch(ContinuousClock())
        let outcome = await poster.post(body, to: address, onSent: onSent)
        return Forwarded(
            notification: notification, outcome: outcome,
            milliseconds: Int(watch.elapsed / .milliseconds(1)))
    }
}
