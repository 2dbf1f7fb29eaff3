import Foundation

extension Timestamp {
    /// The instant that a person wrote as ISO 8601 writes it: `2027-01-31T10:00:00Z`, or
    /// `2027-01-31` for midnight UTC. Nil for what is no date.
    package init?(iso8601 text: String) {
        let whole = text.contains("T") ? text : text + "T00:00:00Z"
        guard let date = try? Date(whole, strategy: .iso8601) else { return nil }
        self.init(date)
    }
}
