import Foundation
import Testing

/// The app's own list of products, from a file.
@Suite("an app's own list of products", .withProgram, .inTurn)
struct ProductListTests {
    private static let first = """
        ["lantern.coins.10",
         {"productId": "lantern.theme.sepia", "badge": "new", "order": [2, 1.5, null],
          "more": {"isBig": true}},
         {"productId": "lantern.coins.11"}]
        """
    private static let second = """
        [{"productId": "lantern.theme.sepia", "badge": "old", "order": [2, 1.5, null],
          "more": {"isBig": true}},
         "lantern.tool.lamp", "lantern.coins.11"]
        """

    @Test("a list's products are asked for, with its own fields untouched in JSON [B11]")
    func listed() async throws {
        let box = try Sandbox()
        let file = try box.file("list.json", Self.first)
        let answer = try await box.succeed("products", "--list", file, "--json").object
        #expect(answer["invalidProductIds"].items.map(\.text) == ["lantern.coins.11"])
        let products = answer["products"].items
        #expect(
            Set(products.compactMap { $0["productId"].text })
                == ["lantern.coins.10", "lantern.theme.sepia"])
        let sepia = try #require(products.first { $0["productId"].text == "lantern.theme.sepia" })
        #expect(
            sepia["list"]
                == .object([
                    "badge": .text("new"), "order": .array([.number(2), .number(1.5), .null]),
                    "more": .object(["isBig": .bool(true)]),
                ]))
        let shown = try await box.succeed("products", "--list", file)
        #expect(shown.output.contains("lantern.theme.sepia"))
        #expect(!shown.output.contains("lantern.tool.lamp"))
        #expect(shown.errors.contains("lantern.coins.11"))
        #expect(try await box.run("products", "lantern.coins.10", "--list", file).code == 64)
    }

    @Test("two lists are compared: what one has alone, and whose fields differ [B11]")
    func compared() async throws {
        let box = try Sandbox()
        let first = try box.file("a.json", Self.first)
        let second = try box.file("b.json", Self.second)
        let told = try await box.succeed("products", "--list", first, "--list", second)
        #expect(
            told.output == "< lantern.coins.10\n~ lantern.theme.sepia\n> lantern.tool.lamp\n")
        let differences = try await box.succeed(
            "products", "--list", first, "--list", second, "--json"
        ).json
        #expect(differences.map { $0["first"] == .null } == [false, false, true])
        #expect(differences.map { $0["second"] == .null } == [true, false, false])
        #expect(differences[1]["second"]["badge"].text == "old")
        let same = try await box.succeed("products", "--list", first, "--list", first)
        #expect(same.output.isEmpty)
        // Comparing makes no store.
        #expect(!FileManager.default.fileExists(atPath: box.folder + "/data"))
    }

    @Test("a list that cannot be read is named")
    func unreadable() async throws {
        let box = try Sandbox()
        let missing = box.work + "/missing.json"
        let places = [
            missing, try box.file("no.json", "{\"productId\": \"a\"}"),
            try box.file("number.json", "[7]"), try box.file("half.json", "[\"a\""),
        ]
        for place in places {
            let answer = try await box.run("products", "--list", place)
            #expect(answer.code == 65 && answer.errors.contains(place), "\(answer.errors)")
            let reason =
                place == missing
                ? "cannot be read (No such file or directory)."
                : "{\"list\": \"A\", \"products\": ["
            #expect(answer.errors.contains(reason), "\(answer.errors)")
            #expect(answer.errors.contains("Check the path") == (place == missing))
        }
        let address = "http://example.com/list.json"
        #expect(try await box.run("products", "--list", address).code == 12)
    }
}
