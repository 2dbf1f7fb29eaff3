package import Foundation

extension Catalog {
    /// The catalog as a store keeps it: what `JSONDecoder` reads a `Catalog` from. Written product by
    /// product, since an encoder's tree of a large catalog takes several times the memory of the
    /// catalog itself.
    package func body() throws -> Data {
        let encoder = JSONEncoder()
        var body = Data("{\"products\":[".utf8)
        for (number, product) in products.enumerated() {
            if number > 0 { body.append(UInt8(ascii: ",")) }
            body.append(try encoder.encode(product))
        }
        body.append(contentsOf: "],".utf8)
        // The other members, without the brace they begin with.
        body.append(try encoder.encode(Rest(self)).dropFirst())
        return body
    }

    /// All members but the products. Some are always there.
    private struct Rest: Encodable {
        var bundleID: String
        var appAppleID: Int64?
        var appName: LocalizedText
        var defaultTerritory: String?
        var defaultLocale: String
        var sections: [Section]
        var groups: [Group]
        var contentFolder: String?

        init(_ catalog: Catalog) {
            bundleID = catalog.bundleID
            appAppleID = catalog.appAppleID
            appName = catalog.appName
            defaultTerritory = catalog.defaultTerritory
            defaultLocale = catalog.defaultLocale
            sections = catalog.sections
            groups = catalog.groups
            contentFolder = catalog.contentFolder
        }
    }
}
