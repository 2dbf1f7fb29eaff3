/// A territory of the App Store with its currency (StoreKit: `Storefront`). The program's screen is
/// called the shop, never this.
package struct Storefront: Hashable, Codable, Sendable {
    /// ISO 3166-1 alpha-3.
    package let countryCode: String
    /// ISO 3166-1 alpha-2.
    package let regionCode: String
    /// Apple's number for it, "143441" for USA.
    package let id: String
    /// ISO 4217; what prices are in unless a catalog says otherwise.
    package let currency: String

    package init(countryCode: String, regionCode: String, id: String, currency: String) {
        self.countryCode = countryCode
        self.regionCode = regionCode
        self.id = id
        self.currency = currency
    }
}
