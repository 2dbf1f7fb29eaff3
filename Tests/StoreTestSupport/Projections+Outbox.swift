import Foundation
package import StoreEngine
package import StoreModel

extension Projections {
    /// As a ledger answers a query.
    package func outboxPage(_ query: OutboxQuery, version: Int64) -> OutboxPage {
        let all = outbox.values.sorted { $0.ordinal < $1.ordinal }
        let found: [OutboxItem] =
            switch query.selection {
            case .one(let id): outbox[id].map { [$0] } ?? []
            case .due(let instant):
                Self.inOrderOfSending(
                    all.filter { $0.isDue(by: instant) && (!query.isFailed || $0.isFailed) })
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
            && (!query.isFailed || isFailed)
    }

    fileprivate var isFailed: Bool { !attempts.isEmpty && !isReceived }
}
