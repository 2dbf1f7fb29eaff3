import Foundation
import Testing

@Suite("histories", .withProgram, .inTurn)
struct HistoryTests {
    @Test("a history lists what happened, newest first, by kind, product and account")
    func filters() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.coins.10", "lantern.theme.sepia")
        try await box.succeed("buy", "lantern.coins.10", "--account", "aoi")
        try await box.succeed("operator", "refund", "1000002")
        func events(_ arguments: String...) async throws -> [String] {
            try await box.run(["history"] + arguments + ["--json"]).json.map { line in
                [line["event"].text, line["transactionId"].text].compactMap(\.self)
                    .joined(separator: " ")
            }
        }
        #expect(try await events("--limit", "1") == ["refunded 1000002"])
        #expect(try await events("--kind", "sold") == ["sold 1000002", "sold 1000001"])
        #expect(
            try await events("--product", "lantern.theme.sepia").last == "sold 1000002")
        #expect(
            try await events("--product", "lantern.coins.10", "--kind", "finished")
                == ["finished 1000001"])
        #expect(
            try await events("--all-accounts", "--kind", "sold", "--kind", "refunded")
                == ["refunded 1000002", "sold 1000003", "sold 1000002", "sold 1000001"])
        #expect(try await events("--kind", "sold", "--account", "aoi") == ["sold 1000003"])
        #expect(try await events("--since", "2099-01-01") == [])
        #expect(try await events("--all-accounts").last == "catalogRevised")
        let all = try await box.succeed("history", "--all-accounts")
        #expect(all.lines.first?.hasPrefix("DATE") == true)
        #expect(all.rows.first?.contains("Sepia") == true, "a name, not an identifier")
        #expect(all.rows.first?.hasSuffix("$0.99") == true, "\(all.rows.first ?? "")")
        for word in ["refunded", "purchased", "finished"] {
            #expect(all.output.contains("  \(word)  "), "\(all.output)")
        }
        #expect(!all.output.contains("catalogRevised"), "words, not the names of kinds")
        let none = try await box.succeed("history", "--account", "noor")
        #expect(none.output.isEmpty && none.errors.contains("Nothing"))
    }

    @Test("the operator's events are rows for a person on a terminal, and JSON with --json")
    func operatorEvents() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.coins.10", "--account", "aoi")
        let events = ["operator", "events"]
        try await ShopOnTerminal.run(box, events, columns: 160, waiting: false) { shop in
            try await shop.see("DATE", "ACCOUNT")
            try await shop.seeLine("purchased", "10 coins", "aoi", "terminal")
            #expect(await shop.end() == 0)
            #expect(!shop.writtenText.contains("{"))
        }
        try await ShopOnTerminal.run(box, events + ["--json"], columns: 400, waiting: false) {
            shop in
            try await shop.waitForOutput("\"event\":\"sold\"")
        }
    }

    @Test("an unknown kind is refused with the one that was meant, and a customer sees no others")
    func refused() async throws {
        let box = try Sandbox()
        let wrong = try await box.run("history", "--kind", "refundet")
        #expect(wrong.code == 64)
        #expect(wrong.errors.contains("Did you mean 'refunded'?"), "\(wrong.errors)")
        #expect(try await box.run("history", "--limit", "0").code == 64)
        #expect(try await box.run("history", "--since", "soon").code == 64)
        #expect(try await box.run("history", "--all-accounts", "--customer").code == 64)
        try await box.succeed("history", "--customer")
    }
}
