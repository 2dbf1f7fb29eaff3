import Basics
import Foundation
@testable import Shop
import ShopText
import StoreModel
import Terminal
import Testing

/// The settings of a person: what is read, what comes first, and what hides what.
@Suite struct SettingsTests {
    /// A check as the program's, for the settings without a list of words.
    private static func check(_ setting: PersonSetting, _ value: String) -> SettingCheck {
        switch setting {
        case .locale: ["en", "ja_JP"].contains(value) ? .good : .wrong(nearest: "ja_JP")
        default: ["4M", "unlimited"].contains(value) ? .good : .wrong(nearest: nil)
        }
    }

    static func read(_ text: String, _ environment: [String: String] = [:]) -> PersonSettings {
        PersonSettings(
            file: .bytes(Array(text.utf8)), environment: environment, check: check)
    }

    private static let whole = """
        # mine
        theme = "sepia"
        language = "ja"
        locale = "ja_JP"
        glyphs = "ascii"
        animation = false
        bandwidth = "4M"

        [keys]
        buy = "x1"
        """

    @Test("every setting is read from the file, with its line")
    func file() {
        let settings = Self.read(Self.whole.replacing("\"x1\"", with: "\"K\""))
        #expect(settings.problems.isEmpty && settings.hasFile)
        let values = PersonSetting.allCases.map { settings.given[$0]?.value }
        #expect(values == ["sepia", "ja", "ja_JP", "ascii", "false", "4M"])
        let sources = PersonSetting.allCases.map { settings.given[$0]?.source }
        #expect(sources == (2...7).map { .line($0) })
        #expect(settings.keys.chosen == [.buy: ["K"]] && settings.keyLines == [.buy: 10])
        let none = PersonSettings(file: .none, environment: [:], check: Self.check)
        #expect(none.given.isEmpty && none.problems.isEmpty && !none.hasFile)
    }

    @Test(
        "the command line comes first, then the environment, then the file, then the account",
        arguments: [
            ("dark", "light", "theme = \"sepia\"", "dark", .option("--theme")),
            (nil, "light", "theme = \"sepia\"", "light", .variable("STOREFRONT_THEME")),
            (nil, "", "theme = \"sepia\"", "sepia", .line(1)),
            (nil, nil, "theme = \"sepia\"", "sepia", .line(1)),
            (nil, "lihgt", "theme = \"sepia\"", "sepia", .line(1)),
            (nil, "light", "theme = \"spia\"", "light", .variable("STOREFRONT_THEME")),
            ("dark", nil, "", "dark", .option("--theme")), (nil, nil, "", nil, nil),
        ] as [(String?, String?, String, String?, SettingSource?)])
    func order(
        option: String?, variable: String?, text: String, value: String?, source: SettingSource?
    ) {
        let settings = Self.read(text, variable.map { ["STOREFRONT_THEME": $0] } ?? [:])
        let found = settings.value(.theme, option: option)
        #expect(found?.value == value && found?.source == source)
    }

    @Test(
        "the words follow a language or a locale, whichever comes first",
        arguments: [
            (nil, "en", [:], "language = \"ja\"", "en", .option("--locale")),
            (nil, "ja_JP", ["STOREFRONT_LANGUAGE": "en"], "", "ja", .option("--locale")),
            ("en", "ja_JP", [:], "", "en", .option("--language")),
            (
                nil, nil, ["STOREFRONT_LOCALE": "ja_JP"], "language = \"en\"", "ja",
                .variable("STOREFRONT_LOCALE")
            ),
            (nil, nil, [:], "locale = \"ja_JP\"\nlanguage = \"en\"", "en", .line(2)),
            (nil, nil, [:], "locale = \"ja_JP\"", "ja", .line(1)),
            // The program has no words in German.
            (nil, "de_DE", [:], "language = \"ja\"", "ja", .line(1)),
            (nil, nil, [:], "", nil, nil),
        ] as [(String?, String?, [String: String], String, String?, SettingSource?)])
    func words(
        option: String?, locale: String?, environment: [String: String],
        text: String, value: String?, source: SettingSource?
    ) {
        let found = Self.read(text, environment).language(option: option, locale: locale)
        #expect(found?.value == value && found?.source == source)
    }

