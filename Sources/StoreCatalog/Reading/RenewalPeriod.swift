import Basics
import StoreModel

/// Reads periods: both formats write them as ISO 8601 durations of one unit.
enum RenewalPeriod {
    /// By App Store Connect, for auto-renewable subscriptions.
    static let offered = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]

    /// Other durations of about the same length, with the duration to suggest.
    private static let otherWords = [
        "P7D": "P1W", "P4W": "P1M", "P30D": "P1M", "P31D": "P1M", "P60D": "P2M", "P90D": "P3M",
        "P180D": "P6M", "P12M": "P1Y", "P52W": "P1Y", "P365D": "P1Y",
    ]

    /// One of `offered`.
    static func read(_ value: JSONValue?, problems: inout ProblemList) -> SubscriptionPeriod? {
        guard let value, let text = problems.text(value) else { return nil }
        if offered.contains(text) { return SubscriptionPeriod(iso8601: text) }
        let upper = text.uppercased()
        // A valid duration that is not offered, such as three days, is no spelling mistake and gets
        // no suggestion.
        let isOther = SubscriptionPeriod(iso8601: text) != nil
        let nearest = isOther ? nil : SpellingSuggestion.nearest(to: upper, among: offered)
        problems.defect(
            at: value, expected: "one of \(offered.joined(separator: ", "))",
            suggestion: otherWords[upper] ?? nearest)
        return nil
    }

    /// For a non-renewing subscription: any number of one unit up to 3,650, since the app computes
    /// its end itself.
    static func readAny(_ value: JSONValue, problems: inout ProblemList) -> SubscriptionPeriod? {
        guard let text = problems.text(value) else { return nil }
        let hasPlainNumber = text.utf8.dropFirst().dropLast().allSatisfy { (48...57).contains($0) }
        if hasPlainNumber, let period = SubscriptionPeriod(iso8601: text), period.value <= 3650 {
            return period
        }
        let upper = text.uppercased()
        let isOnlyCase = upper != text && SubscriptionPeriod(iso8601: upper) != nil
        problems.defect(
            at: value, expected: "a length such as P90D, P2W, P6M or P1Y",
            suggestion: isOnlyCase ? upper : nil)
        return nil
    }
}
