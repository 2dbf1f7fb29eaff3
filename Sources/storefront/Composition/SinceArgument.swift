import ArgumentParser
import Foundation
import StoreModel

/// The value of `--since`, which several lists take: a date, or a date with a time.
enum SinceArgument {
    /// Midnight in the person's time zone, in which dates are printed; nil for no date.
    static func instant(_ text: String) -> Timestamp? {
        Timestamp(iso8601: text, zone: .current)
    }

    /// Throws `ValidationError` for a text that is neither.
    static func validate(_ text: String?) throws {
        guard let text, instant(text) == nil else { return }
        throw ValidationError(
            "--since wants 2027-01-31 or 2027-01-31T10:00:00Z, found '\(text)'.")
    }
}
