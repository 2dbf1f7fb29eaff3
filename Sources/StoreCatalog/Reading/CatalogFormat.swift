/// Which kind of catalog file it is, as the file says itself.
package enum CatalogFormat: Codable, Hashable, Sendable {
    /// Our own, `catalog.json`.
    case storefront(Int)
    /// Xcode's StoreKit configuration.
    case storekit(major: Int, minor: Int)
}