    @Test(
        "a key that no label can show is refused",
        arguments: [
            "\u{202E}", "\u{200D}", "\u{AD}", "\u{7F}", "\u{85}", "\u{378}", "\u{FFFF}", "\u{2800}",
            "\u{3164}", "\u{301}", "\u{FE0F}", "\u{A0}",
        ])
    func unseenKey(key: String) {
        let settings = Self.read("[keys]\nbuy = \"\(key)\"")
        #expect(settings.problems.map(\.line) == [2] && settings.keys.chosen.isEmpty)
    }

    @Test("a key that a label shows is taken", arguments: ["é", "日", "ß", "€", "e\u{301}"])
    func seenKey(key: String) {
        let settings = Self.read("[keys]\nbuy = \"\(key)\"")
        #expect(settings.problems.isEmpty && settings.keys.chosen == [.buy: [key]])
    }

    @Test(
        "each mistake is told with its place and the nearest right word, and the rest holds",
        arguments: [
            ("thme = \"dark\"", "thme", .setting, "theme"), ("zzzzzz = 1", "zzzzzz", .setting, nil),
            ("[kesy]\nbuy = \"x\"", "kesy", .table, "keys"),
            ("language = \"jp\"", "language = jp", .word(["en", "ja"]), "ja"),
            ("language = true", "language = true", .word(["en", "ja"]), nil),
            ("animation = \"true\"", "animation = true", .trueOrFalse, nil),
            ("glyphs = [\"ascii\"]", "glyphs = [ascii]", .word(["auto", "ascii"]), nil),
            ("bandwidth = 400", "bandwidth = 400", .bandwidth, nil),
            ("locale = \"jp_JA\"", "locale = jp_JA", .locale, "ja_JP"),
            ("[keys]\nbuuy = \"x\"", "buuy", .binding, "buy"),
            ("[keys]\nbuy = \"spce\"", "spce", .key, "space"),
            ("[keys]\nbuy = \" \"", " ", .key, nil),
            ("[keys]\nbuy = []", "buy = []", .keys, nil),
            ("[keys]\nbuy = 1", "buy = 1", .keys, nil),
            ("[keys]\nbuy = \"enter\"", "enter", .chosenKey, nil),
            ("[keys]\nquit = [\"q\", \"ctrl-c\"]", "ctrl-c", .chosenKey, nil),
            ("[keys]\nbuy = \"r\"", "buy = r", .keyBeside("restore"), nil),
            ("[keys]\nhelp = \"5\"", "help = 5", .keyBeside(nil), nil),
            ("[keys]\nsort = \"ctrl-r\"", "sort = ctrl-r", .keyBeside("reset"), nil),
            ("theme = dark", "dark", .syntax(.value), nil),
        ] as [(String, String, SettingProblem.Expected, String?)])
    func mistakes(
        line: String, found: String, expected: SettingProblem.Expected, nearest: String?
    ) {
        let settings = Self.read("theme = \"sepia\"\n\(line)\n[keys2]\n[keys]\nsearch = \"!\"\n")
        let own = settings.problems.filter {
            ($0.line ?? 4) < 4 && $0.found != "keys2"
        }
        let problem = SettingProblem(own.first?.place, found, expected, nearest: nearest)
        #expect(own == [problem], "\(settings.problems)")
        #expect(settings.given[.theme]?.value == "sepia")
        for strings in [Strings.english, Strings(locale: "ja_JP")] {
            let text = strings[.settingProblem(problem)]
            #expect(text.contains("config.toml") && text.count > 20, "\(text)")
        }
    }

