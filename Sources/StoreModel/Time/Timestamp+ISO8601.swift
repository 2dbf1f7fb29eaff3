package import Foundation

extension Timestamp {
    /// The instant that a person wrote in ISO 8601: `2027-01-31T10:00:00Z`, or `2027-01-31` for
    /// midnight. Nil for a text that is no date, such as the 30th of February.
    ///
    /// - Parameter zone: the time zone of the midnight.
    package init?(iso8601 text: String, zone: TimeZone = .gmt) {
        // Foundation reads the 30th of February as a day in March, and 25 o'clock as the next day.
        func exact(_ text: String) -> Date? {
            (try? Date(text, strategy: .iso8601)).flatMap {
                !text.hasSuffix("Z") || $0.formatted(.iso8601) == text ? $0 : nil
            }
        }
        guard let date = exact(text.prefix { $0 != "T" } + "T00:00:00Z") else { return nil }
        guard !text.contains("T") else {
            // The time of day, too, is exact in any zone.
            guard exact(text.prefix(19) + "Z") != nil, let date = exact(text) else { return nil }
            self.init(date)
            return
        }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let day = calendar.dateComponents([.year, .month, .day], from: date)
        calendar.timeZone = zone
        guard let midnight = calendar.date(from: day) else { return nil }
        self.init(midnight)
    }
}
