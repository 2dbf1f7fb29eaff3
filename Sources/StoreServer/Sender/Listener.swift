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
        var place = newest.items.first?.ordinal
        onListening()
        while await changes.nextWake() {
            while true {
                let items = try await outbox.outbox(
                    OutboxQuery(.oldest(after: place), limit: Sender.atOnce)
                ).items
                guard let last = items.last else { break }
                place = last.ordinal
                try await forward(items.map(\.notification).filter(isWanted), onAnswer)
            }
        }
    }

    private func isWanted(_ notification: QueuedNotification) -> Bool {
        names.isEmpty || names.contains(notification.kind.description)
            || names.contains(notification.kind.type.rawValue)
    }

    private func forward(
        _ notifications: [QueuedNotification], _ onAnswer: @escaping @Sendable (Forwarded) -> Void
    ) async throws(StoreError) {
        var bodies: [(QueuedNotification, Data)] = []
        for notification in notifications {
            bodies.append((notification, try outbox.body(of: notification)))
        }
        await withTaskGroup(of: Void.self) { group in
            for (notification, body) in bodies {
                // Ends when the request was written, so that the next one cannot overtake it.
                let (sent, sending) = AsyncStream.makeStream(of: Void.self)
                group.addTask {
                    let watch = Stopwatch(ContinuousClock())
                    let outcome = await poster.post(body, to: address) { sending.finish() }
                    onAnswer(
                        Forwarded(
                            notification: notification, outcome: outcome,
                            milliseconds: Int(watch.elapsed / .milliseconds(1))))
                }
                for await _ in sent {}
            }
        }
    }
}
