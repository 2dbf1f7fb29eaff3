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

    /// As a ledger answers a query.
    package func outboxPage(_ query: OutboxQuery, version: Int64) -> OutboxPage {
        let all = outbox.values.sorted { $0.ordinal < $1.ordinal }
        let found: [OutboxItem] =
            switch query.selection {
            case .one(let id): outbox[id].map { [$0] } ?? []
            case .due(let instant): Self.inOrderOfSending(all.filter { $0.isDue(by: instant) })
            case .waiting(let instant):
                Self.inOrderOfSending(all.filter { !$0.isDue(by: instant) })
            case .newest(let place):
                all.filter { $0.ordinal < place ?? .max && $0.fits(query) }.reversed()
            case .oldest(let place): all.filter { $0.ordinal > place ?? -1 && $0.fits(query) }
            }
        return OutboxPage(
            items: Array(found.prefix(query.limit)), through: outboxThrough, version: version,
            count: query.counts ? found.count : 0)
    }

    private static func inOrderOfSending(_ items: [OutboxItem]) -> [OutboxItem] {
        let waiting = items.compactMap { item in item.next.map { (next: $0, item: item) } }
        return waiting.sorted { ($0.next, $0.item.ordinal) < ($1.next, $1.item.ordinal) }
            .map { $0.item }
    }
}

extension OutboxItem {
    fileprivate func isDue(by instant: Timestamp) -> Bool { next.map { $0 <= instant } ?? false }

    fileprivate func fits(_ query: OutboxQuery) -> Bool {
        (query.type == nil || query.type == notification.kind.type)
            && (query.subtype == nil || query.subtype == notification.kind.subtype)
            && (query.account == nil || query.account == notification.account)
            && (query.since.map { notification.at >= $0 } ?? true)
            && (query.until.map { notification.at < $0 } ?? true)
            && (!query.isFailed || !attempts.isEmpty && !isReceived)
    }
}
