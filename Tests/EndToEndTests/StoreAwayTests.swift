#if PostgreSQL
import Foundation
import TerminalHarness
import TestBasics
import Testing

/// What a machine that has opened a store in a database does while the database's server is away.
@Suite(
    "a store whose server is away",
    .enabled(if: Program.postgreSQLPath != nil, "There is no program with stores in PostgreSQL."),
    .enabled(if: SharedServer.current != nil, "No PostgreSQL server is installed."), .inTurn)
struct StoreAwayTests {
    private let sepia = "lantern.theme.sepia"

    /// A server of the test's own, and a machine with its address.
    private func withServer(
        _ body: (Sandbox, PrivateServer) async throws -> Void
    ) async throws {
        let started = PseudoTerminal.alone { PrivateServer.start() }
        let server = try #require(started)
        defer { server.end() }
        let address = "postgresql:///storefront?user=storefront&host=\(server.folder)&store=team"
        try await body(
            Sandbox(["STOREFRONT_STORE": address], program: Program.postgreSQLPath), server)
    }

    private func order(_ order: String, _ server: PrivateServer) throws {
        let command = try PseudoTerminal.alone {
            try ShellCommand([PrivateServer.program, order, server.folder])
        }
        let ended = command.end()
        try #require(ended.code == 0, "\(ended.output)")
    }

    @Test("the shop opens without it, says so, and goes on with the store once the server answers")
    func shop() async throws {
        try await withServer { box, server in
            try await box.succeed("buy", sepia)
            // A shop asks for all that it shows, and so keeps it.
            try await ShopOnTerminal.run(box) { shop in
                try await shop.seeLine("Sepia", "owned")
                shop.press("q")
                #expect(await shop.end() == 0)
            }
            try order("--stop", server)
            try await ShopOnTerminal.run(box) { shop in
                try await shop.see("OFFLINE", "Sepia")
                try await shop.seeLine("Sepia", "owned")
                shop.press("Down", "Down", "Down", "Down", "Enter")
                try await shop.see("Offline. This is what this device knew at")
                shop.press("Escape", "Home")
                shop.type("jjjjjjjb")
                try await shop.see("▌[ Cancel ]")
                shop.press("Right", "Enter")
                try await shop.seeLine("10 coins", "not charged")

                try order("--start", server)
                try await shop.see("The store's server answers again.")
                try await shop.see("an online shop") { !$0.contains("OFFLINE") }
                try await shop.open()
                shop.press("Home")
                shop.type("jjjjjjjb")
                try await shop.see("▌[ Cancel ]")
                shop.press("Right")
                try await shop.see("▌[ Buy for $0.99 ]")
                shop.press("Enter")
                try await shop.see("✓ Bought 10 coins")
            }
            let sold = try await box.succeed("transactions", "--json").json
            #expect(sold.map { $0["productId"].text } == ["lantern.coins.10", sepia])
        }
    }

    @Test("what a device knows is listed with its age; nothing is sold or served")
    func commands() async throws {
        try await withServer { box, server in
            try await box.succeed("buy", sepia)
            try await box.succeed("products")
            try await box.succeed("history")
            try order("--stop", server)

            let owned = try await box.succeed("entitlements", "--json").json
            #expect(owned.map { $0["productId"].text } == [sepia])
            #expect(owned.allSatisfy { ($0["asOf"].number ?? 0) > 0 })
            #expect(
                try await box.succeed("entitlements").errors.contains(
                    "This device is offline. This is what it knew at "))
            let products = try await box.succeed("products", "--json").object
            #expect(!products["products"].items.isEmpty && (products["asOf"].number ?? 0) > 0)
            for command in ["transactions", "history"] {
                #expect(try await !box.succeed(command).rows.isEmpty)
            }
            for command in ["purse", "unlocks", "downloads", "content list", "payments"] {
                let words = command.split(separator: " ").map(String.init)
                #expect(try await box.run(words).code == 0, "\(command)")
            }

            let refused = [
                ["buy", "lantern.coins.10"], ["restore"], ["redeem", "CODE"], ["watch"], ["serve"],
                ["operator", "requests"], ["history", "--all-accounts"], ["paths"],
                ["entitlements", "--account", "kai"],
                ["entitlements", "--store", "postgresql:///other?host=\(server.folder)"],
            ]
            for command in refused {
                let answer = try await box.run(command)
                #expect(answer.code == 69, "\(command): \(answer.whole)")
                #expect(answer.whole.contains("cannot be reached"), "\(command)")
            }

            try order("--start", server)
            let listed = try await box.succeed("entitlements", "--json").json
            #expect(listed.map { $0["productId"].text } == [sepia])
            #expect(listed.allSatisfy { $0["asOf"] == .null })
            #expect(try await box.succeed("transactions").rows.count == 1, "nothing was recorded")
            #expect(try await box.succeed("payments", "--json").json.isEmpty)
        }
    }
}
#endif
