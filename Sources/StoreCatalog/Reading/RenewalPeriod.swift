import Basics
import StoreModel

/// Reads periods: both formats write them as ISO 8601 durations of one unit.
enum RenewalPeriod {
    /// By App Store Connect, for auto-renewable subscriptions.
    static let offered = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]

    /// Of a length that App Store Connect does not offer.
    static let valueMax = 3650

    /// Other lengths, each with the one that a person who writes it probably means.
    private static let otherWords = [
        "P4W": "P1M", "P30D": "P1M", "P31D": "P1M", "P60D": "P2M", "P90D": "P3M", "P180D": "P6M",
        "P52W": "P1Y", "P365D": "P1Y",
    ]

    /// Any spelling of a length in `offered`.
    static func read(_ value: JSONValue?, problems: inout ProblemList) -> SubscriptionPeriod? {
        guard let value, let text = problems.text(value) else { return nil }
        if let period = SubscriptionPeriod(iso8601: text), offered.contains(period.iso8601) {
            return period
        }
        problems.defect(
            at: value, expected: "one of \(offered.joined(separator: ", "))",
            suggestion: nearest(to: text, among: offered))
        return nil
    }

    /// A length that is not offered, such as five days, is no spelling mistake: it has a suggestion
    /// only in `otherWords`.
    static func nearest(to text: String, among offered: [String]) -> String? {
        let upper = text.uppercased()
        guard let period = SubscriptionPeriod(iso8601: upper) else {
            return SpellingSuggestion.nearest(to: upper, among: offered)
        }
        return offered.contains(period.iso8601)
            ? period.iso8601
            : otherWords[period.iso8601].flatMap { offered.contains($0) ? $0 : nil }
    }

    /// For a non-renewing subscription: any number of one unit up to `valueMax`, since the app computes
    /// its end itself.
    static func readAny(_ value: JSONValue, problems: inout ProblemList) -> SubscriptionPeriod? {
        guard let text = problems.text(value) else { return nil }
        if let period = SubscriptionPeriod(iso8601: text), period.value <= valueMax {
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
