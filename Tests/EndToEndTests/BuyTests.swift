import Foundation
import Testing

@Suite("buying", .withProgram, .inTurn)
struct BuyTests {
    @Test("a product is sold, delivered and finished, and the output says so")
    func words() async throws {
        let box = try Sandbox()
        let answer = try await box.succeed("buy", "lantern.theme.sepia")
        #expect(answer.output.hasPrefix("Bought Sepia for $0.99, transaction "), "\(answer.output)")
        #expect(!answer.output.contains("not finished"))
        #expect(answer.errors.isEmpty)
        #expect(try await box.succeed("transactions", "--unfinished").output.isEmpty)
    }

    @Test("with --json, a sale has the field names of Apple's payloads [G3]")
    func json() async throws {
        let box = try Sandbox()
        let sale = try await box.succeed(
            "buy", "lantern.coins.10", "--quantity", "3", "--json", "--app-account-token",
            "6f1c8f8e-2a63-4f0e-9d0a-3b5a3c1f9a10"
        ).object
        #expect(sale["outcome"].text == "purchased")
        #expect(sale["finished"].bool == true)
        #expect(sale["productId"].text == "lantern.coins.10")
        let transaction = try await box.succeed("transactions", "--json").object
        #expect(transaction["transactionId"] == sale["transactionId"])
        #expect(transaction["quantity"].number == 3)
        #expect(transaction["price"].number == 2970)
        #expect(transaction["currency"].text == "USD")
        #expect(transaction["type"].text == "Consumable")
        #expect(transaction["environment"].text == "Sandbox")
        #expect(transaction["bundleId"].text == "com.example.lantern")
        #expect(transaction["appAccountToken"].text == "6f1c8f8e-2a63-4f0e-9d0a-3b5a3c1f9a10")
        #expect(transaction["signedTransactionInfo"].text?.split(separator: ".").count == 3)
    }

