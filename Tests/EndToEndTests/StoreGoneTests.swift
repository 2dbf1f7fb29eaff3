import Foundation
import Testing

@Suite("a deleted or older store, and a claim", .withProgram, .inTurn)
struct StoreGoneTests {
    @Test(
        "the watch command ends and releases the lease when its store is deleted or moved",
        arguments: ["deleted", "moved"])
    func gone(how: String) async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let watching = try await box.watch()
        if how == "deleted" {
            // In one rename, because the command may still be writing there.
            try FileManager.default.moveItem(atPath: box.store, toPath: box.store + ".gone")
            try? FileManager.default.removeItem(atPath: box.store + ".gone")
        } else {
            try FileManager.default.moveItem(atPath: box.store, toPath: box.folder + "/elsewhere")
        }
        let answer = await watching.end()
        #expect(!answer.hung)
        #expect(answer.code == 69)
        #expect(answer.errors.contains("replaced"), "\(answer.errors)")
        #expect(
            try await box.succeed("buy", "lantern.coins.10", "--json").object["finished"].bool
                == true)
    }

    @Test(
        "what serves a store ends when that is deleted or moved, and says so once, in JSON, too",
        arguments: [
            ["serve", "--port", "0"], ["serve", "--port", "0", "--json"],
            ["content", "serve", "--port", "0", "--json"],
            ["listen", "--forward-to", "http://127.0.0.1:9/", "--json"],
        ], ["deleted", "moved"])
    func servers(command: [String], how: String) async throws {
        let box = try Sandbox()
        // One of two sends notifications; both are to end.
        let running = [try box.start(command), try box.start(command)]
        for one in running { _ = try #require(await one.nextLine()) }
        // In one rename, because the commands may still be writing there.
        let elsewhere = box.folder + "/elsewhere"
        try FileManager.default.moveItem(atPath: box.store, toPath: elsewhere)
        if how == "deleted" { try? FileManager.default.removeItem(atPath: elsewhere) }
        for one in running {
            let answer = await one.end()
            #expect(!answer.hung && answer.code == 69, "\(answer.whole)")
            let told = answer.errors.components(separatedBy: "replaced").count - 1
            #expect(told == 1, "\(answer.errors)")
            let last = try #require(answer.json.last)
            #expect(last["error"]["code"].text == "storeReplaced", "\(answer.output)")
        }
        let anew = try await box.succeed("buy", "lantern.coins.10", "--json")
        #expect(anew.object["finished"].bool == true)
    }

    @Test(
        "a store put back from an old copy that has sold other things is told, accepted and goes on"
    )
    func differs() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        // As by a person who copies back the store's file alone: the phone's records stay.
        let names = ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm"]
        let copy = box.folder + "/copy"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        func move(from: String, to: String) throws {
            for name in names {
                try? FileManager.default.removeItem(atPath: to + "/" + name)
                guard FileManager.default.fileExists(atPath: from + "/" + name) else { continue }
                try FileManager.default.copyItem(
                    atPath: from + "/" + name, toPath: to + "/" + name)
            }
        }
        try move(from: box.store, to: copy)
        try await box.succeed("buy", "lantern.coins.550", "--quantity", "2")
        try await box.succeed("buy", "lantern.tool.lamp")
        try move(from: copy, to: box.store)
        for product in ["lantern.coins.10", "lantern.theme.contrast", "lantern.coins.10"] {
            try await box.succeed("buy", product, "--device", "tablet")
        }

        let refusals = [
            ["buy", "lantern.tool.lamp"], ["buy", "lantern.coins.10"], ["restore"], ["purse"],
            ["watch", "--count", "1"], ["downloads"], ["unlocks"],
            ["purse", "spend", "coins", "1", "--for", "a hint"],
        ]
        for command in refusals {
            let refused = try await box.run(command + ["--json"])
            #expect(refused.code == 69, "\(command): \(refused.output)\(refused.errors)")
            let error = refused.object["error"]
            #expect(error["code"].text == "storeBehind", "\(command): \(refused.output)")
            #expect(refused.errors.contains("recorded other entries"), "\(refused.errors)")
            #expect(refused.errors.contains("storefront operator accept-store"))
            #expect(!refused.errors.contains("?"), "\(refused.errors)")
        }
        #expect(try await box.succeed("transactions").rows.count == 4, "nothing was sold")

        let accepted = try await box.succeed("operator", "accept-store")
        #expect(accepted.output.contains("2 of its purchases"), "\(accepted.output)")
        let again = try await box.succeed("operator", "accept-store")
        #expect(again.output.isEmpty)
        try await box.succeed("restore")
        #expect(try await box.succeed("purse").output == "1100  coins\n")
        // The restored store has no sale of the lamp, but the lamp is not charged a second time.
        let owned = try await box.run("buy", "lantern.tool.lamp", "--json")
        #expect(owned.code == 12)
        #expect(owned.object["error"]["code"].text == "alreadyOwned", "\(owned.output)")
        #expect(
            try await box.succeed("buy", "lantern.coins.10", "--json").object["finished"].bool
                == true)
        #expect(try await box.succeed("purse").output == "1110  coins\n")
        #expect(try await box.succeed("purse", "--device", "tablet").output == "20  coins\n")
        #expect(try await box.succeed("transactions").rows.count == 5)
    }

    @Test("a claim moves an unfinished consumable to this device")
    func claim() async throws {
        let box = try Sandbox()
        let sale = try await box.succeed(
            "buy", "lantern.coins.10", "--device", "phone", "--leave-unfinished", "--json"
        ).object
        let id = try #require(sale["transactionId"].text)
        let claimed = try await box.succeed("claim", id, "--device", "tablet")
        #expect(claimed.output == "Claimed \(id) for tablet.\n")
        #expect(try await box.succeed("purse", "--device", "tablet").output == "10  coins\n")
        try await box.succeed("restore", "--device", "phone")
        // Coins that the phone may have granted before the claim are revoked there.
        let left = try await box.succeed("purse", "--device", "phone").output
        #expect(["", "0  coins\n"].contains(left), "\(left)")
        #expect(try await box.run("claim", "99").code == 12)
        #expect(try await box.run("claim", "abc").code == 64)
    }
}
