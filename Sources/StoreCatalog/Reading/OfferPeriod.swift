import StoreModel

/// Reads the length of an offer: both formats write it as an ISO 8601 duration.
enum OfferPeriod {
    /// By App Store Connect.
    static let offered = ["P3D", "P1W", "P2W", "P1M", "P2M", "P3M", "P6M", "P1Y"]

    /// For an offer that is paid as it goes.
    static let countMax: Int64 = 12

    /// Any spelling of a length in `offered`.
    ///
    /// - Parameter keepsOthers: whether another length that the store can hold is taken, with a
    ///   warning. Otherwise it is a defect, as a text that is no length always is.
    static func read(
        _ value: JSONValue?, keepsOthers: Bool, problems: inout ProblemList
    ) -> SubscriptionPeriod? {
        guard let value, let text = problems.text(value) else { return nil }
        let words = "one of \(offered.joined(separator: ", "))"
        let period = SubscriptionPeriod(iso8601: text)
        if let period, offered.contains(period.iso8601) { return period }
        guard keepsOthers, let period, period.value <= RenewalPeriod.valueMax else {
            problems.defect(
                at: value, expected: words,
                suggestion: RenewalPeriod.nearest(to: text, among: offered))
            return nil
        }
        problems.warn(
            at: value, code: .unsupported,
            expected: words + ", as the App Store has; here it lasts as long as it says")
        return period
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
