import Foundation
import ShopText
@testable import StoreModel
import Testing

@Suite("languages")
struct LanguageTests {
    /// From the sources, because keys have arguments and so cannot be listed at run time.
    private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    private static func files(of folder: String) throws -> [(name: String, text: String)] {
        let files = FileManager.default.enumerator(
            at: sources.appending(path: folder), includingPropertiesForKeys: nil)
        return try (files?.allObjects ?? []).compactMap { $0 as? URL }
            .filter { $0.pathExtension == "swift" }
            .map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) }
    }

    private static func isTable(_ name: String) -> Bool {
        Languages.all.contains { name.hasSuffix("\($0).swift") }
    }

    /// The names of an enum's cases, without their arguments.
    private static func keys(_ text: String) -> [String] {
        let argumentList = #/\([^()]*\)/#
        let lines = text.split(separator: "\n").filter {
            $0.hasPrefix("    case ")
        }
        return lines.flatMap { line -> [String] in
            // The arguments first, because they are no keys; a long list ends on a later line.
            String(line.dropFirst("    case ".count)).replacing(argumentList, with: "")
                .replacing(/\(.*$/, with: "")
                .split(separator: ",")
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    @Test("no text is left in a table that nothing shows")
    func noneUnused() throws {
        let used = try Self.files(of: "").filter { !Self.isTable($0.name) }.map(\.text).joined()
        let names = Set(used.matches(of: /\.([a-z][A-Za-z]*)/).map { String($0.1) })
        let keyFiles = try Self.files(of: "ShopText").filter { $0.name.hasSuffix("Text.swift") }
        #expect(keyFiles.flatMap { Self.keys($0.text) }.count > 900)
        for (name, text) in keyFiles {
            #expect(Self.keys(text).filter { !names.contains($0) } == [], "\(name)")
        }
    }

    /// Keys with only names, numbers and dates, which are the same in every language.
    private static let sameEverywhere: Set = [
        "about", "each", "items", "itemFor", "claimedBy", "progressOf", "perPeriod", "lengthOfTime",
        "fileOf", "balanceOf", "bytesOf", "dayAndTime", "downloadFailed", "downloadWaits",
        "attempt", "attempts",
    ]

    @Test("every Japanese text is Japanese, but for names and numbers alone")
    func japaneseIsJapanese() throws {
        let table = try Self.files(of: "ShopText").filter { $0.name.hasSuffix("Japanese.swift") }
            .map(\.text).joined()
        let japanese = #/[\p{Hiragana}\p{Katakana}\p{Han}]/#
        let entries = table.components(separatedBy: "\n        case .").dropFirst()
        #expect(entries.count > 900)
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
            (Strings.english[.failuresQueued(1)], "1 failure set"),
            (Strings.english[.failuresQueued(2)], "2 failures set"),
            (Strings.english[.perPeriod(1, .month)], "/month"),
            (Strings.english[.perPeriod(3, .month)], "/3 months"),
            (Strings.english[.lengthOfTime(1, .year)], "1 year"),
        ])
    func plurals(text: String, english: String) {
        #expect(text == english)
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

    @Test(
        "a change of a family speaks to the customer who reads it, and names everybody else",
        arguments: [
            (.created, "aoi created a family", "you created a family"),
            (
                .joined("kai", .child), "kai joined the family of aoi as a child",
                "kai joined your family as a child"
            ),
            (.joined("me", .adult), "me joined the family of aoi", "me joined your family"),
            (.disbanded, "the family of aoi ended", "your family ended"),
            (.roleChanged("aoi", .adult), "aoi is an adult now", "you are an adult now"),
            (
                .consentRescinded("aoi"), "consent to the app withdrawn for aoi",
                "consent to the app withdrawn for you"
            ),
            (
                .sharingChanged("aoi", nil, isOn: false), "aoi no longer shares purchases",
                "you no longer share purchases"
            ),
        ] as [(FamilyChange.What, String, String)])
    func family(what: FamilyChange.What, told: String, toAoi: String) {
        let change = FamilyChange(what: what, organizer: "aoi", family: nil)
        #expect(Strings.english.event(change, product: nil) == told)
        #expect(Strings.english.event(change, product: nil, reader: "aoi") == toAoi)
        let sentence = Strings.english[.familyChanged(change, name: nil, to: "kai")]
        #expect(sentence.first?.isUppercase == true && sentence.hasSuffix("."))
        let japanese = Strings(locale: "ja_JP").event(change, product: nil, reader: "aoi")
        #expect(japanese.contains("あなた"))
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
