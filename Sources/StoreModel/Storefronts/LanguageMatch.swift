import Basics
import Foundation

/// How well texts in other locales serve a person who reads one locale: language matching as
/// Unicode's CLDR does it (UTS #35, Language Matching; the distances are those of its
/// `languageInfo.xml`, `written_new`). Likely scripts and regions are Foundation's.
///
/// Of CLDR's pairs of different languages it has those of one language under several codes. A
/// language that many people also read, such as Russian for Kazakh, is the catalog's decision.
package struct LanguageMatch: Sendable {
    /// A locale with its likely script and region: `zh_TW` has the script `Hant`.
    private struct Tag: Hashable {
        var language: String
        var script: String
        var region: String

        init(_ locale: Locale.Language) {
            let parts = locale.maximalIdentifier.split(separator: "-").map(String.init)
            language = parts.first ?? ""
            script = parts.dropFirst().first { $0.utf8.count == 4 } ?? ""
            region = parts.dropFirst().first { (2...3).contains($0.utf8.count) } ?? ""
        }
    }

    /// The nearest is the smallest. The order among equals never depends on a file's.
    private struct Rank: Comparable {
        var distance: Int
        /// 0 for the locale itself, then its parents, then the locales that stand for a group of
        /// regions, then any other.
        var kinship: Int
        var name: String

        static func < (one: Rank, other: Rank) -> Bool {
            (one.distance, one.kinship, one.name) < (other.distance, other.kinship, other.name)
        }
    }

    /// Of the locale, plain (`LocaleName`).
    package let name: String
    private let wanted: Tag
    private let parents: [Tag]
    private let ranks = Memo<String, Rank?>(limit: 1000)

    /// Takes a locale as the environment or a person writes it (`LocaleName`).
    package init(_ locale: String) {
        name = LocaleName.plain(locale)
        wanted = Tag(Locale.Language(identifier: name))
        parents = Self.parents(of: wanted).map { Tag(Locale.Language(identifier: $0)) }
    }

    /// The one that the person reads best; nil if none is of a language that they read.
    package func best(of locales: some Sequence<String>) -> String? {
        locales.compactMap { locale in ranks.value(locale) { rank(of: locale) } }.min()?.name
    }

    /// Whether it is of the language, in any script.
    package func isSameLanguage(_ locale: String) -> Bool {
        let tag = Tag(Locale.Language(identifier: LocaleName.plain(locale)))
        return Self.distance(wanted.language, tag.language) != nil
    }

    /// Nil for a language or a script that the person does not read.
    private func rank(of locale: String) -> Rank? {
        let plain = LocaleName.plain(locale)
        let tag = Tag(Locale.Language(identifier: plain))
        guard let language = Self.distance(wanted.language, tag.language),
            let script = Self.scriptDistance(wanted, tag)
        else { return nil }
        let kinship =
            if plain == name {
                0
            } else if let step = parents.firstIndex(of: tag) {
                1 + step
            } else {
                Self.paradigms.contains(plain) ? 10 : 11
            }
        return Rank(
            distance: language + script + Self.regionDistance(wanted, tag), kinship: kinship,
            name: locale)
    }

    /// The nearest first (`parentLocales`). Not Foundation's `Locale.Language.parent`: it never
    /// returns for `no_NO` where that is also the system's locale.
    private static func parents(of tag: Tag) -> [String] {
        let usual = tag.script.isEmpty ? tag.language : "\(tag.language)_\(tag.script)"
        switch (tag.language, tag.region) {
        case ("es", let region) where isAmerican(region): return ["es_419", usual]
        case ("pt", let region) where region != "BR": return ["pt_PT", usual]
        case ("en", let region) where !unitedStates.contains(region):
            return ["en_001", "en_GB", usual]
        case ("zh", "MO") where tag.script == "Hant": return ["zh_HK", usual]
        default: return [usual]
        }
    }

    // MARK: - CLDR's distances

    /// Where neither distance nor parents decide, these come first (`paradigmLocales`).
    private static let paradigms: Set<String> = ["en", "en_GB", "es", "es_419", "pt_BR", "pt_PT"]

    private static let variants: [(Set<String>, Int)] = [
        (["no", "nb"], 1), (["hr", "bs"], 4), (["sr", "bs"], 4), (["sr", "hr"], 4),
        (["da", "no"], 8), (["da", "nb"], 8), (["nn", "nb"], 10), (["nn", "no"], 10),
    ]

    private static func distance(_ wanted: String, _ other: String) -> Int? {
        if wanted == other { return 0 }
        // Readers of Swiss German and Luxembourgish read German, but not the other way.
        if other == "de", wanted == "gsw" || wanted == "lb" { return 4 }
        return variants.first { $0.0 == [wanted, other] }?.1
    }

    /// A script that CLDR counts as 50 away is not read at all.
    private static func scriptDistance(_ wanted: Tag, _ other: Tag) -> Int? {
        if wanted.script == other.script { return 0 }
        switch (wanted.language, wanted.script, other.script) {
        case ("sr", "Latn", "Cyrl"), ("sr", "Cyrl", "Latn"): return 5
        case ("zh", "Hans", "Hant"): return 15
        case ("zh", "Hant", "Hans"): return 19
        default: return nil
        }
    }

    /// Regions of one group are nearer to each other than to those outside it.
    private static func regionDistance(_ wanted: Tag, _ other: Tag) -> Int {
        if wanted.region == other.region { return 0 }
        let isIn: (String) -> Bool
        switch (wanted.language, wanted.script) {
        case ("ar", _): isIn = { ["MA", "DZ", "TN", "LY", "MR", "EH"].contains($0) }
        case ("en", _): isIn = { unitedStates.contains($0) }
        case ("es", _), ("pt", _): isIn = isAmerican
        case ("zh", "Hant"): isIn = { ["HK", "MO"].contains($0) }
        default: return 4
        }
        return isIn(wanted.region) == isIn(other.region) ? 4 : 5
    }

    private static let unitedStates: Set<String> = [
        "AS", "GU", "MH", "MP", "PR", "UM", "US", "VI",
    ]

    private static func isAmerican(_ region: String) -> Bool {
        region == "419" || Locale.Region(region).continent == Locale.Region("019")
    }
}
