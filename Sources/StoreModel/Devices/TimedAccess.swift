import Basics

/// How long a non-renewing subscription lasts. The store records no end; the app computes it from
/// the purchases (StoreKit: non-renewing subscriptions).
package enum TimedAccess {
    /// One purchase of a non-renewing subscription.
    package struct Purchase: Hashable, Sendable {
        /// In the store's time.
        package var at: Timestamp
        /// In periods.
        package var quantity: Int

        package init(at: Timestamp, quantity: Int) {
            self.at = at
            self.quantity = quantity
        }
    }

    /// Nil without purchases. A purchase before the end of the access extends it; a later one
    /// begins a new access. The order of `purchases` does not matter.
    package static func end(of purchases: [Purchase], period: SubscriptionPeriod) -> Timestamp? {
        var run: (start: Timestamp, end: Timestamp, count: Int)?
        for purchase in purchases.sorted(by: { $0.at < $1.at }) {
            var start = purchase.at
            var count = purchase.quantity
            if let run, purchase.at < run.end {
                start = run.start
                count = count.addingClamped(run.count)
            }
            // All periods are added to the start of the run at once. Added one by one, a short
            // month would move all later ends forward.
            var whole = period
            whole.value = whole.value.multipliedClamped(by: count)
            run = (start, whole.end(from: start), count)
        }
        return run?.end
    }
}
