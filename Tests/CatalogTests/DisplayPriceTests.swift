@testable import StoreCatalog
import StoreModel
import Testing

/// Prices in a locale's format. U+00A0 and U+202F are no-break spaces; U+200F keeps Arabic in its
/// right-to-left order.
struct DisplayPriceTests {
    static let prices: [(String, String, Int64, String)] = [
        ("USA", "en_US", 1_234_500, "$1,234.50"),
        ("JPN", "ja_JP", 480_000, "¥480"),
        ("JPN", "en_US", 480_000, "¥480"),
        ("DEU", "de_DE", 1_234_500, "1.234,50\u{A0}€"),
        ("FRA", "fr_FR", 1_234_500, "1\u{202F}234,50\u{A0}€"),
        ("DEU", "ja_JP", 3_990, "€3,99"),
        ("GBR", "en_GB", 3_990, "£3.99"),
        ("KOR", "ko_KR", 12_345_000, "₩12,345"),
        ("BRA", "pt_BR", 1_234_500, "R$\u{A0}1.234,50"),
        ("IND", "en_IN", 1_234_567_500, "₹12,34,567.50"),
        ("IND", "hi_IN", 1_234_567_500, "₹12,34,567.50"),
        ("CHE", "de_CH", 1_234_500, "CHF\u{A0}1’234.50"),
        ("SAU", "ar_SA", 1_234_500, "\u{200F}١٬٢٣٤٫٥٠\u{A0}ر.س.\u{200F}"),
        ("KWT", "en_KW", 1_500, "KWD\u{A0}1.500"),
        ("KWT", "en_US", 1_250, "KWD\u{A0}1.250"),
        ("USA", "en_US", 0, "$0.00"),
    ]

    @Test("a price is written as the locale writes it [B4]", arguments: prices)
    func price(territory: String, locale: String, milliunits: Int64, text: String) throws {
        let storefront = try #require(Storefront.find(territory))
        let product = CatalogProduct(
            id: ProductID("p"), type: .consumable, name: ["en": "P"],
            prices: .byTerritory([territory: milliunits]))
        let catalog = Catalog(
            bundleID: "a.b", appName: ["en": "A"], defaultLocale: "en", products: [product])
        let answer = CatalogIndex(catalog).products(nil, in: storefront, locale: locale)
        let localized = try #require(answer.products.first)
        #expect(localized.displayPrice == text)
        #expect(localized.price.currency == storefront.currency)
    }

    @Test(
        "a price's locale is the customer's language and the storefront's region [B4]",
        arguments: [
            ("ja_JP", "DEU", "ja_DE"), ("en_US", "JPN", "en_JP"), ("ja_JP.UTF-8", "JPN", "ja_JP"),
            ("zh_Hant_TW", "USA", "zh_Hant_US"), ("zh_TW", "USA", "zh_Hant_US"),
            ("zh_Hans_CN", "TWN", "zh_Hans_TW"), ("zh_CN", "CHN", "zh_CN"), ("C", "USA", "en_US"),
            ("", "GBR", "en_GB"), ("pt-PT", "BRA", "pt_BR"), ("sr_Latn_RS", "SRB", "sr_Latn_RS"),
            ("iw_IL.UTF-8", "USA", "he_US"), ("in-ID", "IDN", "id_ID"),
        ])
    func localeOfThePrice(person: String, territory: String, locale: String) throws {
        let storefront = try #require(Storefront.find(territory))
        #expect(PriceLocale.identifier(locale: person, storefront: storefront) == locale)
    }

    @Test(
        "a price for all territories is rounded to the currency's decimals, never to zero",
        arguments: [
            ("USA", 990, 990), ("JPN", 990, 1000), ("JPN", 400, 1000), ("JPN", 1_500, 2000),
            ("KWT", 1_255, 1_255), ("USA", 1_255, 1_260), ("JPN", 0, 0),
        ] as [(String, Int64, Int64)])
    func priceEverywhereFitsTheCurrency(code: String, price: Int64, charged: Int64) throws {
        let product = CatalogProduct(
            id: ProductID("p"), type: .consumable, name: ["en": "P"],
            prices: .everywhere(milliunits: price))
        let storefront = try #require(Storefront.find(code))
        #expect(product.price(in: storefront)?.milliunits == charged)
    }
}
