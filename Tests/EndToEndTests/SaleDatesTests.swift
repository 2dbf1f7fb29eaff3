import Foundation
import Testing

@Suite("dates and states of products", .withProgram, .inTurn)
struct SaleDatesTests {
    @Test("a product is sold between its dates, by the store's clock, and its owner keeps it")
    func dates() async throws {
        let box = try Sandbox()
        try box.copyContent()
        let text = try String(contentsOfFile: Program.catalog, encoding: .utf8)
        let id = "\"id\": \"lantern.theme.sepia\","
        try #require(text.contains(id))
        let dates = "\"availability\": {\"from\": \"2090-01-01\", \"until\": \"2090-02-01\"},"
        let file = try box.file("catalog.json", text.replacing(id, with: id + dates))
        func run(_ words: String...) async throws -> RunningProgram.Answer {
            try await box.run(words + ["--catalog", file])
        }

        #expect(try await !run("products", "--json").output.contains("lantern.theme.sepia"))
        let early = try await run("buy", "lantern.theme.sepia")
        #expect(early.code == 12)
        #expect(early.errors.contains("for sale from 2090-01-01T00:00:00Z"), "\(early.errors)")

        _ = try await run("operator", "clock", "to", "2090-01-01T00:00:00Z")
        #expect(try await run("products", "--json").output.contains("lantern.theme.sepia"))
        #expect(try await run("buy", "lantern.theme.sepia").code == 0)

        _ = try await run("operator", "clock", "to", "2090-02-01T00:00:00Z")
        let late = try await run("buy", "lantern.theme.sepia", "--account", "kai")
        #expect(late.code == 12)
        #expect(late.errors.contains("was for sale until 2090-02-01"), "\(late.errors)")
        #expect(try await run("entitlements").output.contains("lantern.theme.sepia"))
        let restored = try await run("restore", "--device", "tablet")
        #expect(restored.output.contains("Sepia"), "\(restored.output)\(restored.errors)")

        _ = try box.file("catalog.json", text.replacing(id, with: id + "\"state\": \"ready\","))
        let ready = try await run("buy", "lantern.theme.sepia", "--account", "kai")
        #expect(ready.errors.contains("in the state \"ready\""), "\(ready.errors)")
        let again = try await run("buy", "lantern.theme.sepia")
        #expect(again.code == 0, "who owns it gets the sale: \(again.errors)")
    }
}
