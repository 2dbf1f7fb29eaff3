/// The result of reading a catalog file: a catalog, perhaps with warnings, or the errors that
/// prevent one.
package struct CatalogReading: Codable, Hashable, Sendable {
    /// For a folder the path of the file inside it.
    package var path: String
    /// Nil if it could not be recognized.
    package var format: CatalogFormat?
    /// Nil exactly if `errors` is not empty.
    package var catalog: Catalog?
    /// In the file's order.
    package var problems: [CatalogProblem]
    /// SHA-256 of the file's bytes, lower-case hexadecimal; empty if it could not be read. Equal
    /// digests mean equal files, so a store does not compare catalogs.
    package var sourceDigest: String
    /// The file's bytes without private keys, for a store to keep; nil if there is no catalog, and
    /// after the caller dropped them to save memory.
    package var source: [UInt8]?

    package var errors: [CatalogProblem] { problems.filter { $0.severity == .error } }
    package var warnings: [CatalogProblem] { problems.filter { $0.severity == .warning } }
}

extension CatalogReading {
    /// A catalog that a store has kept.
    ///
    /// - Parameters:
    ///   - path: where the store is.
    ///   - sourceDigest: of the file that the catalog was read from.
    package init(_ catalog: Catalog, path: String, sourceDigest: String) {
        self.init(
            path: path, format: nil, catalog: catalog, problems: [], sourceDigest: sourceDigest)
    }
}
