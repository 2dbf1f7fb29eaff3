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
            ("zh_Hant", ["zh_Hans": "S", "ja": "J", "en": "E"], "S"),
            ("zh_Hant", ["zh_Hans": "S", "ja": "J"], "S"),
            ("fr", ["de": "D", "en": "E"], "D"),
            ("fr", ["en": "E", "ja": "J"], "E"),
            ("fr", ["ko": "K", "ja": "J"], "J"),
            ("ja", ["ja": "", "en": "E"], "E"),
            ("ja_JP.UTF-8", ["ja": "J"], "J"),
            ("pt_PT", ["pt_BR": "B", "en": "E"], "B"),
            ("uz_Arab", ["uz": "U", "en": "E"], "E"),
            ("uz_Arab", ["uz": "U", "ja": "J"], "U"),
            ("nb_NO", ["en_US": "E", "no": "N"], "N"),
            ("no_NO", ["en_US": "E", "nb": "N"], "N"),
            ("nn_NO", ["en_US": "E", "nb": "B", "nn": "N"], "N"),
            ("no", ["en_US": "E", "nn": "N"], "N"),
            ("es_AR", ["es_ES": "E", "es_MX": "M"], "M"),
            ("es_AR", ["es_ES": "E", "es_419": "L", "es_MX": "M"], "L"),
            ("es_US", ["es": "E", "es_CO": "C"], "C"),
            ("es_GQ", ["es_CO": "C", "es_ES": "E"], "E"),
            ("iw_IL.UTF-8", ["he": "H", "en": "E"], "H"),
            ("in_ID", ["id": "I", "en": "E"], "I"),
            ("zh_HK", ["zh_Hans": "S", "zh_Hant": "T"], "T"),
            ("zh_MO", ["zh_Hant": "T", "zh_HK": "H"], "H"),
            ("zh_SG", ["zh_Hant": "T", "zh_CN": "S"], "S"),
            ("pt_AO", ["pt_BR": "B", "pt_PT": "P"], "P"),
            ("pt_AO", ["pt": "B", "pt_PT": "P"], "P"),
            ("en_AU", ["en": "U", "en_GB": "G"], "G"),
            ("en_PR", ["en": "U", "en_GB": "G"], "U"),
            ("fr_CA", ["fr_BE": "B", "fr": "F"], "F"),
            ("ar_TN", ["ar_SA": "S", "ar_MA": "M"], "M"),
            ("sr_ME", ["hr": "H", "en": "E"], "H"),
            ("gsw_CH", ["de_DE": "D", "en": "E"], "D"),
            ("de_DE", ["gsw": "S", "en": "E"], "E"),
            ("xx", [:], ""),
        ])
    func bestTextIsFound(locale: String, texts: [String: String], best: String) {
        #expect(LocalizedText(texts).text(for: locale, fallback: "de") == best)
    }
}
