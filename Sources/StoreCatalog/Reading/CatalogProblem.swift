/// One problem of a catalog file: its place, the found value and the expected values. Texts quoted
/// from the file are shortened and contain no control characters.
package struct CatalogProblem: Codable, Hashable, Sendable {
    /// With an error there is no catalog; warnings do not prevent one.
    package enum Severity: String, Codable, Sendable { case error, warning }

    package var severity: Severity
    /// Such as `products[3].prices.JPN`; empty for the file as a whole.
    package var path = ""
    /// Counted from 1; nil if the problem concerns the file as a whole.
    package var line: Int?
    /// In characters, counted from 1; set only if the text is not JSON or not UTF-8.
    package var column: Int?
    package var found: String
    /// In words.
    package var expected: String
    /// As JSON text that can replace the found value; nil if none is near.
    package var suggestion: String?

    /// A warning of what an export leaves out, or of what means something else in the export.
    package static func omitted(
        _ path: String, _ found: String, expected: String
    ) -> CatalogProblem {
        CatalogProblem(severity: .warning, path: path, found: found, expected: expected)
    }
}
