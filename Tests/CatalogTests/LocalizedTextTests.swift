import StoreCatalog
import Testing

struct LocalizedTextTests {
    @Test(
        "the text whose language matches the locale best is chosen",
        arguments: [
            ("ja_JP", ["en": "E", "ja": "J"], "J"),
            ("ja", ["en": "E", "ja_JP": "J"], "J"),
            ("en_GB", ["en": "E", "en_GB": "G"], "G"),
            ("en_AU", ["en_GB": "G", "ja": "J"], "G"),
            ("zh_TW", ["zh_Hans": "S", "zh_Hant": "T"], "T"),
            ("zh_CN", ["zh_Hans": "S", "zh_Hant": "T"], "S"),
            ("zh_Hant_HK", ["zh": "S", "zh_TW": "T", "en": "E"], "T"),
            ("zh_Hant", ["zh_Hans": "S", "ja": "J", "en": "E"], "E"),
            ("zh_Hant", ["zh_Hans": "S", "ja": "J"], "S"),
            ("fr", ["de": "D", "en": "E"], "D"),
            ("fr", ["en": "E", "ja": "J"], "E"),
            ("fr", ["ko": "K", "ja": "J"], "J"),
            ("ja", ["ja": "", "en": "E"], "E"),
            ("ja_JP.UTF-8", ["ja": "J"], "J"),
            ("pt_PT", ["pt_BR": "B", "en": "E"], "B"),
            ("xx", [:], ""),
        ])
    func bestTextIsFound(locale: String, texts: [String: String], best: String) {
        #expect(LocalizedText(texts).text(for: locale, fallback: "de") == best)
    }
}
