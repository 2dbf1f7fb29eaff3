package import Foundation

/// An instant in whole milliseconds since 1970-01-01 UTC, the unit of every date in Apple's signed
/// payloads. Integers, so that the same inputs always give the same ledger.
package struct Timestamp: Hashable, Codable, Sendable, Comparable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// The millisecond that contains `date`.
    package init(_ date: Date) {
        milliseconds = Int64((date.timeIntervalSince1970 * 1000).rounded(.down))
    }

    package init(from decoder: any Decoder) throws {
        milliseconds = try decoder.singleValueContainer().decode(Int64.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }

    package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }

    package func advanced(byMilliseconds amount: Int64) -> Timestamp {
        Timestamp(milliseconds: milliseconds + amount)
    }

    package static func < (left: Self, right: Self) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// Certificates are valid from 2000 to 2100; no store date may leave that span.
    package static let earliest = Timestamp(milliseconds: 946_684_800_000)
    package static let latest = Timestamp(milliseconds: 4_102_444_800_000)
}

/// Tells the store's time. The only way time enters a rule: nobody asks the system for a date.
package protocol StoreClock: Sendable {
    /// The store's now. The engine never lets its own dates go back, whatever this answers.
    func now() -> Timestamp
}

/// The system's clock.
package struct SystemClock: StoreClock {
    package init() {}
    package func now() -> Timestamp { Timestamp(Date()) }
}
