import Foundation
import ShopText
import StoreModel
import Testing

@Suite("languages")
struct LanguageTests {
    /// The keys are read from the sources, because they have arguments and so cannot be listed at
    /// run time.
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: sources.appending(path: path), encoding: .utf8)
    }

    /// The names of an enum's cases, without their arguments.
    private static func keys(_ file: String) throws -> [String] {
        let argumentList = #/\([^()]*\)/#
        let lines = try text("ShopText/" + file).split(separator: "\n").filter {
            $0.hasPrefix("    case ")
        }
        return lines.flatMap { line -> [String] in
            // Remove the arguments first, because they are no keys; a long list ends on a later
            // line.
            String(line.dropFirst("    case ".count)).replacing(argumentList, with: "")
                .replacing(/\(.*$/, with: "")
                .split(separator: ",")
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test("no text is left in a table that nothing shows")
    func noneUnused() throws {
        var used = ""
        let files = FileManager.default.enumerator(
            at: Self.sources, includingPropertiesForKeys: nil)
        for case let file as URL in files?.allObjects ?? [] where file.pathExtension == "swift" {
            if file.path.contains("/ShopText/Languages/") { continue }
            used += try String(contentsOf: file, encoding: .utf8)
        }
        let names = Set(used.matches(of: /\.([a-z][A-Za-z]*)/).map { String($0.1) })
        for file in ["ScreenText.swift", "ErrorText.swift", "CommandText.swift"] {
            let keys = try Self.keys(file)
            #expect(keys.count > 60, "\(file) is read")
            #expect(keys.filter { !names.contains($0) } == [], "\(file)")
        }
    }

    /// Keys with only names, numbers and dates, which are the same in every language.
    private static let sameEverywhere: Set = [
        "about", "each", "items", "itemFor", "claimedBy", "progressOf", "perPeriod", "lengthOfTime",
        "fileOf", "balanceOf", "dayAndTime",
    ]

    @Test("every Japanese text is Japanese, but for names and numbers alone")
    func japaneseIsJapanese() throws {
        let table = try ["Languages/Japanese", "Messages/OperatorAction+Japanese"]
            .map { try Self.text("ShopText/\($0).swift") }.joined()
        let japanese = #/[\p{Hiragana}\p{Katakana}\p{Han}]/#
        let entries = table.components(separatedBy: "\n        case .").dropFirst()
        #expect(entries.count > 300)
        let others = entries.filter { $0.contains("\"") && !$0.contains(japanese) }
            .map { String($0.prefix { $0.isLetter }) }
        #expect(Set(others).subtracting(Self.sameEverywhere) == [])
    }

    @Test(
        "a language is found by its code and by a locale",
        arguments: [
            ("ja", "ja"), ("ja_JP", "ja"), ("ja-JP.UTF-8", "ja"), ("JA", "ja"), ("en_GB", "en"),
            ("de_DE", "en"), ("", "en"), ("C", "en"),
        ])
    func languages(identifier: String, code: String) {
        #expect(Languages.named(identifier).code == code)
    }

    @Test("a terminal that shows only ASCII is told in English, whatever the language")
    func asciiIsEnglish() {
        let strings = Strings(locale: "ja_JP", isASCII: true)
        #expect(strings[.owned] == "owned")
        #expect(Strings(locale: "ja_JP")[.owned] == "購入済み")
        #expect(Strings(locale: "ja_JP", language: "en")[.owned] == "owned")
        #expect(Strings(locale: "en_US", language: "ja")[.owned] == "購入済み")
    }

    @Test(
        "one thing is counted in the singular",
        arguments: [
            (ScreenText.failuresQueued(1), "1 failure set"),
            (.failuresQueued(2), "2 failures set"), (.perPeriod(1, .month), "/month"),
            (.perPeriod(3, .month), "/3 months"), (.lengthOfTime(1, .year), "1 year"),
        ])
    func plurals(text: ScreenText, english: String) {
        #expect(Strings.english[text] == english)
    }

    @Test(
        "dates are in the language of the words, with the year where it is another one",
        arguments: [
            ("en_US", "en", "Dec 21", "Dec 21, 2027"), ("ja_JP", "ja", "12月21日", "2027年12月21日"),
            ("ja_JP", "en", "Dec 21", "Dec 21, 2027"), ("zh_TW", nil, "Dec 21", "Dec 21, 2027"),
            ("en_US", "ja", "12月21日", "2027年12月21日"),
        ] as [(String, String?, String, String)])
    func dates(locale: String, language: String?, thisYear: String, another: String) {
        let strings = Strings(
            locale: locale, language: language, formatters: LocalizedFormatters(timeZone: "UTC"))
        let now = Timestamp(milliseconds: 1_795_294_275_217)
        let december = Timestamp(milliseconds: 1_797_840_000_000)
        #expect(strings.day(december, now: now) == thisYear)
        #expect(strings.day(december.advanced(byMilliseconds: 31_536_000_000), now: now) == another)
    }

    @Test("what an event changed of an account is said first")
    func accountChanges() {
        let before = AccountSettings(name: "kai", territory: "USA")
        var settings = before
        settings.canMakePayments = false
        #expect(
            Strings.english.event(settings, before: before)
                == "payments off, Ask to Buy off, United States")
        #expect(Strings.english.event(settings) == "Ask to Buy off, payments off, United States")
        settings.disablesDialogs = true
        settings.locale = "ja_JP"
        #expect(
            Strings.english.event(settings, before: before)
                == "payments off, payment without a sheet, locale ja_JP, Ask to Buy off, "
                + "United States")
        #expect(
            Strings.english.event(before, before: settings)
                == "payments allowed, payment sheets, no locale, Ask to Buy off, United States")
    }
}
