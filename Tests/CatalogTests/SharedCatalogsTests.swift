import StoreCatalog
import StoreModel
import Testing

@Suite(.enabled(if: !SharedCatalogs.names.isEmpty))
struct SharedCatalogsTests {
    /// Files that are no catalog, and the problem's text for their content.
    static let broken = [
        "chemsims__chemistry__Configuration.storekit": "an empty file (0 bytes)",
        "Jannik-1403__Garten-Simulation__Purchases.storekit": "an XML property list",
    ]

    @Test(
        "a real StoreKit configuration opens, or gives one clear error",
        arguments: SharedCatalogs.names)
    func realFileOpensOrGetsOneClearError(name: String) throws {
        let reading = CatalogReader.read(path: SharedCatalogs.path(name))
        #expect(reading.sourceDigest.count == 64)
        if let found = Self.broken[name] {
            #expect(reading.catalog == nil)
            #expect(reading.problems.map(\.found) == [found])
            return
        }
        let catalog = try #require(reading.catalog)
        #expect(reading.errors.isEmpty)
        #expect(!catalog.products.isEmpty)
        let storefront = Storefront.choose(
            account: nil, catalogDefault: catalog.defaultTerritory, locale: "en_US")
        let listed = CatalogIndex(catalog).products(
            nil, in: storefront, locale: catalog.defaultLocale)
        #expect(listed.products.count == catalog.products.count)
        #expect(listed.products.allSatisfy { !$0.displayName.isEmpty && !$0.displayPrice.isEmpty })
    }
}
