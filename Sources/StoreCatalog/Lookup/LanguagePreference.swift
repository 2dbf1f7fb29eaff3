import Foundation
import StoreModel

/// Which texts a person wants to read, best first. Made once for a person and used for every text.
///
/// The order: the exact locale; its language and script; its language; any text of that language in
/// that script; the same for the fallback and for English; then the person's language in another
/// script; then the first locale by alphabet. So every text there is in any language is found, and
/// always the same one.
package struct LanguagePreference: Sendable {
    private struct Wish {
        var exact: [String]
        var language: String
        /// Written out, also where the locale only implies it: `zh_TW` reads `Hant`.
        var script: String
    }

    private let wishes: [Wish]

    package init(locale: String, fallback: String) {
        wishes = [locale, fallback, "en"].map(Self.wish)
    }

    package func text(of texts: LocalizedText) -> String {
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

    /// Locales of the same language, by alphabet.
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
        // A language alone is read in its usual script: `zh` is Hans, and no answer to zh_TW.
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
    /// The text a person with this locale reads, empty only where there is no text at all; see
    /// `LanguagePreference` for the order. For many texts make one preference and keep it.
    package func text(for locale: String, fallback: String) -> String {
        LanguagePreference(locale: locale, fallback: fallback).text(of: self)
    }
}
