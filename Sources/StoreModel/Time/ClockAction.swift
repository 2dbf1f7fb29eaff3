/// What the operator does to the store's clock.
package enum ClockAction: Codable, Hashable, Sendable {
    /// Store time stands still.
    case stop
    /// Store time runs on from where it stands; it never jumps back to the system's.
    case resume
    /// Forward by a step, in the state it is in.
    case advance(ClockStep)
    /// Forward to an instant.
    case to(Timestamp)
    /// To the next thing that happens by itself.
    case next
}

/// A step of the clock: by the calendar for days and longer, in seconds for less.
package enum ClockStep: Codable, Hashable, Sendable {
    case seconds(Int64)
    case calendar(SubscriptionPeriod)

    /// Reads `90s`, `5m`, `2h`, `32d`, `2w`, `1mo`, `1y`; nil for anything else.
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

    package func end(from start: Timestamp) -> Timestamp {
        switch self {
        case .seconds(let seconds): start.advanced(byMilliseconds: seconds * 1_000)
        case .calendar(let period): period.end(from: start)
        }
    }
}

/// A change of how subscriptions renew. What is nil stays as it is.
package struct RenewalsChange: Codable, Hashable, Sendable {
    package enum Limit: Codable, Hashable, Sendable {
        case none
        case count(Int)
    }

    package var rate: RenewalRate?
    package var limit: Limit?

    package init(rate: RenewalRate? = nil, limit: Limit? = nil) {
        self.rate = rate
        self.limit = limit
    }
}
