#if os(Linux)
import StoreModel

extension SKTestSession {
    /// How quickly the periods of subscriptions pass. The numbers are Apple's.
    @nonexhaustive public enum TimeRate: Int, Sendable {
        /// As in a calendar.
        case realTime = 0
        /// An hour for each day.
        @available(*, deprecated, renamed: "monthlyRenewalEveryHour")
        case oneHourIsOneDay = 1
        /// Half an hour for each day.
        @available(*, deprecated, renamed: "monthlyRenewalEveryHour")
        case thirtyMinutesIsOneDay = 2
        /// Five minutes for each day.
        @available(*, deprecated, renamed: "monthlyRenewalEveryHour")
        case fiveMinutesIsOneDay = 3
        /// A minute for each day.
        @available(*, deprecated, renamed: "monthlyRenewalEveryThirtyMinutes")
        case oneMinuteIsOneDay = 4
        /// Half a minute for each day.
        @available(*, deprecated, renamed: "monthlyRenewalEveryFifteenMinutes")
        case thirtySecondsIsOneDay = 5
        /// A second for each day.
        @available(*, deprecated, renamed: "monthlyRenewalEveryThirtySeconds")
        case oneSecondIsOneDay = 6
        /// A month in an hour, other periods in proportion.
        case monthlyRenewalEveryHour = 10
        /// A month in half an hour, other periods in proportion.
        case monthlyRenewalEveryThirtyMinutes = 11
        /// A month in a quarter of an hour, other periods in proportion.
        case monthlyRenewalEveryFifteenMinutes = 12
        /// A month in five minutes, other periods in proportion.
        case monthlyRenewalEveryFiveMinutes = 13
        /// A month in half a minute, other periods in proportion.
        case monthlyRenewalEveryThirtySeconds = 15
        /// Every period in a quarter of an hour.
        case oneRenewalEveryFifteenMinutes = 1000
        /// Every period in five minutes.
        case oneRenewalEveryFiveMinutes = 1001
        /// Every period in a minute.
        case oneRenewalEveryMinute = 1002
        /// Every period in half a minute.
        case oneRenewalEveryThirtySeconds = 1003
        /// Every period in ten seconds.
        case oneRenewalEveryTenSeconds = 1004
        /// Every period in two seconds.
        case oneRenewalEveryTwoSeconds = 1005

        /// The numbers are the same.
        init(_ rate: RenewalRate) { self = Self(rawValue: rate.rawValue) ?? .realTime }

        var inStore: RenewalRate { RenewalRate(rawValue: rawValue) ?? .realTime }
    }
}
#endif
