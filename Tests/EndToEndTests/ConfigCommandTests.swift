import Foundation
import Testing

/// The settings of a person, by command and in the shop.
@Suite("settings", .withProgram, .inTurn)
struct ConfigCommandTests {
    private static func box(_ settings: String) throws -> Sandbox {
        let box = try Sandbox()
        try FileManager.default.createDirectory(
            atPath: box.folder + "/config/storefront", withIntermediateDirectories: true)
        try Data(settings.utf8).write(to: URL(filePath: file(box)))
        return box
    }

    private static func file(_ box: Sandbox) -> String {
        box.folder + "/config/storefront/config.toml"
    }

    @Test("config prints where settings are, what they are and where they come from")
    func show() async throws {
        let none = try Sandbox()
        #expect(try await none.succeed("config", "path").output == Self.file(none) + "\n")
        let check = try await none.succeed("config", "check")
        #expect(check.output.hasPrefix("There is no \(Self.file(none)), and none is needed."))
        let usual = try await none.succeed("config", "show").lines
        #expect(usual.allSatisfy { $0.hasPrefix("# ") || $0 == "[keys]" || $0.isEmpty })

        let box = try Self.box(
            "theme = \"sepia\"\nlanguage = \"ja\"\n[keys]\nbuy = [\"K\", '\"']\n")
        let good = try await box.succeed("config", "check", "--language", "en")
        #expect(good.output == "The settings are good: 2 settings, 1 key binding.\n")
        let shown = try await box.run(
            ["config", "show", "--language", "en"],
            changing: ["STOREFRONT_THEME": "dark", "STOREFRONT_ANIMATION": "false"])
        let lines = shown.lines.map { $0.replacing(#/ +/#, with: " ") }
        for line in [
            "theme = \"dark\" # $STOREFRONT_THEME", "language = \"en\" # --language",
            "animation = false # $STOREFRONT_ANIMATION", "# bandwidth = \"256k\" # as usual",
            "buy = [\"K\", \"\\\"\"] # line 4 of config.toml", "# restore = \"r\" # as usual",
        ] {
            #expect(lines.contains(line), "\(line)\n\(shown.output)")
        }
        // What is shown is a settings file, also with all its comments made into settings.
        for text in [shown.output, shown.output.replacing("\n# ", with: "\n")] {
            let again = try Self.box(text)
            let answer = try await again.run("config", "check")
            #expect(answer.code == 0, "\(answer.whole)")
        }
        let json = try await box.succeed("config", "show", "--json").json
        #expect(json.first { $0["setting"].text == "theme" }?["source"].text?.contains("1") == true)
        // Commands obey the file.
        #expect(try await box.run("values").errors.contains("ありません"))
        #expect(try await box.run("values", "--language", "en").errors.hasPrefix("There is no"))
        let english = try await box.run(["values"], changing: ["STOREFRONT_LANGUAGE": "en"])
        #expect(english.errors.hasPrefix("There is no such value"))
    }

    @Test("an empty locale and a key that cannot be seen are mistakes, and are shown")
    func unseen() async throws {
        let box = try Self.box("locale = \"\"\n[keys]\nbuy = \"\u{202E}\"\n")
        let check = try await box.run("config", "check")
        #expect(check.code == 65 && check.lines.count == 2)
        #expect(check.lines.first?.hasPrefix("line 1 of config.toml: found \"locale = \"") == true)
        #expect(check.lines.last?.contains("\\u{202E}") == true, "\(check.output)")
        #expect(try await box.run("products", "--locale", "").code == 64)
    }

    @Test("a locale of the command line comes before the language of the file")
    func localeFirst() async throws {
        let box = try Self.box("language = \"ja\"\n")
        #expect(try await box.run("values").errors.contains("ありません"))
        let asked = try await box.run("values", "--locale", "en_US")
        #expect(asked.errors.hasPrefix("There is no such value"))
        let given = try await box.run(["values"], changing: ["STOREFRONT_LOCALE": "en_US"])
        #expect(given.errors.hasPrefix("There is no such value"))
    }

    @Test("each mistake is printed with its line; a command and the shop say so once, and open")
    func mistakes() async throws {
        let box = try Self.box(
            "theme = \"seppia\"\nlanguag = \"ja\"\n[keys]\nbuy = \"r\"\nquit = \"Q\"\nsort = S\n")
        let check = try await box.run("config", "check")
        #expect(check.code == 65)
        #expect(
            check.lines.map { String($0.prefix { $0 != ":" }) }
                == [1, 2, 4, 6].map { "line \($0) of config.toml" })
        for word in ["\"sepia\"", "\"language\"", "restore", "\"S\""] {
            #expect(check.output.contains(word), "\(check.output)")
        }
        #expect(try await box.run("config", "check", "--json").json.count == 4)
        let told =
            "4 mistakes in your settings; what is right in them holds. See: storefront config check"
        let products = try await box.succeed("products")
        #expect(products.errors == told + "\n")
        // Of those that open no store, too, but for the ones that are about settings.
        for command in [["catalog", "check", "none"], ["paths"], ["manual"], ["verify", "a.b.c"]] {
            let answer = try await box.run(command)
            #expect(answer.errors.components(separatedBy: told).count == 2, "\(command)")
        }
        #expect(try await box.succeed("config", "path").errors.isEmpty)
        try await ShopOnTerminal.run(box, columns: 100, script: ShopOnTerminal.around) { shop in
            try await shop.see("storefront config check")
            try await shop.seeLine("Q quit", "b buy")
            shop.type("Q")
            try await shop.see("ended 0, mode kept")
        }
    }

    @Test("a folder, an unreadable file or a pipe in the file's place keeps nothing from opening")
    func noFile() async throws {
        for (make, words) in [
            ("mkdir -p $file", "expected a file."),
            ("mkfifo $file", "expected a file."),
            ("yes '# long' | head -c 70000 > $file", "> 65536 bytes"),
            ("ln -s config.toml $file", "expected a file that can be read"),
        ] {
            let box = try Self.box("")
            let file = Self.file(box)
            let made = try await RunningProgram(
                "bash", ["-c", "rm -f $file; " + make],
                environment: box.environment.merging(["file": file]) { $1 }, folder: box.work
            ).end()
            #expect(made.code == 0, "\(made.errors)")
            let check = try await box.run("config", "check")
            #expect(check.code == 65 && check.output.contains(words), "\(make): \(check.whole)")
            let paths = try await box.succeed("products")
            #expect(paths.errors.hasPrefix("1 mistake in your settings"), "\(make)")
        }
    }

    @Test("the file hides the language that is chosen on screen, and the screen says so")
    func hidden() async throws {
        let box = try Self.box("language = \"en\"\n")
        let keys = ":,w,o,r,d,s,space,日,本,語,enter"
        let hidden = try await box.succeed("screenshot", "--keys", keys, "--size", "100x24")
        #expect(hidden.output.contains("line 1 of config.toml comes first"), "\(hidden.output)")
        #expect(try await box.succeed("values").output == "language  ja\n")
        try FileManager.default.removeItem(atPath: Self.file(box))
        #expect(try await box.succeed("screenshot").output.contains("ヘルプ"))
    }
}
