import Foundation
package import StoreModel

/// A change of the outbox. Entries with it belong to a stream of their own: sending depends on no
/// sale, and no sale on sending.
package enum OutboxFact: Codable, Hashable, Sendable {
    /// Notifications were made, in order. `through` is the position up to which the store's entries
    /// have been told; nil for a notification that tells of no entry.
    case queued([QueuedNotification], through: Int64?)
    /// An attempt was made, or is to be made again.
    case progressed(OutboxProgress)
}

/// How far the store has come with a notification, without the notification.
package struct OutboxProgressRow: Hashable, Sendable {
    package var progress: OutboxProgress
    /// The position of the entry that changed it last, or has the notification.
    package var changedAt: Int64

    package init(_ progress: OutboxProgress, changedAt: Int64) {
        self.progress = progress
        self.changedAt = changedAt
    }
}

extension Projections {
    mutating func apply(_ fact: OutboxFact, at position: Int64) {
        switch fact {
        case .queued(let notifications, let through):
            for (index, notification) in notifications.enumerated() {
                outbox[notification.id] = OutboxItem(
                    ordinal: OutboxItem.ordinal(position, index), notification,
                    changedAt: position)
            }
            outboxThrough = through ?? outboxThrough
        case .progressed(let progress):
            outbox[progress.id]?.attempts = progress.attempts
            outbox[progress.id]?.next = progress.next
            outbox[progress.id]?.changedAt = position
        }
    }
}
