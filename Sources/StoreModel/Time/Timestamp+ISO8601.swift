package import Foundation

extension Timestamp {
    /// The instant that a person wrote in ISO 8601: `2027-01-31T10:00:00Z`, or `2027-01-31` for
    /// midnight. Nil for a text that is no date.
    ///
    /// - Parameter zone: the time zone of the midnight; UTC if the program prints dates in UTC.
    package init?(iso8601 text: String, zone: TimeZone = .gmt) {
        guard !text.contains("T") else {
            guard let date = try? Date(text, strategy: .iso8601) else { return nil }
            self.init(date)
            return
        }
        guard let date = try? Date(text + "T00:00:00Z", strategy: .iso8601) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let day = calendar.dateComponents([.year, .month, .day], from: date)
        calendar.timeZone = zone
        guard let midnight = calendar.date(from: day) else { return nil }
        self.init(midnight)
    }
}
