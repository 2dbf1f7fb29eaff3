package import Foundation

extension Timestamp {
    /// The instant that a person wrote as ISO 8601 writes it: `2027-01-31T10:00:00Z`, or
    /// `2027-01-31` for midnight. Nil for what is no date.
    ///
    /// - Parameter zone: whose midnight; UTC where dates are printed in it.
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
