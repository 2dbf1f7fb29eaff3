package import StoreModel

/// When subscription periods end. The rate changes how long a period is, never what time it is.
package enum RenewalSchedule {
    /// The end of the `count`-th period of a run (1 for the first), reckoned from its anchor and not
    /// from period to period: a monthly run of 31 January has its ends on 28 February and 31 March.
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
