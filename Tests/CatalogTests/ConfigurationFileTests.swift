import StoreCatalog
import StoreModel
import Testing

struct ConfigurationFileTests {
    /// Files that are no catalog, and the problem's text for their content.
    static let broken = [
        "Empty.storekit": "an empty file (0 bytes)",
        "Property List.storekit": "an XML property list",
        "chemsims__chemistry__Configuration.storekit": "an empty file (0 bytes)",
        "Jannik-1403__Garten-Simulation__Purchases.storekit": "an XML property list",
    ]

    @Test("ten configurations stand in the project")
    func tenOfOurOwn() { #expect(ConfigurationFiles.paths.count >= 10) }

    @Test(
        "a whole StoreKit configuration opens, or gives one clear error",
        arguments: ConfigurationFiles.paths)
    func opensOrGetsOneClearError(path: String) throws {
        let reading = CatalogReader.read(path: path)
        #expect(reading.sourceDigest.count == 64)
        if let found = Self.broken[ConfigurationFiles.name(path)] {
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
