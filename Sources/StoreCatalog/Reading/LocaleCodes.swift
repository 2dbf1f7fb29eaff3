import Basics
import Foundation
import StoreModel

/// Checks locale codes against the languages, scripts and regions of ISO 639, 15924 and 3166. Keeps
/// its results, because catalogs repeat few codes very often.
package struct LocaleCodes {
    /// The result of a check.
    package enum Verdict {
        /// In the catalog's form: `zh_Hans`, `en_GB`.
        case good(String)
        /// With the nearest valid code, if there is one.
        case unknown(suggestion: String?)
    }

    private var known: [String: Verdict] = [:]

    package init() {}

    /// Takes codes such as `en`, `zh-Hans` or `en_GB`.
    package mutating func check(_ code: String) -> Verdict {
        if let verdict = known[code] { return verdict }
        let verdict = Self.makeVerdict(code)
        // Bounded: a file may have any number of different wrong codes.
        if known.count < 10_000 { known[code] = verdict }
        return verdict
    }

    private static func makeVerdict(_ code: String) -> Verdict {
        guard code.utf8.count <= 20 else { return .unknown(suggestion: nil) }
        let parts = LocaleName.plain(code).split(separator: "_", omittingEmptySubsequences: false)
        guard !code.isEmpty, parts.count <= 3, let language = parts.first?.lowercased(),
            !code.contains("."), !code.contains("@")
        else { return .unknown(suggestion: nearest(code, parts.map(String.init))) }
        var rest = parts.dropFirst().map(String.init)
        var normal = language
        var isGood = isLanguage(language) && language != "und"
        if let script = rest.first, script.utf8.count == 4 {
            normal += "_" + script.prefix(1).uppercased() + script.dropFirst().lowercased()
            isGood = isGood && Locale.Script(script).isISOScript
            rest.removeFirst()
        }
        if let region = rest.first {
            normal += "_" + region.uppercased()
            isGood = isGood && regions.contains(region.uppercased())
            rest.removeFirst()
        }
        if isGood, rest.isEmpty { return .good(normal) }
        return .unknown(suggestion: nearest(code, parts.map(String.init)))
    }

    /// The list of all languages is made only for a code of three letters: few catalogs have one,
    /// and the list takes as long as the rest of a small file.
    private static func isLanguage(_ code: String) -> Bool {
        code.utf8.count == 2
            ? Locale.LanguageCode(code).isISOLanguage : languages.contains(code)
    }

    private static let languages = Set(Locale.LanguageCode.isoLanguageCodes.map(\.identifier))
    private static let regions = Set(Locale.Region.isoRegions.map(\.identifier))

    /// The language of a region (`jp`), the region of a common other code (`en_UK`), a language by
    /// its English name, or the nearest two-letter language.
    private static func nearest(_ code: String, _ parts: [String]) -> String? {
        guard let first = parts.first, !first.isEmpty, code.utf8.count <= 20 else { return nil }
        guard languages.contains(first.lowercased()) else {
            return language(meantBy: first).map { language in
                ([language] + parts.dropFirst().filter { isRegion($0) }).joined(separator: "_")
            }
        }
        guard parts.count > 1, let last = parts.last, last.utf8.count >= 2 else {
            return first.lowercased()
        }
        guard let region = Storefront.nearest(to: last) else { return first.lowercased() }
        return first.lowercased() + "_" + region.regionCode
    }

    private static func isRegion(_ text: String) -> Bool { regions.contains(text.uppercased()) }

    private static func language(meantBy text: String) -> String? {
        let word = text.lowercased()
        let english = Locale(identifier: "en")
        let common = languages.filter { $0.utf8.count == 2 }
        if word.utf8.count > 3 {
            let names = common.compactMap { code in
                english.localizedString(forLanguageCode: code).map { ($0.lowercased(), code) }
            }
            let byName = Dictionary(names, uniquingKeysWith: min)
            return SpellingSuggestion.nearest(to: word, among: byName.keys).flatMap { byName[$0] }
        }
        if let region = Storefront.find(word)?.regionCode {
            let likely = Locale.Language(identifier: "und_" + region).maximalIdentifier
            return likely.split(separator: "-").first.map(String.init)
        }
        return SpellingSuggestion.nearest(to: word, among: common)
    }
}