    @Test("a wrong variable of the environment is told, and the file's value holds")
    func variable() {
        let settings = Self.read("theme = \"sepia\"", ["STOREFRONT_THEME": "seppia"])
        let themes = ["auto"] + ThemeName.allCases.map(\.rawValue)
        #expect(
            settings.problems == [
                SettingProblem(
                    .variable("STOREFRONT_THEME"), "theme = seppia", .word(themes),
                    nearest: "sepia")
            ])
        #expect(
            Strings.english[.settingProblem(settings.problems[0])]
                .hasPrefix("$STOREFRONT_THEME: found \"theme = seppia\", expected \"auto\", "))
        #expect(settings.given[.theme]?.value == "sepia")
    }

    @Test(
        "something else in the file's place is a problem of its own",
        arguments: [.file, .fewerBytes, .readableFile] as [SettingProblem.Expected])
    func noFile(expected: SettingProblem.Expected) {
        let settings = PersonSettings(
            file: .problem("found", expected), environment: ["STOREFRONT_THEME": "dark"],
            check: Self.check)
        #expect(settings.problems == [SettingProblem(nil, "found", expected)])
        #expect(Strings.english[.settingProblem(settings.problems[0])].hasPrefix("config.toml: "))
        #expect(settings.given[.theme]?.value == "dark")
    }

    // MARK: - Keys

    @Test("of two bindings with one key the later has its usual key again; a swap is none")
    func conflicts() {
        let swapped = Self.read("[keys]\nbuy = \"r\"\nrestore = \"b\"\nrefresh = \"b\"")
        #expect(swapped.problems.isEmpty, "\(swapped.problems)")
        let both = Self.read("[keys]\nbuy = \"%\"\nsort = \"%\"")
        #expect(
            both.problems
                == [SettingProblem(.line(3), "sort = %", .keyBeside("buy"))])
        #expect(both.keys.chosen == [.buy: ["%"]])
        // Without its own key, restore has that of buy, which therefore cannot keep it either.
        let chain = Self.read("[keys]\nbuy = \"r\"\nrestore = \"q\"")
        #expect(chain.problems.map(\.line) == [2, 3])
        #expect(chain.keys.chosen.isEmpty)
    }

    @Test("a file that names each usual key has no conflict, and every name has a binding")
    func usualKeys() {
        let lines = KeyName.allCases.map { name in
            "\(name.rawValue) = [" + name.usual.map { "'\($0)'" }.joined(separator: ", ") + "]"
        }
        let settings = Self.read("[keys]\n" + lines.joined(separator: "\n"))
        #expect(settings.problems.isEmpty, "\(settings.problems)")
        #expect(settings.keys == OwnKeys())
        let bound = Component.allCases.flatMap { $0.type.keys } + Tour.keys + [.reset]
        #expect(Set(bound.flatMap(\.names)) == Set(KeyName.allCases))
        for name in KeyName.allCases {
            #expect(OwnKeys().keys(of: name).count == name.usual.count, "\(name)")
        }
    }

    @Test("the guide names every setting and every key binding, and its usual keys")
    func guide() throws {
        let path = "../../../Documentation/guide/settings.md"
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: path)
        let text = try String(contentsOf: file, encoding: .utf8)
        for setting in PersonSetting.allCases {
            #expect(text.contains("| `\(setting.rawValue)` | `\(setting.variable)` |"))
        }
        for name in KeyName.allCases {
            let keys = name.usual.map { "`\($0)`" }.joined(separator: " ")
            #expect(text.contains("| `\(name.rawValue)` | \(keys) |"), "\(name)")
        }
    }

    // MARK: - What hides the account's value

    @Test("a language chosen on screen is the account's, and the screen says what hides it")
    func language() {
        for source in [nil, .line(3), .option("--language")] as [SettingSource?] {
            var state = SampleShop.full()
            state.own.hiding[.language] = source
            let choice = PaletteChoice.language("ja")
            #expect(!state.isSoNow(choice))
            let effects = state.choose(
                choice,
                ShopMoment(now: SampleShop.now, paymentID: SampleShop.payment(0)))
            #expect(
                effects == [.setValue(AccountValue(key: AccountValue.languageKey, value: "ja"))])
            #expect(state.isSoNow(choice))
            #expect(state.language == (source == nil ? "ja" : "en_US"))
            let kept = source.map { StatusText.settings(.keptForAccount($0)) }
            #expect(source == nil || state.statusMessage?.what == kept)
        }
        #expect(
            Strings.english[StatusText.settings(.keptForAccount(.line(3)))]
                == "Kept for your account. Here line 3 of config.toml comes first.")
    }

    @Test("mistakes in the settings are a notice of their own")
    func notice() {
        var probe = ShopProbe()
        probe.happen(.settingsRead(mistakes: 2))
        #expect(probe.state.statusMessage?.what == .settings(.settingsFaulty(2)))
        #expect(
            Strings.english[SettingText.settingsFaulty(1)]
                == "1 mistake in your settings; what is right in them holds. See: "
                + "storefront config check")
    }

    @Test("without animation a balance has its new amount at once")
    func animation() {
        for animates in [true, false] {
            var state = SampleShop.full()
            state.own.animates = animates
            var probe = ShopProbe(state)
            probe.refresh { $0.balances = [Balance(unit: "coins", amount: 1_000_000)] }
            #expect((probe.state.deadlines.nextCount == nil) != animates)
            #expect((probe.state.shownBalances.first?.amount == 1_000_000) != animates)
        }
    }
}
