/// The lengths of billing retry and grace period at each rate: Xcode's table for StoreKit Testing.
extension RenewalRate {
    /// The milliseconds by which this rate replaces one day of a subscription: a sixtieth of
    /// billing retry, which is 60 days in real time.
    package func dayMilliseconds(of period: SubscriptionPeriod) -> Int64 {
        max(1, retryMilliseconds(of: period) / 60)
    }

    /// 60 days in real time; twice the month of a scaled rate, and twice the interval of a fixed
    /// one.
    package func retryMilliseconds(of period: SubscriptionPeriod) -> Int64 {
        switch pace {
        case .realTime: 60 * Self.day
        case .day: 60 * length(of: .day)
        case .month: 2 * length(of: .month)
        case .period: 2 * length(of: period.unit)
        }
    }

    /// 6 days of a weekly or shorter subscription and 16 days of any other in real time; at a
    /// scaled rate six sevenths of a week, to the second, or half a month; at a fixed rate the
    /// interval.
    package func graceMilliseconds(of period: SubscriptionPeriod) -> Int64 {
        switch pace {
        case .realTime: (period.isAtMostAWeek ? 6 : 16) * Self.day
        case .day: (period.isAtMostAWeek ? 6 : 16) * length(of: .day)
        case .month:
            period.isAtMostAWeek
                ? (length(of: .week) * 6 + 3_500) / 7_000 * 1_000 : length(of: .month) / 2
        case .period: length(of: period.unit)
        }
    }

    private static let day: Int64 = 86_400_000

    /// At an accelerated rate.
    private func length(of unit: SubscriptionPeriod.Unit) -> Int64 {
        (seconds(of: SubscriptionPeriod(unit: unit, value: 1)) ?? 0) * 1_000
    }
}

extension SubscriptionPeriod {
    /// Such a subscription has the shorter grace period.
    fileprivate var isAtMostAWeek: Bool {
        switch unit {
        case .day: value <= 7
        case .week: value == 1
        case .month, .year: false
        }
    }
}
