import Basics

/// An operator's change of the store's clock. No change moves it backwards.
package enum ClockAction: Codable, Hashable, Sendable {
    /// At its current value.
    case stop
    /// Lets store time run again from where it was stopped; it does not jump to the system's time.
    case resume
    /// Moves store time forward by a step. A stopped clock stays stopped, a running one keeps
    /// running; also for `to` and `next`.
    case advance(ClockStep)
    case to(Timestamp)
    /// Moves store time forward to the next due item, such as a renewal. Refused with `nothingDue`
    /// if there is none.
    case next
}

/// A step of the store's clock: in seconds for units below a day, by the calendar for longer ones.
package enum ClockStep: Codable, Hashable, Sendable {
    case seconds(Int64)
    case calendar(SubscriptionPeriod)

    /// Reads `90s`, `5m` or `5min`, `2h`, `32d`, `2w`, `1mo`, `1y`, with a count from 1 to 100,000;
    /// nil for anything else.
    package init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), (1...100_000).contains(count) else { return nil }
        switch text.dropFirst(digits.count) {
        case "s": self = .seconds(Int64(count))
        case "m", "min": self = .seconds(Int64(count) * 60)
        case "h": self = .seconds(Int64(count) * 3_600)
        case "d": self = .calendar(SubscriptionPeriod(unit: .day, value: count))
        case "w": self = .calendar(SubscriptionPeriod(unit: .week, value: count))
        case "mo": self = .calendar(SubscriptionPeriod(unit: .month, value: count))
        case "y": self = .calendar(SubscriptionPeriod(unit: .year, value: count))
        default: return nil
        }
    }

    /// Calendar steps in UTC.
    package func end(from start: Timestamp) -> Timestamp {
        switch self {
        case .seconds(let seconds):
            start.advanced(byMilliseconds: seconds.multipliedClamped(by: 1_000))
        case .calendar(let period): period.end(from: start)
        }
    }
}

/// A change of how subscriptions renew. A field that is nil leaves the setting as it is.
package struct RenewalsChange: Codable, Hashable, Sendable {
    /// A new limit of renewals. `none` removes a limit that was set, so that the rate's standard
    /// limit applies (`RenewalRate.standardLimit`); `endless` removes the standard limit too;
    /// `count` is at least 0, a negative count is refused with `invalidName`.
    package enum Limit: Codable, Hashable, Sendable {
        case none
        case endless
        case count(Int)
    }

    package var rate: RenewalRate?
    /// Without a break.
    package var limit: Limit?
    /// Within 24 hours; `none` and `endless` set no limit.
    package var limitPerDay: Limit?
    /// StoreKit Test: `shouldEnterBillingRetryOnRenewal`.
    package var failsBilling: Bool?
    /// Whether there is a grace period after a failed renewal (StoreKit Test:
    /// `billingGracePeriodIsEnabled`).
    package var hasGracePeriod: Bool?

    package init(
        rate: RenewalRate? = nil, limit: Limit? = nil, limitPerDay: Limit? = nil,
        failsBilling: Bool? = nil, hasGracePeriod: Bool? = nil
    ) {
        self.rate = rate
        self.limit = limit
        self.limitPerDay = limitPerDay
        self.failsBilling = failsBilling
        self.hasGracePeriod = hasGracePeriod
    }
}
