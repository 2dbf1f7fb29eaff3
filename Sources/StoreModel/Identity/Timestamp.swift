import Basics
package import Foundation

/// An instant in whole milliseconds since 1970-01-01 UTC, the unit of every date in Apple's signed
/// payloads. Encoded as that number. An integer, so that the same inputs always give the same
/// ledger.
package struct Timestamp: Hashable, Codable, Sendable, Comparable {
    /// Milliseconds since 1970-01-01 00:00:00 UTC.
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The instant of `date`, rounded to the nearest millisecond: `Date` is a floating-point number
    /// that may lie a little before the whole millisecond it was made from. A date that does not fit
    /// is the nearest instant that does.
    package init(_ date: Date) {
        let exact = (date.timeIntervalSince1970 * 1000).rounded()
        milliseconds = Int64(exactly: exact) ?? (exact < 0 ? .min : .max)
    }

    package init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    /// The instant this many milliseconds later, or the last one that fits: files and clocks may
    /// hold any number.
    package func advanced(byMilliseconds amount: Int64) -> Timestamp {
        Timestamp(milliseconds: milliseconds.addingClamped(amount))
    }

    /// The milliseconds from an earlier instant to this one, negative from a later one, or the
    /// nearest number that fits.
    package func milliseconds(since other: Timestamp) -> Int64 {
        milliseconds.subtractingClamped(other.milliseconds)
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The beginning of 2000, before which no store date lies: the certificates begin then.
    package static let earliest = Timestamp(milliseconds: 946_684_800_000)
    /// The beginning of 2100, after which no store date lies: the certificates end one second
    /// later.
    package static let latest = Timestamp(milliseconds: 4_102_444_800_000)
    /// The store records no others.
    package static let recordable = earliest...latest
    /// The last instant to which the clock can be moved. In the day that is left, a running clock
    /// still records what was due before.
    package static let lastSettable = latest.advanced(byMilliseconds: -86_400_000)
}

/// A source of time. Rules read the time from a clock that is passed to them and never ask the
/// system, so that tests can set it.
package protocol StoreClock: Sendable {
    /// The current time. It may go back when a person sets the system's clock; the engine corrects
    /// for that, so that its dates never go back.
    func now() -> Timestamp
}

/// The system's clock.
package struct SystemClock: StoreClock {
    package init() {}
    /// Rounded to the nearest millisecond.
    package func now() -> Timestamp { Timestamp(Date()) }
}
