import ArgumentParser
import Basics
import Foundation
import StoreModel

/// A date on the command line: `2027-01-31`, or `2027-01-31T10:00:00Z`.
enum DateArgument {
    /// Without a time midnight in the person's time zone, in which dates are printed; nil for no
    /// date.
    static func instant(_ text: String) -> Timestamp? {
        // Foundation keeps the zone that it is asked for first, and `clock` may still change it.
        text.contains("T") ? Timestamp(iso8601: text) : Timestamp(iso8601: text, zone: .current)
    }

    /// Throws `ValidationError` for a text that is no date.
    static func validate(since text: String?) throws {
        guard let text, instant(text) == nil else { return }
        throw ValidationError(
            "--since wants 2027-01-31 or 2027-01-31T10:00:00Z, found \(UntrustedText.quote(text)).")
    }

    /// The time for `--clock`, at which the store's clock is stopped. If its zone is given and TZ
    /// is not set, dates are shown in UTC, so that the same clock shows the same times on every
    /// machine. Call before the process starts any thread, because setenv(3) is not safe beside
    /// other threads.
    ///
    /// - Throws: `ValidationError` for a text that is no date, and for a date outside
    ///   `Timestamp.recordable`.
    static func clock(_ text: String) throws -> Timestamp {
        guard let instant = instant(text), Timestamp.recordable.contains(instant) else {
            throw ValidationError(
                "--clock wants a date from 2000 to 2100, 2027-01-31 or 2027-01-31T10:00:00Z, found "
                    + UntrustedText.quote(text) + ".")
        }
        if text.contains("T"), getenv("TZ") == nil { setenv("TZ", "UTC", 1) }
        return instant
    }
}
