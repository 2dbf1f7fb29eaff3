package import StoreModel

/// When subscription periods end. The rate changes the length of a period, never the store's clock.
package enum RenewalSchedule {
    /// The end of the `count`-th period of a run (1 for the first), reckoned from the anchor and
    /// not from the end before it: a monthly run from 31 January has its ends on 28 February and 31
    /// March. At an accelerated rate (Xcode: `_timeRate`) a period is a fixed number of seconds.
    package static func end(
        ofPeriod count: Int, of period: SubscriptionPeriod, from anchor: Timestamp,
        rate: RenewalRate
    ) -> Timestamp {
        if let seconds = rate.seconds(of: period) {
            return anchor.advanced(byMilliseconds: seconds * 1_000 * Int64(count))
        }
        var whole = period
        whole.value *= count
        return whole.end(from: anchor)
    }
}
