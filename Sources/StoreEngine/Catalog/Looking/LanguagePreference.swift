import Foundation
import StoreModel

/// Which texts a person wants to read, best first. Made once for a person and used for every text.
///
/// The order: the exact locale; its language and script; its language; any text of that language;
/// the same for the fallback and for English; then the first locale by alphabet. So every text
/// there is in any language is found, and always the same one.
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
        }
        // What follows is rare: no text under a plain code anybody asked for.
        let present = byLocale.filter { !$0.value.isEmpty }.keys.sorted()
        for wish in wishes {
            let sameLanguage = present.filter { $0.prefix { $0 != "_" } == wish.language }
            let best = sameLanguage.first { Self.wish($0).script == wish.script }
            if let code = best ?? sameLanguage.first, let text = byLocale[code] { return text }
        }
        return present.first.flatMap { byLocale[$0] } ?? ""
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
