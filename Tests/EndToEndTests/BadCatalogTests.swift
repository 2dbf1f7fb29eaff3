import Foundation
import Testing

@Suite("bad catalogs: one clear message, and nothing changed", .withProgram, .inTurn)
struct BadCatalogTests {
    private static let texts: [(String, String)] = [
        ("empty", ""), ("half", "{\"format\": 1, \"products\": ["), ("list", "[]"),
        ("number", "7"), ("old", "{\"format\": 99}"), ("text", "hello"),
        ("bytes", "\u{FFFD}\u{0}\u{1}"), ("deep", String(repeating: "[", count: 100_000)),
    ]

    @Test(
        "a file that is no catalog is refused, and the store stays unchanged",
        arguments: texts.map(\.0))
    func refused(name: String) async throws {
        let text = try #require(Self.texts.first { $0.0 == name }?.1)
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let before = box.storeContents
        let file = try box.file("\(name).json", text)
        for command in [["products"], ["buy", "lantern.coins.10"], ["paths"]] {
            let answer = try await box.run(command + ["--catalog", file])
            #expect(answer.code == 65, "\(answer.errors)")
            #expect(answer.errors.hasPrefix("storefront: The catalog cannot be used: \(file)\n"))
            #expect(answer.errors.contains("error: "))
            #expect(answer.errors.contains("Nothing was changed. Check it with"))
            #expect(answer.output.isEmpty)
        }
        #expect(before.differences(box.storeContents).isEmpty)
    }

    @Test("a catalog that changes a sold product's type is reported with its line, not adopted")
    func soldProductChanged() async throws {
        let box = try Sandbox()
        try box.copyContent()
        try await box.succeed("buy", "lantern.theme.sepia")
        let sold = "\"id\": \"lantern.theme.sepia\",\n      \"type\": "
        let text = try String(contentsOfFile: Program.catalog, encoding: .utf8)
        let file = try box.file(
            "changed.json",
            text.replacing(sold + "\"nonConsumable\"", with: sold + "\"nonRenewing\""))

        // The check finds the problem beforehand and suggests another store.
        #expect(try await box.run("catalog", "check", file).code == 0)
        let check = try await box.run("catalog", "check", file, "--store", box.store)
        #expect(check.code == 65)
        #expect(check.lines.count { $0.hasPrefix("error: ") } == 1, "\(check.output)")
        let place = try #require(check.output.firstMatch(of: /products\[\d+\]\.type \(line \d+\)/))
        #expect(check.output.contains("another store takes it as it is: --store DIR"))

        // The store still sells by its last valid catalog: the owned product is not sold again.
        let again = try await box.run("buy", "lantern.theme.sepia", "--catalog", file)
        #expect(again.code == 0)
        #expect(again.output.contains("Already owned: Sepia"), "\(again.output)")
        #expect(again.errors.contains("the last good one stays on sale"), "\(again.errors)")
        #expect(again.errors.contains(place.0), "\(again.errors)")

        let other = try await box.run(
            "buy", "lantern.theme.sepia", "--catalog", file, "--store", box.work + "/other")
        #expect(other.code == 0)
        // In a new store the file has only a warning: season passes cannot be shared.
        #expect(!other.errors.contains("error"), "\(other.errors)")
        #expect(other.errors.contains("familyShareable (line "), "\(other.errors)")
    }

    @Test("a store that does not exist yet refuses no catalog; checking says so and creates none")
    func checkWithoutAStore() async throws {
        let box = try Sandbox()
        let folder = box.work + "/nothing"
        let answer = try await box.run("catalog", "check", Program.catalog, "--store", folder)
        #expect(answer.code == 0)
        #expect(answer.output.contains("Valid: 21 products"), "\(answer.output)")
        #expect(answer.errors.contains("There is no store at \(folder) yet"), "\(answer.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder))
        // A file in the place of the store's folder is refused like a store that cannot be read.
        let file = try box.file("file", "")
        let unreadable = try await box.run("catalog", "check", Program.catalog, "--store", file)
        #expect(unreadable.code == 69, "\(unreadable.errors)")
    }

    @Test("a catalog path that cannot be read is named in the error")
    func unreadable() async throws {
        let box = try Sandbox()
        let folder = box.work + "/folder.json"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        for file in [box.work + "/missing.json", folder, "/dev/null", "/proc/self/mem"] {
            let answer = try await box.run("products", "--catalog", file)
            #expect(answer.code == 65, "\(file): \(answer.errors)")
            #expect(answer.errors.contains(file))
        }
        #expect(!FileManager.default.fileExists(atPath: box.folder + "/data"))
    }

