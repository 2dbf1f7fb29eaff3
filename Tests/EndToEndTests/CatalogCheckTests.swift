import Foundation
import Testing

@Suite("catalog check", .withProgram, .inTurn)
struct CatalogCheckTests {
    @Test("the demo catalog is valid")
    func good() async throws {
        let box = try Sandbox()
        let answer = try await box.succeed("catalog", "check", Program.catalog)
        #expect(answer.output == "Valid: 21 products, 0 warnings.\n")
        #expect(try await box.succeed("catalog", "check", Program.catalog, "--json").output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: box.store), "looking makes no store")
    }

    @Test(
        "a catalog that sells nothing is told apart by its exit code",
        arguments: [
            (
                #""productList": []"#,
                #"[{"id": "a", "type": "consumable", "name": {"en": "A"}, "#
                    + #""prices": {"USA": "1"}}]"#
            ),
            (#""appAppleId": 1"#, "[]"),
        ])
    func sellsNothing(app: String, products: String) async throws {
        let box = try Sandbox()
        let file = try box.file(
            "empty.json",
            #"{"format": 1, "app": {"bundleId": "a.b", "name": {"en": "A"}, \#(app)}, "#
                + #""products": \#(products)}"#)
        let answer = try await box.run("catalog", "check", file)
        #expect(answer.code == 65)
        #expect(answer.lines.last?.hasPrefix("Nothing to sell: ") == true)
        let json = try await box.run("catalog", "check", file, "--json")
        #expect(json.code == 65)
        #expect(json.json.count == 1)
    }

    @Test("every problem is listed with its path, its line and a suggestion")
    func bad() async throws {
        let box = try Sandbox()
        try box.copyContent()
        let text = try String(contentsOfFile: Program.catalog, encoding: .utf8)
        let file = try box.file(
            "bad.json",
            text.replacing("\"type\": \"consumable\"", with: "\"type\": \"consumible\"")
                .replacing("\"section\": \"tools\"", with: "\"section\": 7"))
        let answer = try await box.run("catalog", "check", file)
        #expect(answer.code == 65)
        #expect(answer.output.contains("Did you mean"))
        #expect(answer.output.contains("consumible"))
        #expect(answer.output.contains("products[7].type (line "))
        #expect(answer.lines.last?.hasPrefix("Invalid: ") == true)
        let json = try await box.run("catalog", "check", file, "--json")
        #expect(json.code == 65)
        #expect(json.json.allSatisfy { $0["path"].text != nil && $0["found"].text != nil })
    }
}
