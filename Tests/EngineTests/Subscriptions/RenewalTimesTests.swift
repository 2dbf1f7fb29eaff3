@testable import StoreEngine
import StoreModel
import Testing

@Suite("the times of a renewal, by Xcode's table") struct RenewalTimesTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var rate: RenewalRate
        /// Seconds of a week, a month, two, three and six months, and a year.
        var periods: [Int64]
        /// Seconds of grace of a weekly subscription, and of any other.
        var grace: [Int64]
        /// Seconds of billing retry.
        var retry: Int64
        var testDescription: String { rate.name }
    }

    private static let rows: [Row] = [
        .init(
            rate: .monthlyRenewalEveryHour, periods: [900, 3_600, 7_200, 10_800, 21_600, 43_200],
            grace: [771, 1_800], retry: 7_200),
        .init(
            rate: .monthlyRenewalEveryThirtyMinutes,
            periods: [600, 1_800, 3_600, 5_400, 10_800, 21_600], grace: [514, 900], retry: 3_600),
        .init(
            rate: .monthlyRenewalEveryFifteenMinutes,
            periods: [300, 900, 1_800, 2_700, 5_400, 10_800], grace: [257, 450], retry: 1_800),
        .init(
            rate: .monthlyRenewalEveryFiveMinutes, periods: [180, 300, 600, 900, 1_800, 3_600],
            grace: [154, 150], retry: 600),
        .init(
            rate: .monthlyRenewalEveryThirtySeconds, periods: [10, 30, 60, 90, 180, 360],
            grace: [9, 15], retry: 60),
        flat(.oneRenewalEveryFifteenMinutes, 900), flat(.oneRenewalEveryFiveMinutes, 300),
        flat(.oneRenewalEveryMinute, 60), flat(.oneRenewalEveryThirtySeconds, 30),
        flat(.oneRenewalEveryTenSeconds, 10), flat(.oneRenewalEveryTwoSeconds, 2),
        days(.oneHourIsOneDay, 3_600), days(.thirtyMinutesIsOneDay, 1_800),
        days(.fiveMinutesIsOneDay, 300), days(.oneMinuteIsOneDay, 60),
        days(.thirtySecondsIsOneDay, 30), days(.oneSecondIsOneDay, 1),
    ]

    private static func flat(_ rate: RenewalRate, _ interval: Int64) -> Row {
        Row(
            rate: rate, periods: Array(repeating: interval, count: 6), grace: [interval, interval],
            retry: 2 * interval)
    }

    private static func days(_ rate: RenewalRate, _ day: Int64) -> Row {
        Row(
            rate: rate, periods: [7, 30, 60, 90, 180, 365].map { $0 * day },
            grace: [6 * day, 16 * day], retry: 60 * day)
    }

    private static let week = SubscriptionPeriod(unit: .week, value: 1)
    private static let month = SubscriptionPeriod(unit: .month, value: 1)
    private static let lengths = [
        week, month, .init(unit: .month, value: 2), .init(unit: .month, value: 3),
        .init(unit: .month, value: 6), .init(unit: .year, value: 1),
    ]

    @Test("periods, grace and billing retry last as long as in Xcode [D7]", arguments: rows)
    func table(row: Row) {
        #expect(Self.lengths.map { row.rate.seconds(of: $0) } == row.periods)
        #expect(
            [Self.week, Self.month].map { row.rate.graceMilliseconds(of: $0) }
                == row.grace.map { $0 * 1_000 })
        #expect(row.rate.retryMilliseconds(of: Self.month) == row.retry * 1_000)
    }

    @Test("every rate but real time is in the table")
    func complete() {
        #expect(Set(Self.rows.map(\.rate)) == Set(RenewalRate.allCases).subtracting([.realTime]))
    }

    @Test(
        "in real time grace is 6 days of a weekly subscription and 16 of any other, and retry 60",
        arguments: [
            (SubscriptionPeriod(unit: .day, value: 3), 6), (.init(unit: .day, value: 7), 6),
            (.init(unit: .week, value: 1), 6), (.init(unit: .day, value: 8), 16),
            (.init(unit: .week, value: 2), 16), (.init(unit: .month, value: 1), 16),
            (.init(unit: .year, value: 1), 16),
        ] as [(SubscriptionPeriod, Int64)])
    func realTime(period: SubscriptionPeriod, days: Int64) {
        #expect(RenewalRate.realTime.graceMilliseconds(of: period) == days * Self.day)
        #expect(RenewalRate.realTime.retryMilliseconds(of: period) == 60 * Self.day)
    }

    private static let day: Int64 = 86_400_000
    private static let start = Timestamp(milliseconds: 1_800_000_000_000)

    @Test(
        "the store charges a day before the end, scaled, and never before half of the period",
        arguments: [
            (RenewalRate.realTime, SubscriptionPeriod(unit: .month, value: 1), day),
            (.realTime, .init(unit: .day, value: 1), day / 2),
            (.monthlyRenewalEveryHour, .init(unit: .month, value: 1), 120_000),
            (.oneSecondIsOneDay, .init(unit: .week, value: 1), 1_000),
            (.oneRenewalEveryTwoSeconds, .init(unit: .year, value: 1), 66),
        ] as [(RenewalRate, SubscriptionPeriod, Int64)])
    func firstAttempt(rate: RenewalRate, period: SubscriptionPeriod, before: Int64) {
        let end = RenewalSchedule.end(ofPeriod: 1, of: period, from: Self.start, rate: rate)
        let attempt = RenewalSchedule.firstAttempt(
            from: Self.start, to: end, of: period, rate: rate)
        #expect(end.milliseconds - attempt.milliseconds == before)
        let check = RenewalSchedule.check(from: Self.start, to: end, of: period, rate: rate)
        #expect(check >= Self.start && check <= attempt)
    }

    @Test("after a failure the store charges at the end, after 1, 2, 4, … days, and last after 60")
    func attempts() {
        let end = Self.start
        var issue = BillingIssue(
            since: end.advanced(byMilliseconds: -Self.day),
            retryUntil: end.advanced(byMilliseconds: 60 * Self.day))
        issue.graceUntil = end.advanced(byMilliseconds: 6 * Self.day)
        var days: [Int64] = []
        var now = issue.since
        while let next = RenewalSchedule.nextAttempt(
            after: now, end: end, issue: issue, of: Self.week, rate: .realTime)
        {
            days.append((next.milliseconds - end.milliseconds) / Self.day)
            now = next
        }
        #expect(days == [0, 1, 2, 4, 6, 8, 16, 32, 60])
    }
}
