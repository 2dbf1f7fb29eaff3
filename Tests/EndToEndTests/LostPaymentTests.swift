import Foundation
import Testing

@Suite("payments whose process was killed before they were answered", .withProgram, .inTurn)
struct LostPaymentTests {
    private static let payment = "0199f3c1-0000-7000-8000-0000000000aa"

    /// A sandbox whose device has a payment in its queue, and no process that sends it.
    private func boxWithPayment(
        of product: String, quantity: Int, milliunits: Int, secondsAgo: Double = 5
    ) async throws -> Sandbox {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let at = Int64((Date().timeIntervalSince1970 - secondsAgo) * 1000)
        let body = """
            {"payment":{"id":"\(Self.payment)","productID":"\(product)","quantity":\(quantity),\
            "shownPrice":{"milliunits":\(milliunits),"currency":"USD"}},\
            "queuedAt":\(at),"state":"purchasing"}
            """
        let id = Self.payment.replacing("-", with: "")
        try Database(box.store + "/devices/terminal/me/device.sqlite").rows(
            "INSERT INTO queue (id, queued_at, body) VALUES (x'\(id)', \(at), CAST('\(body)' AS BLOB))"
        )
        return box
    }

    @Test("a lost payment that costs more than the command may charge is held, and can be dropped")
    func held() async throws {
        let box = try await boxWithPayment(
            of: "lantern.coins.550", quantity: 10, milliunits: 34_990)
        let bought = try await box.succeed("buy", "lantern.coins.10")
        #expect(bought.errors.contains("Not sent: 10 × "), "\(bought.errors)")
        #expect(bought.errors.contains("for $349.90, asked for "), "\(bought.errors)")
        #expect(bought.errors.contains("storefront payments drop \(Self.payment)"))
        #expect(try await box.succeed("transactions").rows.count == 2)
        #expect(try await box.succeed("purse").output == "10  coins\n")

        let list = try await box.succeed("payments", "--json").object
        #expect(list["state"].text == "held")
        try await box.succeed("restore")
        let dropped = try await box.succeed("payments", "drop", Self.payment, "--json").object
        #expect(dropped["outcome"].text == "dropped")
        #expect(try await box.succeed("payments").output.isEmpty)
        #expect(try await box.run("payments", "drop", Self.payment).code == 12)
        #expect(try await box.succeed("transactions").rows.count == 2)
    }

    @Test(
        "a recent lost payment is sent again and reported with its name and price",
        arguments: [
            (1, ["lantern.coins.100"], "10 coins for $0.99", 110),
            (3, ["lantern.coins.10", "--quantity", "3"], "3 × 10 coins for $2.97", 60),
        ])
    func sentAgain(quantity: Int, words: [String], item: String, coins: Int) async throws {
        let box = try await boxWithPayment(
            of: "lantern.coins.10", quantity: quantity, milliunits: 990)
        let bought = try await box.run(["buy"] + words)
        #expect(bought.errors.contains("Sending again: \(item), asked for "), "\(bought.errors)")
        #expect(bought.errors.contains("It is sold: \(item), transaction 1"), "\(bought.errors)")
        try await box.succeed("restore")
        #expect(try await box.succeed("purse").output == "\(coins)  coins\n")
    }

    @Test(
        "a command that buys nothing delivers, and holds a lost payment however little it costs",
        arguments: [
            ["restore"], ["downloads", "run"], ["downloads", "update", "--all"],
            ["claim", "1000001"],
        ])
    func heldByOthers(words: [String]) async throws {
        let box = try await boxWithPayment(of: "lantern.coins.10", quantity: 1, milliunits: 990)
        let answer = try await box.run(words)
        if words == ["restore"] {
            #expect(answer.errors.contains("Not sent: 10 coins for $0.99"), "\(answer.errors)")
        }
        #expect(!answer.errors.contains("Sending again"), "\(answer.errors)")
        #expect(try await box.succeed("transactions").rows.count == 1)
        #expect(try await box.succeed("payments", "--json").object["paymentId"].text != nil)
    }

    @Test(
        "a lost payment of yesterday is held, and sent without a remark when it is bought with its id"
    )
    func old() async throws {
        let box = try await boxWithPayment(
            of: "lantern.coins.10", quantity: 1, milliunits: 990, secondsAgo: 90_000)
        let restored = try await box.succeed("restore")
        #expect(restored.errors.contains("Not sent: 10 coins for $0.99, asked for 25 h ago"))
        #expect(try await box.succeed("transactions").rows.count == 1)
        // A command that sends the payment itself makes no remark that it waits.
        let bought = try await box.succeed("buy", "lantern.coins.10", "--payment", Self.payment)
        #expect(!bought.errors.contains("Not sent"), "\(bought.errors)")
        #expect(!bought.errors.contains("by a process that ended"), "\(bought.errors)")
        #expect(try await box.succeed("payments", "--json").output.isEmpty)
        #expect(try await box.succeed("purse").output == "10  coins\n")
    }

    @Test("a process that delivers takes over the payment of a killed process", .withTracing)
    func takenOver() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let watching = try await box.watch(delivers: true)
        // The process has queued the payment, and is killed at its first write to the ledger.
        let killed = try await Self.killedBuy(box)
        #expect(killed.code != 0)
        let sent = await watching.next { $0["event"].text == "resending" }
        #expect(sent?["queued"]["productId"].text == "lantern.coins.10")
        #expect(await watching.next { $0["event"].text == "transaction" } != nil)
        #expect(try await box.run("restore").code == 0)
        #expect(try await box.succeed("purse").output == "10  coins\n")
        await watching.end(by: SIGTERM)
    }

    /// Buys, and is killed by SIGKILL at its first write to the ledger's WAL.
    private static func killedBuy(_ box: Sandbox) async throws -> RunningProgram.Answer {
        let words = [
            "-f", "-qq", "-o", "/dev/null", "-P", box.ledger + "-wal",
            "-e", "inject=pwrite64:signal=KILL:when=1", try #require(Program.path), "buy",
            "lantern.coins.10", "--json",
        ]
        return try await RunningProgram(
            "strace", words, environment: box.environment, folder: box.work
        ).end()
    }
}

@Suite("an unknown purchase outcome", .withProgram, .withTracing, .inTurn)
struct UnknownOutcomeTests {
    @Test("a failed sync is reported as an unknown outcome, and asking again charges once")
    func failedSync() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let words = [
            "-f", "-qq", "-o", "/dev/null", "-P", box.ledger + "-wal",
            "-e", "inject=fdatasync:error=EIO", try #require(Program.path), "buy",
            "lantern.coins.10", "--json",
        ]
        let answer = try await RunningProgram(
            "strace", words, environment: box.environment, folder: box.work
        ).end()
        #expect(answer.code == 69)
        #expect(answer.object["outcome"].text == "unknown", "\(answer.whole)")
        let payment = try #require(answer.object["paymentId"].text)
        #expect(answer.errors.contains("It is not known whether 10 coins was bought"))
        #expect(answer.errors.contains("storefront buy lantern.coins.10 --payment \(payment)"))
        #expect(!answer.errors.contains("Nothing was"), "\(answer.errors)")
        for _ in 0..<2 {
            try await box.succeed("buy", "lantern.coins.10", "--payment", payment)
        }
        #expect(try await box.succeed("transactions").rows.count == 2)
        #expect(try await box.succeed("purse").output == "10  coins\n")
    }
}
