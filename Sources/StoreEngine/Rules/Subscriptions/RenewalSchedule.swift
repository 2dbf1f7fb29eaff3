import Basics
package import StoreModel

/// When subscription periods end, and when the store tries to charge for the next one. The renewal
/// rate changes the length of periods, not the store's clock.
package enum RenewalSchedule {
    /// The end of the `count`-th period of a run (1 for the first), computed from the anchor and
    /// not from the previous end: a monthly run from 31 January ends on 28 February and 31 March.
    /// At an accelerated rate (Xcode: `_timeRate`) a period is a fixed number of seconds. If no
    /// date can express an end, it is the last end that a date can express.
    package static func end(
        ofPeriod count: Int, of period: SubscriptionPeriod, from anchor: Timestamp,
        rate: RenewalRate
    ) -> Timestamp {
        if let seconds = rate.seconds(of: period) {
            let length = seconds.multipliedClamped(by: 1_000).multipliedClamped(by: Int64(count))
            return anchor.advanced(byMilliseconds: length)
        }
        var whole = period
        whole.value = period.value.multipliedClamped(by: count)
        return whole.end(from: anchor)
    }

    /// When the store first tries to charge for the next period: 24 hours before the end in real
    /// time, proportionally less at an accelerated rate, and never before half of the period is
    /// over. A successful renewal is recorded at this time; its period begins at the end of the
    /// present one.
    package static func firstAttempt(
        from begin: Timestamp, to end: Timestamp, of period: SubscriptionPeriod, rate: RenewalRate
    ) -> Timestamp {
        let half = max(0, end.milliseconds(since: begin) / 2)
        return end.advanced(byMilliseconds: -min(rate.dayMilliseconds(of: period), half))
    }

    /// When the store starts to check for problems that would prevent a renewal: 10 days before the
    /// end in real time, and never before the period begins.
    package static func check(
        from begin: Timestamp, to end: Timestamp, of period: SubscriptionPeriod, rate: RenewalRate
    ) -> Timestamp {
        max(begin, end.advanced(byMilliseconds: -10 * rate.dayMilliseconds(of: period)))
    }

    /// When the store tries to charge again after a failure: when the period ends; then 1, 2, 4, 8,
    /// 16 and 32 days later; when the grace period ends; and when billing retry ends. Nil after
    /// that. The days are scaled with the rate.
    package static func nextAttempt(
        after instant: Timestamp, end: Timestamp, issue: BillingIssue,
        of period: SubscriptionPeriod, rate: RenewalRate
    ) -> Timestamp? {
        let day = rate.dayMilliseconds(of: period)
        let attempts =
            [end, issue.graceUntil, issue.retryUntil].compactMap { $0 }
            + [1, 2, 4, 8, 16, 32].map { end.advanced(byMilliseconds: $0 * day) }
        return attempts.filter { $0 > instant && $0 <= issue.retryUntil }.min()
    }
}
