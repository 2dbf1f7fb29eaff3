import Foundation
import StoreModel

/// Chooses the text for a person from a text in several languages. One value serves all texts of a
/// person.
///
/// The order: the exact locale; its language and script; its language; any text of that language in
/// that script; then the same for the fallback and for English; then any text in the person's
/// language, in the fallback's, in English; then the first locale in alphabetical order. So a text
/// in any language is found, and equal inputs give equal choices.
struct LanguagePreference: Sendable {
    private struct Wish {
        var exact: [String]
        var language: String
        /// The script, also if the locale only implies it: `zh_TW` has `Hant`.
        var script: String
    }

    private let wishes: [Wish]

    /// `locale` is the person's, `fallback` the catalog's default.
    init(locale: String, fallback: String) {
        wishes = [locale, fallback, "en"].map(Self.wish)
    }

    /// Empty only if there is no text in any language.
    func text(of texts: LocalizedText) -> String {
        let byLocale = texts.byLocale
        for wish in wishes {
            for code in wish.exact {
                if let text = byLocale[code], !text.isEmpty { return text }
            }
            let related = Self.related(to: wish, in: byLocale)
            let best = related.first { Self.wish($0).script == wish.script }
            if let best, let text = byLocale[best] { return text }
        }
        for wish in wishes {
            let related = Self.related(to: wish, in: byLocale).first
            if let related, let text = byLocale[related] { return text }
        }
        let first = byLocale.filter { !$0.value.isEmpty }.keys.min()
        return first.flatMap { byLocale[$0] } ?? ""
    }

    /// In alphabetical order, those that have a text.
    private static func related(to wish: Wish, in byLocale: [String: String]) -> [String] {
        let related = byLocale.keys.filter {
            $0.hasPrefix(wish.language)
                && ($0 == wish.language || $0.dropFirst(wish.language.count).first == "_")
                && byLocale[$0]?.isEmpty == false
        }
        return related.count < 2 ? related : related.sorted()
    }

    private static func wish(_ locale: String) -> Wish {
        let plain = LocaleName.plain(locale)
        let language = Locale.Language(identifier: plain)
        let code = language.languageCode?.identifier ?? "en"
        let script = language.script?.identifier ?? ""
        // A language code alone stands for its usual script: `zh` is Hans, and does not match
        // zh_TW.
        let isUsual = Locale.Language(identifier: code).script?.identifier == script
        let region = language.region.map { "_" + $0.identifier } ?? ""
        let all = [
            plain, "\(code)_\(script)\(region)", "\(code)\(region)", "\(code)_\(script)",
            isUsual ? code : "",
        ]
        return Wish(exact: all.filter { !$0.isEmpty }, language: code, script: script)
    }
}

extension LocalizedText {
    /// Empty only if there is no text in any language. `LanguagePreference` defines the order; for
    /// many texts make one.
    package func text(for locale: String, fallback: String) -> String {
        LanguagePreference(locale: locale, fallback: fallback).text(of: self)
    }
}
