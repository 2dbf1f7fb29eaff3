import StoreModel

/// Chooses the text for a person from a text in several languages. One value serves all texts of a
/// person.
///
/// The order: the text that the person reads best (`LanguageMatch`); then the one that a reader of
/// the fallback or of English reads best; then any text in the person's language, in the fallback's,
/// in English, in whatever script; then the first locale in alphabetical order. So a text in any
/// language is found, and equal inputs give equal choices.
struct LanguagePreference: Sendable {
    private let wishes: [LanguageMatch]

    /// `locale` is the person's, `fallback` the catalog's default.
    init(locale: String, fallback: String) {
        wishes = [locale, fallback, "en"].map { LanguageMatch($0) }
    }

    /// Empty only if there is no text in any language.
    func text(of texts: LocalizedText) -> String {
        let byLocale = texts.byLocale
        for wish in wishes {
            if let text = byLocale[wish.name], !text.isEmpty { return text }
            let best = wish.best(
                of: byLocale.lazy.filter { !$0.value.isEmpty }.map(\.key))
            if let best, let text = byLocale[best] { return text }
        }
        let locales = byLocale.filter { !$0.value.isEmpty }.keys.sorted()
        let related = wishes.lazy.compactMap { wish in
            locales.first { wish.isSameLanguage($0) }
        }.first
        return (related ?? locales.first).flatMap { byLocale[$0] } ?? ""
    }
}

extension LocalizedText {
    /// Empty only if there is no text in any language. `LanguagePreference` defines the order; for
    /// many texts make one.
    package func text(for locale: String, fallback: String) -> String {
        LanguagePreference(locale: locale, fallback: fallback).text(of: self)
    }
}
