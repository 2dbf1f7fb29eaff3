/// What came of reading a catalog file: a catalog, or the reasons why there is none; often both a
/// catalog and some warnings.
package struct CatalogReading: Codable, Hashable, Sendable {
    /// The file that was read: for a folder the one inside it.
    package var path: String
    /// What kind of file it is; nil where that could not be told.
    package var format: CatalogFormat?
    /// Nil exactly where there is an error among the problems.
    package var catalog: Catalog?
    /// All of them, in the file's order.
    package var problems: [CatalogProblem]
    /// SHA-256 of the file's bytes, lower-case hexadecimal; empty where it could not be read. Equal
    /// digests are equal catalogs, so a store need not look further.
    package var sourceDigest: String

    package init(
        path: String, format: CatalogFormat? = nil, catalog: Catalog? = nil,
        problems: [CatalogProblem], sourceDigest: String
    ) {
        self.path = path
        self.format = format
        self.catalog = catalog
        self.problems = problems
        self.sourceDigest = sourceDigest
    }

    package var errors: [CatalogProblem] { problems.filter { $0.severity == .error } }
    package var warnings: [CatalogProblem] { problems.filter { $0.severity == .warning } }
}
