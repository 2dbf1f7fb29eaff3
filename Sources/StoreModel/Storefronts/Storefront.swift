/// A territory of the App Store with its currency (StoreKit: `Storefront`). Not the program's
/// screen, which is called the shop.
package struct Storefront: Hashable, Codable, Sendable {
    /// ISO 3166-1 alpha-3.
    package let countryCode: String
    /// ISO 3166-1 alpha-2.
    package let regionCode: String
    /// Apple's number of the territory: "143441" for the USA.
    package let id: String
    /// ISO 4217.
    package let currency: String
}
