import Basics
import Foundation

extension Storefront {
    /// The territory with this alpha-2 or alpha-3 code, in any case; nil if the App Store has none.
    package static func find(_ text: String) -> Storefront? {
        let code = text.uppercased()
        return code.utf8.count == 2 ? byRegionCode[code] : byCountryCode[code]
    }

    /// The territory with this code, as `find`. Throws `invalidName` if the App Store has none.
    package static func named(_ text: String) throws(StoreError) -> Storefront {
        guard let storefront = find(text) else {
            throw StoreError(
                .invalidName, subject: "territory", found: text,
                expected: "an ISO 3166-1 code such as JPN or JP")
        }
        return storefront
    }

    /// The territory that a text probably means if it is no code of a territory: by a common other
    /// code, its English name, a currency that only it has, or a small spelling mistake. Nil if
    /// none is near.
    package static func nearest(to text: String) -> Storefront? {
        guard text.utf8.count <= SpellingSuggestion.lengthMax else { return nil }
        let word = text.trimmingCharacters(in: .whitespaces).uppercased()
        guard !word.isEmpty else { return nil }
        if let known = find(word) ?? habits[word].flatMap(find) ?? byEnglishName[word] {
            return known
        }
        if let only = onlyOne(withCurrency: word) { return only }
        if word.utf8.count <= 4 {
            return SpellingSuggestion.nearest(to: word, among: byCountryCode.keys).flatMap(find)
        }
        return SpellingSuggestion.nearest(to: word, among: byEnglishName.keys).flatMap {
            byEnglishName[$0]
        }
    }

    /// The territory to buy in: the account's, else the catalog's, else that of the person's
    /// locale, else the USA. Unknown codes are skipped.
    package static func choose(
        account: String?, catalogDefault: String?, locale: String
    ) -> Storefront {
        account.flatMap(find) ?? catalogDefault.flatMap(find)
            ?? Locale(identifier: LocaleName.plain(locale)).region.flatMap { find($0.identifier) }
            ?? usa
    }

    /// The default if nothing else names a territory.
    package static let usa =
        byCountryCode["USA"]
        ?? Storefront(countryCode: "USA", regionCode: "US", id: "143441", currency: "USD")

    private static let byCountryCode = Dictionary(
        all.map { ($0.countryCode, $0) }, uniquingKeysWith: { first, _ in first })

    private static let byRegionCode = Dictionary(
        all.map { ($0.regionCode, $0) }, uniquingKeysWith: { first, _ in first })

    private static let byEnglishName: [String: Storefront] = {
        let english = Locale(identifier: "en_US")
        let named = all.compactMap { storefront in
            english.localizedString(forRegionCode: storefront.regionCode)
                .map { ($0.uppercased(), storefront) }
        }
        return Dictionary(named, uniquingKeysWith: { first, _ in first })
    }()

    /// Codes in common use that are not ISO 3166-1: in sport, on cars, on the internet.
    private static let habits = [
        "UK": "GBR", "ENG": "GBR", "ENGLAND": "GBR", "UAE": "ARE", "GER": "DEU", "SUI": "CHE",
        "NED": "NLD", "HOLLAND": "NLD", "DEN": "DNK", "POR": "PRT", "GRE": "GRC", "CRO": "HRV",
        "BUL": "BGR", "SLO": "SVN", "JAP": "JPN", "RSA": "ZAF", "KSA": "SAU", "TPE": "TWN",
        "EL": "GRC", "AMERICA": "USA", "KOREA": "KOR", "XKX": "XKS", "CHI": "CHL", "PHI": "PHL",
        "INA": "IDN", "MAS": "MYS", "SIN": "SGP", "KUW": "KWT", "LAT": "LVA", "VIE": "VNM",
    ]

    private static func onlyOne(withCurrency currency: String) -> Storefront? {
        // Several territories use the US dollar; a person who writes USD means the USA. A currency
        // of several other territories, such as the euro, names none.
        if currency == "USD" { return usa }
        let homes = all.filter { $0.currency == currency }
        return homes.count == 1 ? homes.first : nil
    }
}
