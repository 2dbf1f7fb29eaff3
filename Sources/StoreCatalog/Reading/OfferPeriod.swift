import StoreModel

/// Reads the length of an offer: both formats write it as an ISO 8601 duration.
enum OfferPeriod {
    /// By App Store Connect.
    static let offered = ["P3D", "P1W", "P2W", "P1M", "P2M", "P3M", "P6M", "P1Y"]

    /// For an offer that is paid as it goes.
    static let countMax: Int64 = 12

    /// A text that is not in `offered` is a defect.
    static func read(_ value: JSONValue?, problems: inout ProblemList) -> SubscriptionPeriod? {
        guard let value, let text = problems.text(value) else { return nil }
        if offered.contains(text) { return SubscriptionPeriod(iso8601: text) }
        problems.defect(
            at: value, expected: "one of \(offered.joined(separator: ", "))",
            suggestion: text == "P7D" ? "P1W" : text == "P14D" ? "P2W" : nil)
        return nil
    }

    /// 1 if the file names none. Only an offer that is paid as it goes has more.
    static func readCount(
        _ value: JSONValue?, _ mode: OfferMode?, problems: inout ProblemList
    ) -> Int? {
        guard let value else { return 1 }
        guard let count = problems.count(value, max: countMax) else { return nil }
        if let mode, mode != .payAsYouGo, count != 1 {
            problems.defect(
                at: value, expected: "1: only an offer that is paid as it goes has several periods")
            return nil
        }
        return count
    }
}
