import Foundation
import StoreModel
import Testing

struct StorefrontTests {
    @Test("the table has 175 storefronts with unique, well-formed codes")
    func tableIsWhole() {
        let all = Storefront.all
        #expect(all.count == 175)
        #expect(Set(all.map(\.countryCode)).count == all.count)
        #expect(Set(all.map(\.regionCode)).count == all.count)
        #expect(Set(all.map(\.id)).count == all.count)
        #expect(all.map(\.countryCode) == all.map(\.countryCode).sorted())
        let regions = Set(Locale.Region.isoRegions.map(\.identifier))
        for storefront in all {
            #expect(storefront.countryCode.wholeMatch(of: /[A-Z]{3}/) != nil)
            #expect(storefront.currency.wholeMatch(of: /[A-Z]{3}/) != nil)
            #expect(storefront.id.wholeMatch(of: /143[4-6][0-9]{2}/) != nil)
            #expect(regions.contains(storefront.regionCode))
        }
    }

    /// Compares the table with Foundation's Unicode data; the comment below gives the reason of
    /// each allowed difference.
    @Test("storefront currencies agree with Unicode's, apart from known exceptions")
    func currenciesAgreeWithUnicode() {
        let differing = Storefront.all.filter {
            Locale(identifier: "und_\($0.regionCode)").currency?.identifier != $0.currency
        }
        // Bulgaria adopted the euro in 2026, Venezuela pays in VES, and Zimbabwe has ZWG since
        // 2024; Foundation's data may have other codes.
        #expect(Set(differing.map(\.countryCode)).isSubset(of: ["BGR", "VEN", "ZWE"]))
    }

    @Test(
        "well-known storefronts have their id and currency",
        arguments: [
            ("USA", "143441", "USD"), ("JPN", "143462", "JPY"), ("GBR", "143444", "GBP"),
            ("DEU", "143443", "EUR"), ("FRA", "143442", "EUR"), ("KOR", "143466", "KRW"),
            ("BRA", "143503", "BRL"), ("IND", "143467", "INR"), ("CHE", "143459", "CHF"),
            ("SAU", "143479", "SAR"), ("KWT", "143493", "KWD"), ("CHN", "143465", "CNY"),
            ("XKS", "143624", "EUR"),
        ])
    func wellKnownRows(code: String, id: String, currency: String) throws {
        let storefront = try #require(Storefront.find(code))
        #expect(storefront.id == id)
        #expect(storefront.currency == currency)
    }

    @Test(
        "a storefront is found by its two- or three-letter code in any case",
        arguments: ["JPN", "jpn", "JP", "jp", "Jp"])
    func eitherCodeInAnyCaseFinds(text: String) {
        #expect(Storefront.find(text)?.countryCode == "JPN")
    }

    @Test(
        "any other text finds no storefront",
        arguments: ["", "J", "JAP", "Japan", "JPNN", "日本", "ZZ"])
    func otherTextsFindNothing(text: String) { #expect(Storefront.find(text) == nil) }

    @Test(
        "the storefront nearest to a misspelt one is suggested",
        arguments: [
            ("UK", "GBR"), ("JAP", "JPN"), ("GER", "DEU"), ("Germany", "DEU"), ("germny", "DEU"),
            ("USD", "USA"), ("USB", "USA"), ("us", "USA"), ("GBP", "GBR"), ("KWD", "KWT"),
            ("South Korea", "KOR"), (" fr ", "FRA"), ("XKX", "XKS"), ("SUI", "CHE"),
        ])
    func nearestIsSuggested(text: String, code: String) {
        #expect(Storefront.nearest(to: text)?.countryCode == code)
    }

    @Test(
        "no storefront is suggested for nonsense",
        arguments: ["", "   ", "Atlantis-on-Sea", "99999", String(repeating: "x", count: 5000)])
    func nonsenseSuggestsNoStorefront(text: String) { #expect(Storefront.nearest(to: text) == nil) }

    @Test(
        "the territory is the account's, else the catalog's, else the locale's, else the USA",
        arguments: [
            (nil, nil, "en_US", "USA"), ("JPN", "DEU", "fr_FR", "JPN"),
            (nil, "DEU", "fr_FR", "DEU"),
            (nil, nil, "fr_FR.UTF-8", "FRA"), (nil, nil, "zh-Hant-TW", "TWN"),
            (nil, nil, "C", "USA"),
            (nil, nil, "", "USA"), (nil, nil, "eo", "USA"), ("??", "ZZZ", "de_AT@euro", "AUT"),
            (nil, nil, "en_AQ", "USA"),
        ])
    func defaultTerritory(
        account: String?, catalog: String?, locale: String, code: String
    ) {
        let chosen = Storefront.choose(account: account, catalogDefault: catalog, locale: locale)
        #expect(chosen.countryCode == code)
    }

    @Test(
        "a currency has its number of decimals, and an unknown one has two",
        arguments: [("JPY", 0), ("KRW", 0), ("USD", 2), ("HUF", 2), ("KWD", 3), ("???", 2)])
    func decimals(currency: String, count: Int) {
        #expect(CurrencyDecimals.count(of: currency) == count)
    }
}
