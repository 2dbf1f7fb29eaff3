/// One problem of a catalog file: its place, the found value and the expected values. Texts quoted
/// from the file are shortened and contain no control characters.
package struct CatalogProblem: Codable, Hashable, Sendable {
    /// With an error there is no catalog; warnings do not prevent one.
    package enum Severity: String, Codable, Sendable { case error, warning }

    /// Whether the problem prevents a catalog.
    package var severity: Severity
    /// The path inside the JSON, such as `products[3].prices.JPN`; empty for the file as a whole.
    package var path: String
    /// The line, counted from 1; nil if the problem concerns the file as a whole.
    package var line: Int?
    /// The column in characters, counted from 1; set only if the text is not JSON or not UTF-8.
    package var column: Int?
    /// The value that the file has there.
    package var found: String
    /// The values that are allowed there, in words.
    package var expected: String
    /// The nearest valid value, as JSON text that can replace the found one; nil if none is near.
    package var suggestion: String?

    /// Memberwise: the values are not checked.
    package init(
        severity: Severity, path: String = "", line: Int? = nil, column: Int? = nil,
        found: String, expected: String, suggestion: String? = nil
    ) {
        self.severity = severity
        self.path = path
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected
        self.suggestion = suggestion
    }
}
