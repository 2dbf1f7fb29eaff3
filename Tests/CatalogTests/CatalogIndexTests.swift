import StoreCatalog
@testable import StoreModel
import Testing

struct CatalogIndexTests {
    private let usa = Storefront.usa

    @Test("a product's texts are in the customer's language")
    func productIsSeenInThePersonsLanguage() throws {
        let fixture = try CatalogFixture()
        let catalog = try #require(try fixture.read(native: CatalogFixture.good).catalog)
        let index = CatalogIndex(catalog)
        let book = try #require(
            index.products([ProductID("book")], in: usa, locale: "ja_JP").products.first)
        #expect(book.displayName == "書籍")
        #expect(book.description == "A book.\nLong.")
        #expect(book.section == "本")
        #expect(book.priceLocale == "ja_US")
        #expect(book.displayPrice == "$3.99")
        #expect(book.isFamilyShareable)
        #expect(book.hostedContent == [HostedContent(id: "text", version: "1.0", length: 31)])
        let monthly = try #require(
            index.products([ProductID("monthly")], in: usa, locale: "de").products.first)
        #expect(monthly.subscription?.groupName == "Club")
        #expect(monthly.subscription?.level == 2)
        let season = try #require(index.products(["season"], in: usa, locale: "en").products.first)
        #expect(season.unlocks == ["page.season", "theme.ice-2"])
        #expect(book.unlocks.isEmpty)
    }

    @Test("a product without a price in a territory is invalid there [B2]")
    func whatIsNotSoldInATerritoryIsInvalidThere() throws {
        let fixture = try CatalogFixture()
        let catalog = try #require(try fixture.read(native: CatalogFixture.good).catalog)
        let index = CatalogIndex(catalog)
        let japan = try #require(Storefront.find("JPN"))
        let asked = ["book", "coins", "nonsense", "coins"].map { ProductID($0) }
        let answer = index.products(asked, in: japan, locale: "en_US")
        #expect(answer.products.map(\.id) == [ProductID("coins")])
        #expect(answer.invalid == [ProductID("book"), ProductID("nonsense")])
        #expect(index.products(nil, in: japan, locale: "en_US").products.count == 1)
        #expect(
            index.products(nil, in: usa, locale: "en_US").products.map(\.id)
                == catalog.products.map(\.id))
    }
}