    @Test(
        "without any catalog the program sells the demo it carries, and a catalog here comes first")
    func embeddedDemo() async throws {
        let box = try Sandbox(["STOREFRONT_CATALOG": nil, "STOREFRONT_STORE": nil])
        let sale = try await box.succeed(
            "buy", "lantern.book.lighthouse.1", "--bandwidth", "unlimited", "--json")
        #expect(sale.object["finished"].bool == true)
        let catalog = try #require(
            try await box.succeed("paths", "--json").object["catalog"].text)
        #expect(catalog.hasPrefix(box.folder + "/data/storefront/demo-"))
        // The copy equals the repository's content: no file is missing in the executable.
        let copy = (catalog as NSString).deletingLastPathComponent
        let original = (Program.catalog as NSString).deletingLastPathComponent
        let compared = try await RunningProgram(
            "diff", ["-r", original + "/Content", copy + "/Content"],
            environment: box.environment, folder: box.work
        ).end()
        #expect(compared.code == 0, "\(compared.whole)")
        #expect(
            FileManager.default.contents(atPath: catalog)
                == FileManager.default.contents(atPath: Program.catalog))
        // A copy that was changed, or lost a file, is replaced.
        try "{".write(toFile: catalog, atomically: true, encoding: .utf8)
        try FileManager.default.removeItem(atPath: copy + "/Content/lighthouse-1/01-the-boat.txt")
        #expect(try await box.succeed("products").output.contains("The Lighthouse, part one"))
        #expect(
            FileManager.default.contents(atPath: catalog)
                == FileManager.default.contents(atPath: Program.catalog))
        _ = try box.file("catalog.json", "{")
        #expect(try await box.run("products").errors.contains("/work/catalog.json"))
    }

    @Test("a throwaway store leaves nothing behind, the demo it sells included")
    func embeddedDemoIsGone() async throws {
        let box = try Sandbox(["STOREFRONT_CATALOG": nil, "STOREFRONT_STORE": nil])
        try await box.succeed("buy", "lantern.theme.sepia", "--ephemeral")
        try await box.succeed("screenshot", "--demo")
        #expect(!FileManager.default.fileExists(atPath: box.folder + "/data/storefront"))
    }

    /// A command with `--catalog` for this file; `catalog check` has the file as its argument.
    private static func naming(_ file: String, _ words: [String]) -> [String] {
        words.first == "catalog" ? words : words + ["--catalog", file]
    }

    private static func changed(_ changes: [(String, String)]) throws -> String {
        try changes.reduce(String(contentsOfFile: Program.catalog, encoding: .utf8)) {
            text, change in
            let (old, new) = change
            let replaced = text.replacing(old, with: new)
            #expect(replaced != text, "the demo has no \(old)")
            return replaced
        }
    }

    private static func expectClean(_ answer: RunningProgram.Answer, _ command: [String]) {
        for text in [answer.output, answer.errors] {
            let isClean = text.unicodeScalars.allSatisfy { scalar in
                scalar == "\n"
                    || (scalar.properties.generalCategory != .control && scalar != "\u{202E}")
            }
            #expect(isClean, "\(command): \(text.debugDescription)")
            // JSON repeats the caller's own argument, escaped.
            guard !command.contains(where: { $0.contains("\u{1B}") }) else { continue }
            #expect(!text.contains("\\u001b") && !text.contains("\\u009b"), "\(command)")
        }
    }

    @Test("escape sequences in a catalog's names never reach the output, plain or JSON")
    func escapes() async throws {
        let box = try Sandbox()
        try box.copyContent()
        let evil = "\"en\": \"\\u001b[31mRed\\u001b]0;title\\u0007\\u009b2J\\u202eback\""
        let text = try Self.changed(
            ["Sepia", "Themes", "Lantern"].map { ("\"en\": \"\($0)\"", evil) })
        let file = try box.file("evil.json", text)
        let sequence = "\u{1B}[31m"
        let commands: [(words: [String], code: Int32, showsName: Bool)] = [
            (["products"], 0, true), (["products", "--json"], 0, true),
            (["products", "lantern.theme.sepia"], 0, true),
            (["buy", "lantern.theme.sepia"], 0, true),
            (["buy", "lantern.theme.sepia", "--json"], 0, false),
            (["catalog", "check", file], 0, true), (["catalog", "check", file, "--json"], 0, true),
            (["operator", "events"], 0, false), (["products", sequence], 0, true),
            (["buy", sequence], 12, false), (["buy", sequence, "--json"], 12, false),
            ([sequence, "\u{1B}[32m"], 64, false), (["downloads", "pause", sequence], 12, false),
            (["products", "--account", sequence], 64, false),
        ]
        for (words, code, showsName) in commands {
            let answer = try await box.run(Self.naming(file, words))
            #expect(answer.code == code, "\(words): \(answer.errors)")
            #expect(answer.output.contains("Red") == showsName, "\(words): \(answer.output)")
            Self.expectClean(answer, words)
        }
    }

    @Test("a catalog with escape sequences in a unit is refused, without repeating them")
    func refusedEscapes() async throws {
        let box = try Sandbox()
        try box.copyContent()
        let file = try box.file(
            "evil.json",
            Self.changed([("\"unit\": \"coins\"", "\"unit\": \"co\\u001b[2Jins\"")]))
        for words in [
            ["products"], ["products", "--json"], ["buy", "lantern.coins.10"], ["purse"],
            ["purse", "--json"], ["catalog", "check", file], ["catalog", "check", file, "--json"],
        ] {
            let answer = try await box.run(Self.naming(file, words))
            #expect(answer.code == 65, "\(words): \(answer.output)")
            Self.expectClean(answer, words)
        }
    }
}
