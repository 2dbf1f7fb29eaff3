import Foundation
import Testing

/// A device whose network a command has cut, for all its processes.
@Suite("a device without a network, by command", .withProgram, .inTurn)
struct OfflineCommandTests {
    @Test("without a network a device lists what it knows, sells nothing, and others go on [F4]")
    func offline() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try await box.succeed("products")
        #expect(try await box.succeed("products", "--json").object["asOf"] == .null)
        #expect(try await box.succeed("entitlements", "--json").object["asOf"] == .null)
        let cut = try await box.succeed("operator", "network", "terminal", "off")
        #expect(cut.output.hasPrefix("The device terminal is offline: nothing it does reaches"))
        #expect(
            try await box.succeed("operator", "network", "terminal", "--json")
                .object["network"].text == "off")

        let owned = try await box.succeed("entitlements", "--json").json
        #expect(owned.map { $0["productId"].text } == ["lantern.theme.sepia"])
        #expect(owned.allSatisfy { ($0["asOf"].number ?? 0) > 0 })
        let told = try await box.succeed("entitlements")
        #expect(told.output.contains("lantern.theme.sepia"))
        #expect(told.errors.contains("This device is offline. This is what it knew at "))
        let products = try await box.succeed("products", "--json").object
        #expect(products["products"].items.count == 21)
        #expect((products["asOf"].number ?? 0) > 0)
        #expect(try await box.succeed("products").errors.contains("This device is offline."))

        let refused = try await box.run("buy", "lantern.coins.10", "--json")
        #expect(refused.code == 12)
        #expect(refused.object["error"]["code"].text == "networkError")
        let restored = try await box.run("restore")
        #expect(restored.code == 12 && restored.errors.contains("Nothing is lost"))
        #expect(try await box.succeed("payments", "--json").json.isEmpty)
        let sold = try await box.succeed("transactions", "--json").json
        #expect(sold.map { $0["productId"].text } == ["lantern.theme.sepia"])
        #expect(sold.allSatisfy { ($0["asOf"].number ?? 0) > 0 })
        let listed = try await box.succeed("transactions")
        #expect(listed.rows.count == 1 && listed.errors.contains("This device is offline."))
        let number = try #require(sold.first?["transactionId"].text)
        #expect(try await box.succeed("transactions", "--id", number).rows.count == 1)
        let none = try await box.succeed("transactions", "--product", "lantern.coins.100")
        #expect(none.errors.contains("No transaction that is known here matches."))
        let history = try await box.succeed("history")
        #expect(!history.rows.isEmpty && history.errors.contains("This device is offline."))
        #expect(try await box.succeed("transactions", "--unfinished", "--json").json.isEmpty)
        for more in [[], ["--all"], ["lantern.book.lighthouse.1"]] {
            let updates = try await box.run(["downloads", "update"] + more)
            #expect(updates.code == 0)
            #expect(updates.errors.contains("offline and can't know of newer versions"))
        }
        let japanese = try await box.run("restore", "--language", "ja")
        #expect(japanese.errors.contains("オフライン"))

        #expect(try await box.run("buy", "lantern.coins.10", "--device", "tablet").code == 0)
        try await box.succeed("operator", "network", "terminal", "on")
        #expect(try await box.run("buy", "lantern.coins.10").code == 0)
        #expect(try await box.succeed("transactions").rows.count == 3)
    }

    @Test(
        "without a network what waits to be finished is what the device was told last, with its age"
    )
    func unfinished() async throws {
        let box = try Sandbox()
        try await box.succeed("restore")
        try await box.succeed("operator", "network", "terminal", "off")
        #expect(try await box.run("transactions", "--unfinished").code == 12, "never told")
        try await box.succeed("operator", "network", "terminal", "on")
        var ids: [String] = []
        for _ in 1...2 {
            let sale = try await box.succeed(
                "buy", "lantern.coins.10", "--leave-unfinished", "--json")
            ids.append(try #require(sale.object["transactionId"].text))
        }
        let live = try await box.succeed("transactions", "--unfinished", "--json").json
        #expect(live.map { $0["transactionId"].text } == ids)
        #expect(live.allSatisfy { $0["asOf"] == .null })
        try await box.succeed("finish", ids[0])
        try await box.succeed("operator", "network", "terminal", "off")
        let kept = try await box.succeed("transactions", "--unfinished", "--json").json
        #expect(kept.map { $0["transactionId"].text } == [ids[1]])
        #expect(kept.allSatisfy { ($0["asOf"].number ?? 0) > 0 })
        let listed = try await box.succeed("transactions", "--unfinished")
        #expect(listed.rows.count == 1 && listed.errors.contains("This device is offline."))
        // A finished sale is no longer listed as unfinished; the finish waits for the network.
        try await box.succeed("finish", ids[1])
        #expect(try await box.succeed("transactions", "--unfinished", "--json").json.isEmpty)
        try await box.succeed("operator", "network", "terminal", "on")
        try await box.succeed("restore")
        #expect(try await box.succeed("transactions", "--unfinished", "--json").json.isEmpty)
    }

    @Test("without a network issues are told with their age, and a finish only waits if it must")
    func issuesAndFinish() async throws {
        let box = try Sandbox()
        let letters = "lantern.letters.month"
        try await box.succeed("operator", "clock", "to", "2027-01-15T09:00:00Z")
        try await box.succeed("products")
        try await box.succeed("buy", letters, "--bandwidth", "unlimited")
        let finished = try #require(
            try await box.succeed("transactions", "--json").object["transactionId"].text)
        let open = try #require(
            try await box.succeed("buy", "lantern.coins.10", "--leave-unfinished", "--json")
                .object["transactionId"].text)
        try await box.succeed("operator", "network", "terminal", "off")
        let issues = try await box.succeed("issues", letters, "--json").json
        #expect(issues.first?["isOwned"].bool == true, "\(issues)")
        #expect(issues.allSatisfy { ($0["asOf"].number ?? 0) > 0 })
        #expect(try await box.succeed("issues").errors.contains("This device is offline."))
        let again = try await box.succeed("finish", finished, "--json").object
        #expect(again["outcome"].text == "alreadyFinished")
        let queued = try await box.succeed("finish", open, "--json").object
        #expect(queued["outcome"].text == "queued" && queued["transactionId"].text == open)
        try await box.succeed("operator", "network", "terminal", "on")
        try await box.succeed("restore")
        #expect(
            try await box.succeed("finish", open, "--json").object["outcome"].text
                == "alreadyFinished")
    }

    @Test("without a network the requests are those that waited when the device was told last")
    func requests() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "ask-to-buy", "on")
        #expect(try await box.run("buy", "lantern.theme.sepia").code == 10)
        let live = try await box.succeed("requests", "--json").object
        #expect(live["asOf"] == .null)
        try await box.succeed("operator", "network", "terminal", "off")
        let kept = try await box.succeed("requests", "--json").json
        #expect(kept.map { $0["requestId"] } == [live["requestId"]])
        #expect(kept.allSatisfy { ($0["asOf"].number ?? 0) > 0 })
        #expect(try await box.succeed("requests").errors.contains("This device is offline."))
        let number = try #require(live["requestId"].text)
        #expect(try await box.run("requests", "withdraw", number).code == 12)
        // The device learns of the operator's answer when its network is back.
        try await box.succeed("operator", "approve", number)
        #expect(try await box.succeed("requests", "--json").json.count == 1)
        try await box.succeed("operator", "network", "terminal", "on")
        #expect(try await box.succeed("requests", "--json").json.isEmpty)
    }

    @Test("a payment cut before its answer is unknown, and delivered once when the network is back")
    func duringPurchase() async throws {
        let box = try Sandbox()
        try await box.succeed("products")
        let armed = try await box.succeed(
            "operator", "network", "terminal", "off", "--during-purchase")
        #expect(armed.output.contains("goes offline when the store has recorded its next payment"))
        let bought = try await box.run("buy", "lantern.coins.10", "--json")
        #expect(bought.code == 69)
        #expect(bought.object["outcome"].text == "unknown")
        let queued = try await box.succeed("payments", "--json").json
        #expect(queued.map { $0["state"].text } == ["purchasing"])
        #expect(queued.first?["paymentId"] == bought.object["paymentId"])
        #expect(try await box.succeed("payments").output.contains("no answer yet"))
        // The command that restores the network delivers the missed sales before it returns.
        try await box.succeed("operator", "network", "terminal", "on")
        #expect(try await box.succeed("payments", "--json").json.isEmpty)
        #expect(try await box.succeed("purse").output == "10  coins\n")
        #expect(try await box.succeed("transactions").rows.count == 1)
    }

    @Test("a finish waits for the network, and a watcher delivers what was missed [F4]")
    func waiting() async throws {
        let box = try Sandbox()
        let sale = try await box.succeed(
            "buy", "lantern.coins.10", "--leave-unfinished", "--json"
        ).object
        let id = try #require(sale["transactionId"].text)
        try await box.succeed("operator", "network", "terminal", "off", "--for", "1h")
        let finished = try await box.succeed("finish", id)
        #expect(finished.output.contains("when this device is online again"))
        let watching = try await box.watch()
        try await box.succeed("buy", "lantern.theme.sepia", "--device", "tablet")
        try await box.succeed("operator", "network", "terminal", "on")
        // In any order, and beside the tablet's own finish, which is an event of the account, too.
        var isFinished = false
        var isDelivered = false
        _ = await watching.next { told in
            switch told["event"].text {
            case "finished": isFinished = isFinished || told["transactionId"].text == id
            case "transaction":
                let product = told["transaction"]["productId"].text
                isDelivered = isDelivered || product == "lantern.theme.sepia"
            default: break
            }
            return isFinished && isDelivered
        }
        #expect(isFinished)
        #expect(isDelivered)
        await watching.end(by: SIGTERM)
        #expect(try await box.succeed("transactions", "--unfinished", "--json").json.isEmpty)
    }

    @Test(
        "a wrong network command says what would be right",
        arguments: [
            ["terminal", "on", "--for", "30s"], ["terminal", "off", "--for", "soon"],
            ["terminal", "off", "--for", "31d"], ["terminal", "off", "--for", "1mo"],
            ["terminal", "away"], ["terminal", "--during-purchase"], ["termnal", "off"], [],
        ])
    func wrong(words: [String]) async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.coins.10")
        let answer = try await box.run(["operator", "network"] + words)
        #expect(answer.code == 64, "\(answer.whole)")
        if words.first == "termnal" { #expect(answer.errors.contains("terminal")) }
    }

    @Test("a device that no account has opened yet is known by its name")
    func unopened() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "network", "terminal", "off")
        try await box.succeed("operator", "download-faults", "tablet", "--latency", "5")
        try await box.succeed("operator", "network", "tablet", "off", "--account", "kai")
        for place in [[], ["--device", "tablet", "--account", "kai"]] {
            let answer = try await box.run(["buy", "lantern.coins.10"] + place)
            #expect(answer.code == 12 && answer.errors.contains("offline"), "\(answer.errors)")
        }
    }

    @Test("the shop shows that it is offline, by key and by command")
    func shop() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            try await shop.seeLine("Sepia", "✓ owned")
            shop.press("N", "o")
            try await shop.see("EVENTS") { !$0.contains("OFFLINE") }
            shop.press("N")
            try await shop.see("Take this device offline?")
            shop.press("Right", "Enter")
            try await shop.see("OFFLINE")
            shop.press("o")
            #expect(
                try await box.succeed("operator", "network", "terminal").output
                    == "The device terminal is offline: nothing it does reaches the store.\n")
            try await box.succeed("buy", "lantern.theme.contrast", "--device", "tablet")
            try await box.succeed("operator", "network", "terminal", "on")
            try await shop.see("✓ owned") { screen in
                !screen.contains("OFFLINE")
                    && screen.components(separatedBy: "✓ owned").count > 2
            }
            try await box.succeed("operator", "network", "terminal", "off")
            shop.press("Enter")
            try await shop.see("OFFLINE", "Offline. This is what this device knew at")
        }
    }
}
