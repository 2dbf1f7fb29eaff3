import Foundation

extension Storefront {
    /// The territory with this alpha-3 or alpha-2 code, in any case; nil where the App Store sells
    /// under no such code.
    package static func find(_ text: String) -> Storefront? {
        let code = text.uppercased()
        return code.utf8.count == 2 ? byRegionCode[code] : byCountryCode[code]
    }

    /// The territory somebody may have meant by a text that is not its code: another code for it,
    /// its English name, its currency, or a code with a slip in it.
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

    /// The territory a person buys in who never said otherwise: the account's, else the catalog's,
    /// else the one of the person's locale, else the USA. Codes nobody knows are passed over.
    package static func choose(
        account: String?, catalogDefault: String?, locale: String
    ) -> Storefront {
        account.flatMap(find) ?? catalogDefault.flatMap(find)
            ?? Locale(identifier: LocaleName.plain(locale)).region.flatMap { find($0.identifier) }
            ?? usa
    }

    /// Where the App Store began, and where everything falls back to.
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

    /// Codes people write out of habit: from sport, from cars and from the internet.
    private static let habits = [
        "UK": "GBR", "ENG": "GBR", "ENGLAND": "GBR", "UAE": "ARE", "GER": "DEU", "SUI": "CHE",
        "NED": "NLD", "HOLLAND": "NLD", "DEN": "DNK", "POR": "PRT", "GRE": "GRC", "CRO": "HRV",
        "BUL": "BGR", "SLO": "SVN", "JAP": "JPN", "RSA": "ZAF", "KSA": "SAU", "TPE": "TWN",
        "EL": "GRC", "AMERICA": "USA", "KOREA": "KOR", "XKX": "XKS", "CHI": "CHL", "PHI": "PHL",
        "INA": "IDN", "MAS": "MYS", "SIN": "SGP", "KUW": "KWT", "LAT": "LVA", "VIE": "VNM",
    ]

    private static func onlyOne(withCurrency currency: String) -> Storefront? {
        // The dollar and the euro have many homes; the one named after the dollar is meant.
        if currency == "USD" { return usa }
        let homes = all.filter { $0.currency == currency }
        return homes.count == 1 ? homes.first : nil
    }
}
