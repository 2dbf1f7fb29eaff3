package import StoreModel

/// How long a non-renewing subscription lasts. The store knows no end of it: the app reckons it from
/// the purchases (StoreKit: non-renewing subscriptions).
package enum TimedAccess {
    package struct Purchase: Hashable, Sendable {
        package var at: Timestamp
        package var quantity: Int

        package init(at: Timestamp, quantity: Int) {
            self.at = at
            self.quantity = quantity
        }
    }

    /// When access ends that these purchases gave. One made while access lasts adds to it; one made
    /// later begins anew. Nil where nothing was bought.
    package static func end(of purchases: [Purchase], period: SubscriptionPeriod) -> Timestamp? {
        var run: (start: Timestamp, end: Timestamp, count: Int)?
        for purchase in purchases.sorted(by: { $0.at < $1.at }) {
            var start = purchase.at
            var count = purchase.quantity
            if let run, purchase.at < run.end {
                start = run.start
                count += run.count
            }
            // By the calendar from the start of the run, so that no month is cut short by another.
            var whole = period
            whole.value *= count
            run = (start, whole.end(from: start), count)
        }
        return run?.end
    }
}
