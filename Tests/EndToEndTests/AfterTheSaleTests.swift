import Foundation
import Testing

/// Refunds, spending, renewals and the store's clock, on two devices, using commands alone.
@Suite("refunds, spending, renewals and the store's clock", .withProgram, .inTurn)
struct AfterTheSaleTests {
    private static let plan = "lantern.membership.plus.month"

    private func coins(_ box: Sandbox, on device: String = "terminal") async throws -> Int? {
        try await box.succeed("purse", "--device", device, "--json").object["amount"].number
    }

    private func entitled(_ box: Sandbox, on device: String = "terminal") async throws -> [String] {
        try await box.succeed("entitlements", "--device", device, "--json").json
            .compactMap { $0["productId"].text }
    }

    @Test("a refund ends an entitlement on every device, and its reversal restores it [F2]")
    func refund() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia", "lantern.coins.100")
        try await box.succeed("restore", "--device", "tablet")
        try await box.succeed("operator", "refund", "1000001", "--reason", "app")
        for device in ["terminal", "tablet"] {
            #expect(try await entitled(box, on: device).isEmpty)
            #expect(
                try await box.succeed("restore", "--device", device).lines
                    .contains("Nothing new to restore."))
        }
        let sale = try await box.succeed("transactions", "--json").json
            .first { $0["transactionId"].text == "1000001" }
        #expect(sale?["revocationReason"].number == 1)
        #expect(sale?["revocationDate"].number != nil)
        #expect(sale?["revocationPercentage"].number == 100_000)
        #expect(sale?["deviceVerification"].text?.isEmpty == false)
        #expect(
            try await box.succeed("operator", "takings").cells
                == ["USD", "$8.98", "2", "$0.99"])
        try await box.succeed("operator", "reverse-refund", "1000001")
        #expect(try await entitled(box, on: "tablet") == ["lantern.theme.sepia"])
        let again = try await box.run("operator", "reverse-refund", "1000001")
        #expect(again.code == 12)
    }

    @Test("a refund of a sale that was revoked names the sum that was paid back")
    func refundAfterRevocation() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try await box.succeed("operator", "revoke", "1000001")
        let refund = try await box.succeed("operator", "refund", "1000001", "--percent", "50")
        #expect(refund.output.contains("$0.50"), "\(refund.whole)")
        #expect(
            try await box.succeed("operator", "takings").cells == ["USD", "$0.99", "1", "$0.50"])
    }

    @Test("refunds of one sale total at most 100 percent, and invalid actions change nothing")
    func limits() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.coins.100")
        try await box.succeed("operator", "refund", "1000001", "--percent", "60")
        #expect(try await coins(box) == 40)
        for (words, code) in [
            (["refund", "1000001", "--percent", "41"], 12),
            (["refund", "1000001", "--prorated"], 12),
            (["refund", "1000001", "--percent", "101"], 64),
            (["refund", "1000001", "--percent", "0"], 64),
            (["refund", "1000001", "--percent", "1", "--prorated"], 64),
            (["refund", "7"], 12), (["refund", "seven"], 64), (["revoke", "7"], 12),
            (["reverse-refund", "7"], 12), (["delete", "7"], 12),
            (["auto-renew", "on", "1000001"], 12),
        ] {
            let answer = try await box.run(["operator"] + words)
            #expect(Int(answer.code) == code, "\(words): \(answer.whole)")
        }
        #expect(try await coins(box) == 40)
        try await box.succeed("operator", "refund", "1000001")
        #expect(try await coins(box) == 0)
        #expect(try await box.run("operator", "refund", "1000001").code == 12)
    }

    @Test("a repeated spend counts once, and a later refund makes the balance negative")
    func spending() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.coins.100")
        let id = "7C0E6B1E-7A0B-4B4B-9C55-0F1C2D3E4F50"
        let words = ["purse", "spend", "coins", "80", "--for", "a hint", "--id", id, "--json"]
        for _ in 0..<2 {
            let answer = try await box.run(words)
            #expect(answer.code == 0)
            #expect(answer.object["balance"].number == 20)
        }
        #expect(try await box.run("purse", "spend", "coins", "21", "--for", "more").code == 12)
        #expect(try await box.run("purse", "spend", "coins", "0", "--for", "none").code == 64)
        let other = try await box.run(
            "purse", "spend", "coins", "1", "--for", "another", "--id", id)
        #expect(other.code == 64)
        try await box.succeed("operator", "refund", "1000001")
        #expect(try await coins(box) == -80)
        let refused = try await box.run("purse", "spend", "coins", "1", "--for", "more")
        #expect(refused.code == 12)
        #expect(refused.errors.contains("The purse holds -80 coins"))
    }

    @Test(
        "a subscription renews as the clock advances, until auto-renew is turned off [D3]")
    func renewals() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", Self.plan)
        let moved = try await box.succeed("operator", "clock", "advance", "3mo")
        #expect(moved.output.contains("3 renewals."))
        #expect(try await entitled(box, on: "tablet") == [Self.plan])
        let sales = try await box.succeed("transactions", "--json").json
        #expect(sales.count == 4)
        #expect(sales.filter { $0["transactionReason"].text == "RENEWAL" }.count == 3)
        #expect(Set(sales.compactMap { $0["originalTransactionId"].text }) == ["1000001"])
        for (later, earlier) in zip(sales, sales.dropFirst()) {
            #expect(later["purchaseDate"].number == earlier["expiresDate"].number)
        }
        let next = try await box.succeed("operator", "clock", "--json").object
        #expect(next["next"]["productId"].text == Self.plan)
        try await box.succeed("operator", "auto-renew", "off", "1000001")
        let expired = try await box.succeed("operator", "clock", "next")
        #expect(expired.output.contains("\(Self.plan): expired (me)."))
        #expect(try await entitled(box).isEmpty)
        #expect(try await box.run("operator", "clock", "next").code == 12)
        #expect(try await box.run("operator", "auto-renew", "on", "1000001").code == 12)
        // Buying the expired subscription again continues its chain.
        try await box.succeed("buy", Self.plan)
        let last = try await box.succeed("transactions", "--json").json.first
        #expect(last?["originalTransactionId"].text == "1000001")
        #expect(last?["transactionReason"].text == "PURCHASE")
    }

    @Test("on a full disk a due renewal waits, and reads say as of when they hold", .withTracing)
    func overdue() async throws {
        let original = try Sandbox()
        try await original.succeed("buy", "lantern.theme.sepia", Self.plan)
        /// Runs a command whose disk is full from its `place`-th write to the ledger on.
        func full(_ box: Sandbox, from place: Int, _ words: String...) async throws
            -> RunningProgram.Answer
        {
            let tracing = [
                "-f", "-qq", "-o", "/dev/null", "-P", box.ledger, "-P", box.ledger + "-wal", "-e",
                "inject=pwrite64:error=ENOSPC:when=\(place)+", try #require(Program.path),
            ]
            return try await RunningProgram(
                "strace", tracing + words, environment: box.environment, folder: box.work
            ).end()
        }
        // Find the write whose failure leaves the clock moved and the due renewal unrecorded.
        var overdue: Sandbox?
        for place in 1...60 where overdue == nil {
            let box = try Sandbox()
            try FileManager.default.copyItem(
                atPath: original.folder + "/data", toPath: box.folder + "/data")
            _ = try await full(box, from: place, "operator", "clock", "advance", "1mo")
            // While the disk is full: a read that can write records the due renewal.
            let clock = try await full(box, from: 1, "operator", "clock", "--json").object
            if (clock["next"]["at"].number ?? .max) <= clock["now"].number ?? 0 { overdue = box }
        }
        let box = try #require(overdue)
        let read = try await full(box, from: 1, "entitlements", "--json")
        #expect(read.code == 0, "\(read.whole)")
        #expect(read.json.compactMap { $0["productId"].text } == ["lantern.theme.sepia"])
        #expect(read.errors.contains("the store cannot be written"))
        let mended = try await box.succeed("entitlements")
        #expect(!mended.errors.contains("as of"))
        #expect(mended.output.contains("  renews "))
        #expect(try await box.succeed("transactions").rows.count == 3)
    }

    @Test("a stopped clock stands still for every process, resumes there and never goes back")
    func clock() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "clock", "to", "2031-01-31T10:00:00Z")
        try await box.succeed("operator", "clock", "stop")
        let stood = try await box.succeed("operator", "clock", "--json").object["now"].number
        try await box.succeed("buy", "lantern.theme.sepia")
        let sale = try await box.succeed("transactions", "--json").object
        #expect(sale["purchaseDate"].number == stood)
        #expect(try await box.run("operator", "clock", "to", "2030-01-01").code == 12, "backwards")
        for wrong in ["tomorrow", "2031-13-01", "", "2101-01-01", "1999-01-01"] {
            #expect(try await box.run("operator", "clock", "to", wrong).code == 64, "\(wrong)")
        }
        #expect(
            try await box.succeed("operator", "clock", "--json").object["now"].number == stood)
        try await box.succeed("operator", "clock", "resume")
        let running = try await box.succeed("operator", "clock", "--json").object["now"].number
        #expect((running ?? 0) >= (stood ?? 0))
        #expect((running ?? 0) < (stood ?? 0) + 60_000)
    }

    @Test("a transaction is deleted by command, and with --whole-chain every period")
    func delete() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", Self.plan)
        try await box.succeed("operator", "clock", "advance", "1mo")
        let refused = try await box.run("operator", "delete", "1000001")
        #expect(refused.code == 12)
        #expect(refused.errors.contains("1000002"))
        try await box.succeed("operator", "delete", "1000001", "--whole-chain")
        #expect(try await box.succeed("transactions").output.isEmpty)
        #expect(
            try await box.succeed("operator", "takings").cells == ["USD", "$0.00", "0", "$0.00"])
        // The number of the deleted transaction is not used again.
        try await box.succeed("buy", Self.plan)
        let sale = try await box.succeed("transactions", "--json").object
        #expect(sale["transactionId"].text == "1000003")
        #expect(sale["originalTransactionId"].text == "1000003")
    }

    @Test("a refund during a download finishes the sale and removes the partial files")
    func book() async throws {
        let box = try Sandbox()
        let book = "lantern.book.lighthouse.2"
        let buying = try box.start("buy", book, "--bandwidth", "1k", "--json")
        while try await box.run("transactions").output.isEmpty { await Task.yield() }
        await buying.end(by: SIGKILL)
        try await box.succeed("operator", "refund", "1000001")
        try await box.succeed("restore")
        #expect(try await box.succeed("transactions", "--unfinished").output.isEmpty)
        #expect(box.partialFiles.isEmpty)
        let listed = try await box.succeed("downloads").output
        #expect(listed.contains("cancelled") && !listed.contains("again"), "\(listed)")
        #expect(try await box.run("downloads", "resume", book).code == 12)
        // After the refund the book is sold as a new sale and downloaded completely.
        try await box.succeed("buy", book, "--bandwidth", "unlimited")
        try await box.succeed("operator", "refund", "1000002")
        try await box.succeed("purse")
        let rows = try await box.succeed("downloads", "--json").json
        #expect(rows.allSatisfy { $0["state"].text == "deleted" })
        #expect(rows.allSatisfy { $0["path"].text == nil })
    }

    @Test("a customer's shell has every command but the operator's")
    func customer() async throws {
        let box = try Sandbox(["STOREFRONT_CUSTOMER": "1"])
        try await box.succeed("buy", "lantern.coins.10")
        for words in [
            ["operator", "refund", "1000001"], ["operator", "clock"], ["operator", "faults"],
            ["operator", "approve", "--all"], ["operator", "takings"],
        ] {
            let answer = try await box.run(words)
            #expect(answer.code == 64, "\(words)")
            #expect(answer.errors.contains("customer's shell"))
        }
        #expect(try await coins(box) == 10)
        let operators = try await box.run(
            ["operator", "refund", "1000001"], changing: ["STOREFRONT_CUSTOMER": nil])
        #expect(operators.code == 0)
        let other = try await box.run(
            ["operator", "takings", "--customer"], changing: ["STOREFRONT_CUSTOMER": nil])
        #expect(other.code == 64)
    }

    @Test(
        "what was due while the clock jumped is dated by when it was due, in history and timeline")
    func jumped() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "clock", "to", "2027-01-31T09:00:00Z")
        try await box.succeed("operator", "clock", "stop")
        try await box.succeed("buy", "lantern.membership.plus.month")
        try await box.succeed("operator", "renewals", "--billing", "fail", "--grace", "on")
        try await box.succeed("operator", "clock", "advance", "1y")
        let history = try await box.succeed("history", "--json").json
        let expired = try #require(history.first { $0["event"].text == "expired" })
        let due = try #require(expired["happenedAt"].number)
        #expect(due < expired["at"].number ?? 0)
        let end = try await box.succeed("transactions", "--json").object["expiresDate"].number
        #expect(due == (end ?? 0) + 60 * 86_400_000, "60 days after the end of the period")
        let timeline = try await box.succeed("subscriptions", "--timeline")
        #expect(timeline.output.contains("2027-04-29"), "\(timeline.output)")
        #expect(!timeline.output.contains("2028-"), "\(timeline.output)")
    }

    @Test("a refund that was asked for is told by transactions, and waits in the operator's list")
    func refundAsked() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try await box.succeed("request-refund", "1000001", "--reason", "broken")
        #expect(try await box.succeed("transactions").output.contains("refund asked"))
        let line = try await box.succeed("transactions", "--json").object
        #expect(line["refundRequested"].bool == true)
        try await box.succeed("operator", "ask-to-buy", "on")
        _ = try await box.run("buy", "lantern.coins.10", "--no-wait")
        let waiting = try await box.succeed("operator", "requests")
        #expect(waiting.rows.count == 2, "\(waiting.output)")
        #expect(waiting.output.contains("a refund: does not work"), "\(waiting.output)")
        let shot = try await box.succeed("screenshot", "--keys", "o", "--size", "100x40")
        #expect(shot.output.contains("APPROVALS 2") && shot.output.contains("Refund of Sepia"))
        try await box.succeed("operator", "decline-refund", "1000001")
        #expect(!(try await box.succeed("transactions").output.contains("refund asked")))
        #expect(try await box.succeed("operator", "requests").rows.count == 1)
    }
}
