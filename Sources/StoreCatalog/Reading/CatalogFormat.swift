/// The format of a catalog file, as the file states it.
package enum CatalogFormat: Codable, Hashable, Sendable {
    /// This program's own format (`catalog.json`).
    case storefront(Int)
    /// Xcode's StoreKit configuration.
    case storekit(major: Int, minor: Int)
}
