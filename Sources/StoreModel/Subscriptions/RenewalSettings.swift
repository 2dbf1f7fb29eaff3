import Basics

/// The settings by which subscriptions renew in a store. Recorded in the ledger, so that all
/// processes and devices use the same.
package struct RenewalSettings: Codable, Hashable, Sendable {
    /// How quickly periods pass, for runs that begin from now on.
    package var rate = RenewalRate.realTime
    /// After this many renewals without a break a subscription ends, as if auto-renew were off. Nil
    /// for the rate's own limit (`RenewalRate.standardLimit`).
    package var limit: Int?
    /// Whether subscriptions renew without end, also at an accelerated rate. `limit` is nil then.
    package var isEndless = false
    /// After this many renewals within 24 hours of the store's time a subscription ends. Nil for
    /// any number.
    package var limitPerDay: Int?
    /// Whether charging for a renewal fails (StoreKit Test: `shouldEnterBillingRetryOnRenewal`).
    package var failsBilling = false
    /// Whether access continues for a while after a failed renewal (StoreKit Test:
    /// `billingGracePeriodIsEnabled`).
    package var hasGracePeriod = false

    /// Of one run; nil for no limit.
    package var renewalsMax: Int? { isEndless ? nil : limit ?? rate.standardLimit }

    /// Of a new store: real time, no limit, payments succeed, no grace period.
    package static let standard = RenewalSettings()
}

/// How quickly subscription periods pass. The raw value is Xcode's (`_timeRate`,
/// `SKTestSession.TimeRate`). It changes the length of periods, not the store's clock.
package enum RenewalRate: Int, Codable, Sendable, CaseIterable {
    case realTime = 0
    case oneHourIsOneDay = 1
    case thirtyMinutesIsOneDay = 2
    case fiveMinutesIsOneDay = 3
    case oneMinuteIsOneDay = 4
    case thirtySecondsIsOneDay = 5
    case oneSecondIsOneDay = 6
    case monthlyRenewalEveryHour = 10
    case monthlyRenewalEveryThirtyMinutes = 11
    case monthlyRenewalEveryFifteenMinutes = 12
    case monthlyRenewalEveryFiveMinutes = 13
    case monthlyRenewalEveryThirtySeconds = 15
    case oneRenewalEveryFifteenMinutes = 1000
    case oneRenewalEveryFiveMinutes = 1001
    case oneRenewalEveryMinute = 1002
    case oneRenewalEveryThirtySeconds = 1003
    case oneRenewalEveryTenSeconds = 1004
    case oneRenewalEveryTwoSeconds = 1005

    /// By its name or Xcode's number.
    package init?(_ text: String) {
        let found = Self.allCases.first { $0.name == text || String($0.rawValue) == text }
        guard let found else { return nil }
        self = found
    }

    /// The case's name, as `init(_:)` reads it. Written out, because every start of the program
    /// makes the help that lists the rates, and Swift's own description of a case searches all
    /// conformances of the program (96 of 290 such searches at a start).
    package var name: String {
        switch self {
        case .realTime: "realTime"
        case .oneHourIsOneDay: "oneHourIsOneDay"
        case .thirtyMinutesIsOneDay: "thirtyMinutesIsOneDay"
        case .fiveMinutesIsOneDay: "fiveMinutesIsOneDay"
        case .oneMinuteIsOneDay: "oneMinuteIsOneDay"
        case .thirtySecondsIsOneDay: "thirtySecondsIsOneDay"
        case .oneSecondIsOneDay: "oneSecondIsOneDay"
        case .monthlyRenewalEveryHour: "monthlyRenewalEveryHour"
        case .monthlyRenewalEveryThirtyMinutes: "monthlyRenewalEveryThirtyMinutes"
        case .monthlyRenewalEveryFifteenMinutes: "monthlyRenewalEveryFifteenMinutes"
        case .monthlyRenewalEveryFiveMinutes: "monthlyRenewalEveryFiveMinutes"
        case .monthlyRenewalEveryThirtySeconds: "monthlyRenewalEveryThirtySeconds"
        case .oneRenewalEveryFifteenMinutes: "oneRenewalEveryFifteenMinutes"
        case .oneRenewalEveryFiveMinutes: "oneRenewalEveryFiveMinutes"
        case .oneRenewalEveryMinute: "oneRenewalEveryMinute"
        case .oneRenewalEveryThirtySeconds: "oneRenewalEveryThirtySeconds"
        case .oneRenewalEveryTenSeconds: "oneRenewalEveryTenSeconds"
        case .oneRenewalEveryTwoSeconds: "oneRenewalEveryTwoSeconds"
        }
    }

    /// The limit that applies if the settings have none: 12 for accelerated rates, as subscriptions
    /// would otherwise renew for ever; nil (no limit) in real time.
    package var standardLimit: Int? { self == .realTime ? nil : 12 }

    /// What the rate makes of a period, in seconds: Xcode's table.
    package enum Pace: Hashable, Sendable {
        /// The calendar decides.
        case realTime
        case day(Int64)
        case month(Int64, week: Int64)
        /// Of every period, however long.
        case period(Int64)
    }

    package var pace: Pace {
        switch self {
        case .realTime: .realTime
        case .oneHourIsOneDay: .day(3_600)
        case .thirtyMinutesIsOneDay: .day(1_800)
        case .fiveMinutesIsOneDay: .day(300)
        case .oneMinuteIsOneDay: .day(60)
        case .thirtySecondsIsOneDay: .day(30)
        case .oneSecondIsOneDay: .day(1)
        case .monthlyRenewalEveryHour: .month(3_600, week: 900)
        case .monthlyRenewalEveryThirtyMinutes: .month(1_800, week: 600)
        case .monthlyRenewalEveryFifteenMinutes: .month(900, week: 300)
        case .monthlyRenewalEveryFiveMinutes: .month(300, week: 180)
        case .monthlyRenewalEveryThirtySeconds: .month(30, week: 10)
        case .oneRenewalEveryFifteenMinutes: .period(900)
        case .oneRenewalEveryFiveMinutes: .period(300)
        case .oneRenewalEveryMinute: .period(60)
        case .oneRenewalEveryThirtySeconds: .period(30)
        case .oneRenewalEveryTenSeconds: .period(10)
        case .oneRenewalEveryTwoSeconds: .period(2)
        }
    }

    /// At this rate; nil in real time, where the calendar decides.
    package func seconds(of period: SubscriptionPeriod) -> Int64? {
        switch pace {
        case .realTime: nil
        case .day(let seconds):
            Int64(period.value).multipliedClamped(by: Self.days(of: period.unit))
                .multipliedClamped(by: seconds)
        case .month(let month, let week): scaled(period, month: month, week: week)
        case .period(let seconds): seconds
        }
    }

    private static func days(of unit: SubscriptionPeriod.Unit) -> Int64 {
        switch unit {
        case .day: 1
        case .week: 7
        case .month: 30
        case .year: 365
        }
    }

    /// Xcode's table gives the lengths of a month and a week. A year is twelve months; a day is the
    /// seventh of a week and at least a second.
    private func scaled(
        _ period: SubscriptionPeriod, month: Int64, week: Int64
    ) -> Int64 {
        let count = Int64(period.value)
        return switch period.unit {
        case .day: max(1, count.multipliedClamped(by: week) / 7)
        case .week: count.multipliedClamped(by: week)
        case .month: count.multipliedClamped(by: month)
        case .year: count.multipliedClamped(by: month * 12)
        }
    }
}