    @Test("a UUID is written in lower case in every answer and signed text, as it was given")
    func oneSpelling() async throws {
        let box = try Sandbox()
        let token = "7e3fb2c8-1f00-4c1c-9c62-3a0d6a5f2b11"
        try await box.succeed(
            "buy", "lantern.membership.plus.month", "lantern.theme.sepia", "--app-account-token",
            token.uppercased())
        try await box.succeed("buy", "lantern.coins.10", "--leave-unfinished")
        try await box.succeed(
            "operator", "buy-outside", "lantern.theme.contrast", "--app-account-token", token)
        var texts: [String] = []
        for command in [
            ["transactions"], ["transactions", "--signed"], ["entitlements"], ["subscriptions"],
            ["receipt", "show"], ["receipt", "show", "--app-transaction"], ["unlocks"],
            ["history"], ["payments"], ["buy", "lantern.coins.10"], ["operator", "events"],
            ["operator", "extend-all", "1", "lantern.membership.plus.month"],
            ["purse", "spend", "coins", "1", "--for", "a hint", "--id", token.uppercased()],
            ["operator", "notices"],
            [
                "operator", "sign-offer", "lantern.membership.plus.month", "plus.half", "--jws",
                "--app-account-token", token.uppercased(),
            ],
        ] {
            let answer = try await box.run(command + ["--json"])
            #expect(answer.code == 0, "\(command) said: \(answer.errors)")
            texts.append(answer.output)
        }
        texts.append(try await box.succeed("receipt", "show").output)
        let signed = texts.flatMap { text in
            text.matches(of: /[\w-]{20,}\.([\w-]{20,})\.[\w-]{20,}/).compactMap { match in
                let base64 = String(match.1).replacing("-", with: "+").replacing("_", with: "/")
                let padded = base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4)
                return Data(base64Encoded: padded).map { String(decoding: $0, as: UTF8.self) }
            }
        }
        #expect(signed.contains { $0.contains(token) })
        let uuid = /[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}/
        for text in texts + signed {
            for match in text.matches(of: uuid) {
                #expect(match.0 == match.0.lowercased(), "\(text.prefix(200))")
            }
        }
        #expect(texts[0].contains(#""appAccountToken":"\#(token)""#))
        #expect(texts[3].contains(#""appAccountToken":"\#(token)""#))
    }

    @Test("the purse sums up the consumables of this device alone")
    func purse() async throws {
        let box = try Sandbox()
        let empty = try await box.succeed("purse")
        #expect(empty.output.isEmpty)
        #expect(empty.errors == "Nothing in it yet.\n")
        try await box.succeed("buy", "lantern.coins.10", "--quantity", "3")
        try await box.succeed("buy", "lantern.coins.100")
        #expect(try await box.succeed("purse").output == "130  coins\n")
        let json = try await box.succeed("purse", "--json").object
        #expect(json["unit"].text == "coins")
        #expect(json["amount"].number == 130)
        #expect(try await box.succeed("purse", "--device", "tablet", "--json").output.isEmpty)
    }

    @Test("each product of one command is a payment of its own, in order")
    func two() async throws {
        let box = try Sandbox()
        let sales = try await box.succeed(
            "buy", "lantern.coins.10", "lantern.theme.sepia", "lantern.coins.10", "--json"
        ).json
        #expect(
            sales.map { $0["productId"].text } == [
                "lantern.coins.10", "lantern.theme.sepia", "lantern.coins.10",
            ])
        #expect(Set(sales.compactMap { $0["paymentId"].text }).count == 3)
        #expect(try await box.succeed("transactions").rows.count == 3)
    }

    @Test("buying an owned non-consumable again charges nothing")
    func owned() async throws {
        let box = try Sandbox()
        let first = try await box.succeed("buy", "lantern.theme.sepia", "--json").object
        let second = try await box.succeed("buy", "lantern.theme.sepia", "--json").object
        #expect(second["alreadyOwned"].bool == true)
        #expect(second["transactionId"] == first["transactionId"])
        let words = try await box.succeed("buy", "lantern.theme.sepia").output
        #expect(words.hasPrefix("Already owned: Sepia"))
        #expect(try await box.succeed("transactions").rows.count == 1)
    }

    @Test("a payment id that is sent twice is sold once")
    func again() async throws {
        let box = try Sandbox()
        let payment = UUID().uuidString
        let first = try await box.succeed(
            "buy", "lantern.coins.10", "--payment", payment, "--json"
        ).object
        let second = try await box.succeed(
            "buy", "lantern.coins.10", "--payment", payment, "--json"
        ).object
        #expect(first["transactionId"] == second["transactionId"])
        #expect(first["transactionId"] != .null)
        let third = try await box.succeed(
            "buy", "lantern.coins.10", "--payment", payment, "--json", "--territory", "JPN"
        ).object
        #expect(third["transactionId"] == first["transactionId"])
        // A territory without a price does not sell it, and neither does a product off sale.
        for change in [
            ["operator", "territory", "ITA"],
            ["operator", "publish", "lantern.coins.10", "uploaded"],
        ] {
            #expect(try await box.run(change).code == 0)
            let again = try await box.succeed(
                "buy", "lantern.coins.10", "--payment", payment, "--json"
            ).object
            #expect(again["transactionId"] == first["transactionId"], "\(change)")
            let new = try await box.run("buy", "lantern.coins.10", "--payment", UUID().uuidString)
            #expect(new.code == 12 && new.errors.contains("weren't charged"), "\(new.errors)")
        }
        let other = try await box.run(
            "buy", "lantern.coins.10", "--payment", payment, "--quantity", "2")
        #expect(other.code == 64)
        #expect(!other.errors.contains("weren't charged"), "\(other.errors)")
        #expect(other.errors.contains("used before with another quantity"), "\(other.errors)")
        #expect(other.errors.contains("Use a new id"))
        let sold = try #require(first["transactionId"].text)
        try await box.succeed("operator", "refund", sold, "--percent", "50")
        let half = try await box.succeed("buy", "lantern.coins.10", "--payment", payment)
        #expect(half.output.hasPrefix("Bought"), "\(half.output)")
        try await box.succeed("operator", "refund", sold)
        let refunded = try await box.succeed("buy", "lantern.coins.10", "--payment", payment)
        #expect(refunded.output.hasPrefix("Refunded: this payment bought"), "\(refunded.output)")
        // The refused payment does not stay in the queue to be sent later.
        try await box.succeed("restore")
        #expect(try await box.succeed("purse").output == "0  coins\n")
    }

    @Test("a transaction left unfinished is delivered at the next launch [A4, A6, A12]")
    func leftUnfinished() async throws {
        let box = try Sandbox()
        let sale = try await box.succeed(
            "buy", "lantern.coins.10", "--leave-unfinished", "--json"
        ).object
        #expect(sale["finished"].bool == false)
        let id = try #require(sale["transactionId"].text)
        let queued = try await box.succeed("payments")
        #expect(queued.output.contains("sold as \(id), unfinished"), "\(queued.output)")
        let line = try await box.succeed("payments", "--json").object
        #expect(line["state"].text == "purchased" && line["transactionId"].text == id)
        #expect(try await box.succeed("transactions").rows[0].hasSuffix("unfinished"))
        #expect(try await box.succeed("purse", "--json").output.isEmpty)
        let waiting = try await box.succeed("transactions", "--unfinished", "--json").json
        #expect(waiting.map { $0["transactionId"] } == [sale["transactionId"]])
        #expect(waiting.first?["device"].text == "terminal")

        try await box.succeed("buy", "lantern.theme.sepia")
        #expect(try await box.succeed("transactions", "--unfinished").output.isEmpty)
        #expect(try await box.succeed("payments").output.isEmpty)
        #expect(try await !box.succeed("transactions").output.contains("unfinished"))
        #expect(try await box.succeed("purse").output == "10  coins\n")
        let words = try await box.succeed("buy", "lantern.coins.10", "--leave-unfinished").output
        #expect(words.hasSuffix("; left unfinished.\n"), "\(words)")
    }

    @Test("finishing a transaction by hand a second time changes nothing")
    func finishByHand() async throws {
        let box = try Sandbox()
        let sale = try await box.succeed(
            "buy", "lantern.theme.sepia", "--leave-unfinished", "--json"
        ).object
        let id = try #require(sale["transactionId"].text)
        #expect(try await box.succeed("finish", id).output == "Finished \(id).\n")
        #expect(try await box.succeed("finish", id).output == "\(id) was finished before.\n")
        let unknown = try await box.run("finish", "99")
        #expect(unknown.code == 12)
        #expect(unknown.errors.contains("no transaction 99"))
        #expect(try await box.run("finish", "abc").code == 64)
    }

    @Test("with --no-wait, the command ends before the delivery")
    func noWait() async throws {
        let box = try Sandbox()
        let sale = try await box.succeed("buy", "lantern.coins.10", "--no-wait", "--json").object
        #expect(sale["outcome"].text == "purchased")
        #expect(sale["finished"].bool == false)
        try await box.succeed("restore")
        #expect(try await box.succeed("purse").output == "10  coins\n")
    }

    @Test("entitlements are non-consumables and active subscriptions, never consumables [C1, F2]")
    func entitlements() async throws {
        let box = try Sandbox()
        try await box.succeed(
            "buy", "lantern.theme.sepia", "lantern.coins.10", "lantern.membership.plus.month",
            "lantern.season.pass")
        let owned = try await box.succeed("entitlements", "--json").json
        #expect(
            Set(owned.compactMap { $0["productId"].text }) == [
                "lantern.theme.sepia", "lantern.membership.plus.month", "lantern.season.pass",
            ])
        let subscription = owned.first { $0["productId"].text == "lantern.membership.plus.month" }
        #expect(subscription?["expiresDate"].number != nil)
        #expect(try await box.succeed("entitlements").output.contains("  renews "))
    }

    private static let payment = "0199f3c1-0000-7000-8000-0000000000ab"

    @Test(
        "a buy that is interrupted while it downloads prints its document, and ends by the signal",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupted(signal: Int32) async throws {
        let box = try Sandbox()
        try await box.succeed("products")
        let events = try box.start("operator", "events", "--follow")
        let book = "lantern.book.lighthouse.1"
        let buy = try box.start(
            "buy", book, "--bandwidth", "100", "--json", "--payment", Self.payment)
        _ = await events.next { $0["productId"].text == book }
        // The download begins after the store's answer has arrived.
        while try await !box.succeed("downloads", "--json").json
            .contains(where: { $0["state"].text == "active" })
        {}
        buy.stop(signal)
        let answer = await buy.end()
        events.stop()
        #expect(answer.code == -signal)
        #expect(answer.json.count == 1, "\(answer.whole)")
        #expect(answer.object["paymentId"].text == Self.payment)
        #expect(answer.object["outcome"].text == "purchased", "\(answer.output)")
        #expect(answer.object["transactionId"].text != nil)
        #expect(answer.object["finished"].bool != true)
    }

    @Test("a buy that is interrupted while it downloads says so")
    func interruptedInWords() async throws {
        let box = try Sandbox()
        let buy = try box.start("buy", "lantern.book.lighthouse.1", "--bandwidth", "100")
        #expect(await buy.nextLine()?.hasPrefix("Bought ") == true)
        buy.stop(SIGINT)
        let answer = await buy.end()
        #expect(answer.code == -SIGINT)
        #expect(answer.errors.contains("Interrupted. You own The Lighthouse, part one;"))
        try await box.succeed("restore")
        #expect(try await box.succeed("transactions", "--unfinished").output.isEmpty)
    }

    @Test("a buy that is interrupted while the store decides says that its outcome is unknown")
    func interruptedBeforeTheAnswer() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let records = box.store + "/devices/terminal/me"
        let device = try Database(records + "/device.sqlite")
        let ledger = try Database(box.ledger)
        try ledger.rows("BEGIN IMMEDIATE")
        let command = ["buy", "lantern.coins.10", "--json", "--payment", Self.payment]
        let writes = try FolderWatch(records)
        let buy = try box.start(command)
        let isQueued = try await writes.wait(during: buy) {
            try device.number("SELECT count(*) FROM queue") > 0
        }
        #expect(isQueued)
        buy.stop(SIGTERM)
        let answer = await buy.end()
        #expect(answer.code == -SIGTERM)
        #expect(answer.json.count == 1, "\(answer.whole)")
        #expect(answer.object["outcome"].text == "unknown")
        #expect(answer.object["paymentId"].text == Self.payment)
        #expect(answer.object["error"]["code"].text == "outcomeUnknown")
        #expect(answer.errors.contains("--payment \(Self.payment)"))
        try ledger.rows("ROLLBACK")
        #expect(try await box.run(command).object["outcome"].text == "purchased")
        #expect(try await box.succeed("purse").output == "10  coins\n")
    }

    @Test("a buy that is interrupted while it waits for approval has said so already")
    func interruptedWhilePending() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "ask-to-buy", "on")
        let buy = try box.start("buy", "lantern.theme.sepia", "--json", "--wait-for-approval")
        #expect(await buy.next { $0["outcome"].text == "pending" } != nil)
        buy.stop(SIGTERM)
        let answer = await buy.end()
        #expect(answer.code == -SIGTERM)
        #expect(answer.json.count == 1, "\(answer.whole)")
    }
}
