/// One thing that is wrong with a catalog file: where, what was found, what was expected. Every
/// text quoted from the file is shortened and free of control characters.
package struct CatalogProblem: Codable, Hashable, Sendable {
    /// An error leaves nothing that could be sold; with a warning the file still opens.
    package enum Severity: String, Codable, Sendable { case error, warning }

    package var severity: Severity
    /// The place inside the JSON, such as `products[3].prices.JPN`; empty for the file as a whole.
    package var path: String
    /// Counted from 1; nil where the file as a whole is meant.
    package var line: Int?
    /// Counted from 1, in characters; only for text that is not JSON.
    package var column: Int?
    package var found: String
    package var expected: String
    /// The nearest right word, ready to be put in.
    package var suggestion: String?

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
