import Foundation
import Testing

@Suite("dates and states of products", .withProgram, .inTurn)
struct SaleDatesTests {
    @Test("an operator walks a product through its states; the file's next change wins again [B8]")
    func published() async throws {
        let box = try Sandbox()
        try box.copyContent()
        let text = try String(contentsOfFile: Program.catalog, encoding: .utf8)
        let id = "\"id\": \"lantern.theme.sepia\","
        func state(_ name: String) -> String {
            text.replacing(id, with: id + "\"state\": \"\(name)\",")
        }
        let file = try box.file("catalog.json", state("uploaded"))
        func run(_ words: String...) async throws -> RunningProgram.Answer {
            try await box.run(words + ["--catalog", file])
        }

        #expect(try await run("buy", "lantern.theme.sepia").code == 12)
        for state in ["ready", "inTest"] {
            let walked = try await run("operator", "publish", "lantern.theme.sepia", state)
            #expect(walked.output == "lantern.theme.sepia is \(state) now.\n")
            let bought = try await run("buy", "lantern.theme.sepia", "--account", state)
            #expect(bought.code == (state == "ready" ? 12 : 0), "\(bought.errors)")
        }
        let again = try await run("operator", "publish", "lantern.theme.sepia", "inTest")
        #expect(again.output == "lantern.theme.sepia was inTest already.\n")
        let off = try await run("operator", "publish", "lantern.theme.sepia", "uploaded", "--json")
        #expect(off.object["event"].text == "catalogRevised")
        #expect(try await run("buy", "lantern.theme.sepia", "--account", "kai").code == 12)
        #expect(try await run("entitlements", "--account", "inTest").output.contains("sepia"))

        let advised = try await run("buy", "lantern.theme.sepia")
        #expect(
            advised.errors.contains(
                "Put it on sale with: storefront operator publish lantern.theme.sepia approved"),
            "\(advised.errors)")

        // The operator's state stays until the file names another state.
        _ = try await run("operator", "publish", "lantern.theme.sepia", "approved")
        _ = try box.file(
            "catalog.json", state("uploaded").replacing("\"Sepia\"", with: "\"Sepia two\""))
        #expect(try await run("products").output.contains("Sepia two"))
        _ = try box.file("catalog.json", state("ready"))
        let refused = try await run("buy", "lantern.theme.sepia", "--account", "kai")
        #expect(refused.errors.contains("in the state \"ready\""), "\(refused.errors)")
        let unknown = try await run("operator", "publish", "no.such", "approved")
        #expect(unknown.code == 12, "\(unknown.errors)")
    }

    @Test("entitlements say until when each gives access, also a pass that has ended")
    func until() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.season.pass")
        let bought = try await box.succeed("entitlements", "--json").object
        let until = try #require(bought["until"].number)
        #expect(until > bought["purchaseDate"].number ?? .max)
        try await box.succeed("operator", "clock", "advance", "400d")
        let ended = try await box.succeed("entitlements", "--json").object
        #expect(ended["until"].number == until)
        #expect(try await box.succeed("entitlements").output.contains("until 20"))
        let library = try await box.succeed("screenshot", "--keys", "2")
        #expect(library.output.contains("ENDED") && library.output.contains("ended "))
    }
}
