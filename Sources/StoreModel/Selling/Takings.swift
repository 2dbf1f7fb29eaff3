import Basics
package import Foundation

/// What the store has taken in, divided by day, product or territory. The sum of all parts is
/// `StoreOperator.takings`: deleted transactions count nowhere, a family's shares cost nothing.
package struct Takings: Sendable {
    /// By what sums are divided. The raw value is the word on the command line.
    package enum Division: String, Sendable, CaseIterable { case day, product, territory }

    /// One sum, with those of its properties by which sums are divided.
    package struct Part: Hashable, Sendable {
        /// The midnight at which the day begins: the day of a sale, or that of a refund.
        package var day: Timestamp?
        package var product: ProductID?
        /// In which it was sold (ISO 3166-1 alpha-3).
        package var territory: String?
        package var totals: SalesTotals

        package init(
            day: Timestamp? = nil, product: ProductID? = nil, territory: String? = nil,
            totals: SalesTotals
        ) {
            self.day = day
            self.product = product
            self.territory = territory
            self.totals = totals
        }

        /// The seller's part of sales less refunds. Negative if more was refunded than sold.
        package func proceeds(at rate: Share) -> Money {
            let net = totals.soldMilliunits.subtractingClamped(totals.refundedMilliunits)
            let part = rate.of(net < 0 ? Int64(0).subtractingClamped(net) : net)
            return Money(milliunits: net < 0 ? -part : part, currency: totals.currency)
        }
    }

    /// The events that `add` counts.
    package static let filter = HistoryFilter(
        kinds: [.sold, .refunded, .upgraded, .refundReversed, .deleted])

    private let divisions: Set<Division>
    private let calendar: Calendar
    /// By parts that count nothing yet.
    private var sums: [Part: SalesTotals] = [:]
    private var deleted: Set<TransactionID> = []

    /// - Parameter zone: that of the days.
    package init(by divisions: Set<Division>, in zone: TimeZone) {
        self.divisions = divisions
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        self.calendar = calendar
    }

    /// Pages of the history come from the newest to the oldest, so that the deletion of a
    /// transaction is known before its sale.
    package mutating func add(_ page: HistoryPage) {
        for event in page.events {
            switch event.change {
            case .deleted(let id, _, _): deleted.insert(id)
            case .sold(let sale) where sale.ownership == .purchased && !deleted.contains(sale.id):
                add(
                    SalesTotals(
                        currency: sale.price.currency, soldMilliunits: sale.price.milliunits,
                        sales: 1),
                    of: sale.productID, in: sale.storefront, at: event.happenedAt)
            case .revised(let revision) where !deleted.contains(revision.id):
                guard let returned = revision.returned else { continue }
                add(
                    SalesTotals(
                        currency: returned.currency, refundedMilliunits: returned.milliunits),
                    of: revision.productID, in: revision.sale?.storefront, at: event.happenedAt)
            default: continue
            }
        }
    }

    private mutating func add(
        _ change: SalesTotals, of product: ProductID, in territory: String?, at instant: Timestamp
    ) {
        let part = Part(
            day: divisions.contains(.day)
                ? Timestamp(calendar.startOfDay(for: instant.date)) : nil,
            product: divisions.contains(.product) ? product : nil,
            territory: divisions.contains(.territory) ? territory : nil,
            totals: SalesTotals(currency: change.currency))
        sums[part, default: part.totals].add(change)
    }

    /// In order of day, product, territory and currency.
    package var parts: [Part] {
        sums.map { part, totals in
            var part = part
            part.totals = totals
            return part
        }.sorted { left, right in
            let days = [left, right].map { $0.day ?? .earliest }
            guard days[0] == days[1] else { return days[0] < days[1] }
            let texts = [left, right].map {
                [$0.product?.rawValue ?? "", $0.territory ?? "", $0.totals.currency]
            }
            return texts[0].lexicographicallyPrecedes(texts[1])
        }
    }
}
