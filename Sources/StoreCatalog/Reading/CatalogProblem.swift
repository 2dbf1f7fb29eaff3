/// One problem of a catalog file: its place, the found value and the expected values. Texts quoted
/// from the file are shortened and contain no control characters.
package struct CatalogProblem: Codable, Hashable, Sendable {
    /// With an error there is no catalog; warnings do not prevent one.
    package enum Severity: String, Codable, Sendable { case error, warning }

    package var severity: Severity
    package var code: Code
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

    /// The kind of problem, as a word for scripts and for Documentation/guide/catalogs.md.
    package enum Code: String, Codable, Sendable, CaseIterable {
        // MARK: The file
        case unreadable
        case notJSON = "not-json"
        case unknownFormat = "unknown-format"

        // MARK: Members and values
        case missing, repeated, misplaced
        case unknownKey = "unknown-key"
        case unknownName = "unknown-name"
        case wrongValue = "wrong-value"
        case wrongPrice = "wrong-price"
        case missingText = "missing-text"
        case longName = "long-name"
        case hiddenCharacters = "hidden-characters"
        case missingContent = "missing-content"
        case unreachableServer = "unreachable-server"
        case unsupported
        /// The store sold the product otherwise.
        case soldOtherwise = "sold-otherwise"
        /// An export has no place for it.
        case lostInExport = "lost-in-export"

        // MARK: Rules of sale
        case emptyCatalog = "empty-catalog"
        case productList = "product-list"
        case territoryPrice = "territory-price"
        case priceRounds = "price-rounds"
        case freeRenewal = "free-renewal"
        case longTrial = "long-trial"
        case periodOutsideSubscription = "period-outside-subscription"
        case currencyExpires = "currency-expires"
        case notShareable = "not-shareable"
        case unlocksNothing = "unlocks-nothing"
        case noRestore = "no-restore"
        case repeatedLocalization = "repeated-localization"
    }

    /// A warning of what an export leaves out, or of what means something else in the export.
    package static func omitted(
        _ path: String, _ found: String, expected: String
    ) -> CatalogProblem {
        CatalogProblem(
            severity: .warning, code: .lostInExport, path: path, found: found, expected: expected)
    }
}
