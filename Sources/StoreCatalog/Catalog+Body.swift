package import Foundation
import StoreModel

extension Catalog {
    /// The catalog as JSON, as a store keeps it and `JSONDecoder` reads it. Encoded product by
    /// product: to encode a large catalog as a whole `JSONEncoder` needs several times the
    /// catalog's memory.
    package func body() throws -> Data {
        let encoder = JSONEncoder()
        var body = Data("{\"products\":[".utf8)
        for (number, product) in products.enumerated() {
            if number > 0 { body.append(UInt8(ascii: ",")) }
            body.append(try encoder.encode(product))
        }
        body.append(contentsOf: "],".utf8)
        body.append(try encoder.encode(Rest(self)).dropFirst())
        return body
    }

    /// The members besides `products`, of which at least one is always present.
    private struct Rest: Encodable {
        var bundleID: String
        var appAppleID: Int64?
        var appName: LocalizedText
        var defaultTerritory: String?
        var defaultLocale: String
        var sections: [Section]
        var groups: [Group]
        var contentFolder: String?
        var renewalRate: RenewalRate?
        var settings: CatalogSettings?
        var productList: [ProductID]?
        var hadPrivateKey: Bool?
        var published: [ProductID: Published]?
        var releases: [PackageRelease]?

        init(_ catalog: Catalog) {
            bundleID = catalog.bundleID
            appAppleID = catalog.appAppleID
            appName = catalog.appName
            defaultTerritory = catalog.defaultTerritory
            defaultLocale = catalog.defaultLocale
            sections = catalog.sections
            groups = catalog.groups
            contentFolder = catalog.contentFolder
            renewalRate = catalog.renewalRate
            settings = catalog.settings
            productList = catalog.productList
            hadPrivateKey = catalog.hadPrivateKey
            published = catalog.published
            releases = catalog.releases
        }
    }
}
