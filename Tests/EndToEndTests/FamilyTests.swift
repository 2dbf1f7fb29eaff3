import Foundation
import Testing

@Suite("families by command", .withProgram, .inTurn)
struct FamilyTests {
    @Test("a child asks, the parent answers, the bank confirms, and the family shares [F8]")
    func childParentAndBank() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "family", "create", "mum")
        let joined = try await box.succeed(
            "operator", "family", "join", "nia", "--organizer", "mum", "--role", "child")
        #expect(joined.output.contains("as a child"))
        try await box.succeed("operator", "family", "join", "dad", "--organizer", "mum")

        // The child asks. Neither the child nor the other parent may answer.
        let asked = try await box.run(
            "buy", "lantern.tool.lamp", "--account", "nia", "--json")
        #expect(asked.code == 10)
        #expect(asked.object["reason"].text == "askToBuy")
        let request = try #require(asked.object["requestId"].text)
        for account in ["nia", "dad", "stranger"] {
            let refused = try await box.run("operator", "approve", request, "--as", account)
            #expect(refused.code == 12)
            #expect(refused.errors.contains("The organizer \"mum\" answers for account \"nia\""))
            let seen = try await box.succeed("operator", "requests", "--as", account, "--json")
            #expect(seen.output.isEmpty)
        }
        #expect(
            try await box.run("operator", "ask-to-buy", "off", "--account", "nia").errors
                .contains("a child always asks"))
        let nobodys = try await box.succeed("operator", "requests", "--as", "kai")
        #expect(nobodys.errors.contains("No requests are waiting that account \"kai\" answers"))
        let waiting = try await box.succeed("operator", "requests", "--as", "mum", "--json")
        #expect(waiting.object["requestId"].text == request)
        try await box.succeed("operator", "--as", "mum", "approve", request)
        // A second answer to the same request is refused as too late.
        #expect(try await box.run("operator", "decline", request).code == 12)

        // The parents get shares of the sale, with their own transaction numbers.
        let shared = try await box.succeed("family", "--account", "dad", "--json")
        let share = shared.object["shared"].items.first
        #expect(share?["productId"].text == "lantern.tool.lamp")
        #expect(share?["sharedBy"].text == "nia")
        let number = try #require(share?["transactionId"].text)
        #expect(number != request)
        try await box.succeed("restore", "--account", "dad")
        let list = try await box.succeed("transactions", "--account", "dad", "--json")
        #expect(list.object["inAppOwnershipType"].text == "FAMILY_SHARED")
        let history = try await box.succeed("history", "--account", "dad", "--json")
        #expect(history.output.contains(#""sharedBy":"nia""#))
        let refused = try await box.run("operator", "refund", number)
        #expect(refused.code == 12)
        #expect(refused.errors.contains("family share of what \"nia\" bought"))

        // A request that the bank has to answer cannot be answered by the organizer.
        try await box.succeed("operator", "ask-bank", "on", "--account", "dad")
        let bank = try await box.run(
            "buy", "lantern.theme.contrast", "--account", "dad", "--json")
        #expect(bank.object["reason"].text == "authentication")
        let confirmation = try #require(bank.object["requestId"].text)
        #expect(try await box.run("operator", "approve", confirmation, "--as", "mum").code == 12)
        try await box.succeed("operator", "approve", confirmation)

        // When nia leaves the family, the others lose her share.
        try await box.succeed("operator", "family", "leave", "nia", "--as", "mum")
        let left = try await box.succeed("family", "--account", "dad", "--json")
        #expect(left.object["shared"].items.isEmpty)
        let entitled = try await box.succeed("entitlements", "--account", "dad").output
        #expect(!entitled.contains("lantern.tool.lamp"))
        #expect(entitled.contains("lantern.theme.contrast"))
        let alone = try await box.succeed("family", "--account", "nia")
        #expect(alone.errors.contains("in no family"))
        let events = try await box.succeed("history", "--account", "dad", "--kind", "familyChanged")
        #expect(events.output.contains("nia left the family of mum"))
    }

    @Test("what makes no sense says why, and what would")
    func refusals() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "family", "create", "mum")
        let cases: [([String], String)] = [
            (["create", "mum"], "in the family of \"mum\" already"),
            (["join", "nia", "--organizer", "dad"], "belongs to no family"),
            (["leave", "nia"], "is in no family"),
            (["role", "mum", "child"], "cannot be a child"),
            (["share", "mum", "lantern.coins.10", "on"], "cannot share"),
        ]
        for (words, text) in cases {
            let answer = try await box.run(["operator", "family"] + words)
            #expect(answer.code == 12, "\(words)")
            #expect(answer.errors.contains(text), "\(words): \(answer.errors)")
        }
        let twice = try await box.succeed("operator", "family", "share", "mum", "on")
        #expect(twice.output == "It was so already; nothing changed.\n")
        #expect(try await box.run("operator", "family", "share", "mum").code == 64)
        #expect(try await box.run("operator", "family", "create", "a/b").code != 0)
        let shown = try await box.succeed("operator", "family").output
        #expect(shown.contains("mum") && shown.contains("organizer"))
        let other = try await box.run("operator", "clock", "stop", "--as", "mum")
        #expect(other.code == 12 && other.errors.contains("Only the store's operator"))
    }

    @Test("a user's name is kept as its digest, and shared ones are noticed [C3]")
    func usernames() async throws {
        let box = try Sandbox()
        let token = "7e3fb20b-4cdb-47cc-936d-99d65f608138"
        try await box.succeed(
            "buy", "lantern.coins.10", "--username", "mira", "--app-account-token", token)
        let bought = try await box.succeed("transactions", "--json")
        let digest = try #require(bought.object["applicationUsernameHash"].text)
        #expect(digest.wholeMatch(of: /[0-9a-f]{64}/) != nil)
        #expect(!bought.output.contains("mira"))
        #expect(try await box.succeed("operator", "notices").output.isEmpty)
        for account in ["kai", "nia"] {
            try await box.succeed(
                "buy", "lantern.coins.10", "--account", account, "--username-hash", digest,
                "--app-account-token", token)
        }
        let notices = try await box.succeed("operator", "notices", "--json").json
        #expect(
            notices.compactMap { $0["kind"].text }
                == ["appAccountToken", "applicationUsername", "device"])
        #expect(notices.compactMap { $0["subject"].text } == [token, digest, "terminal"])
        #expect(notices.first?["accounts"].items.compactMap(\.text) == ["kai", "me", "nia"])
        let store = try Data(contentsOf: URL(filePath: box.ledger))
        #expect(store.range(of: Data("mira".utf8)) == nil, "the name is nowhere")
        let wrong = try await box.run("buy", "lantern.coins.10", "--username-hash", "12")
        #expect(wrong.code == 64)
    }
}
