import Foundation
import Testing

@Suite("several processes", .withProgram, .inTurn)
struct ProcessesTests {
    @Test("the watch command reports what other processes do and delivers their purchases [A1, F6]")
    func watch() async throws {
        let box = try Sandbox()
        let watching = try await box.watch(delivers: true)
        try await box.succeed("operator", "fail-next", "networkError")
        #expect(await watching.next { $0["event"].text == "faultSet" } != nil)
        try await box.succeed("operator", "faults", "--clear")
        #expect(await watching.next { $0["event"].text == "faultCleared" } != nil)

        let sale = try await box.succeed("buy", "lantern.coins.10", "--json").object
        #expect(sale["finished"].bool == true)
        let seen = await watching.next { $0["event"].text == "transaction" }
        #expect(seen?["verification"].text == "verified")
        #expect(seen?["isNew"].bool == true, "the watcher delivered it")
        #expect(seen?["transaction"]["transactionId"] == sale["transactionId"])
        #expect(
            await watching.next { $0["event"].text == "finished" }?["transactionId"]
                == sale["transactionId"])
        #expect(try await box.succeed("purse").output == "10  coins\n")
        await watching.end(by: SIGTERM)
    }

    @Test("beside a stopped process that delivers, a purchase and a restore end and say so")
    func stoppedDeliverer() async throws {
        let box = try Sandbox()
        let watching = try await box.watch(delivers: true)
        watching.stop(SIGSTOP)
        let buy = try await box.run("buy", "lantern.coins.10")
        #expect(buy.errors.contains("does not continue"), "\(buy.whole)")
        let restore = try await box.run("restore")
        #expect(restore.errors.contains("does not continue"), "\(restore.whole)")
        #expect(try await box.succeed("transactions", "--json").json.count == 1)
        watching.stop(SIGCONT)
        _ = await watching.next { $0["event"].text == "finished" }
        #expect(try await box.succeed("purse").output == "10  coins\n")
        await watching.end(by: SIGTERM)
    }

    @Test("the watch command begins with unfinished sales and ends after --count lines")
    func count() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.coins.10", "--leave-unfinished")
        let watched = try await box.succeed("watch", "--count", "1").json
        #expect(watched.map { $0["event"].text } == ["watching", "transaction"])
    }

    @Test("an approval in one process completes the purchase waiting in another [F3]")
    func waitForApproval() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "ask-to-buy", "on")
        let buying = try box.start("buy", "lantern.theme.sepia", "--wait-for-approval", "--json")
        let pending = await buying.next { $0["outcome"].text == "pending" }
        let request = try #require(pending?["requestId"].text)
        try await box.succeed("operator", "approve", request)
        let bought = await buying.next { $0["outcome"].text == "purchased" }
        #expect(bought?["transactionId"].text == request)
        #expect(bought?["finished"].bool == true)
        #expect(await buying.end().code == 0)
    }

    @Test("a decline in one process ends the purchase waiting in another")
    func waitForRefusal() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "ask-to-buy", "on")
        let buying = try box.start("buy", "lantern.theme.sepia", "--wait-for-approval")
        #expect(await buying.nextLine()?.hasPrefix("Pending: ") == true)
        try await box.succeed("operator", "decline", "--all")
        let end = await buying.end()
        #expect(end.code == 12)
        #expect(end.errors == "storefront: The request was declined. You weren't charged.\n")
    }

    @Test("two first starts at once both succeed", arguments: 1...10)
    func firstStarts(round: Int) async throws {
        let box = try Sandbox()
        let first = try box.start("buy", "lantern.coins.10")
        let second = try box.start("buy", "lantern.coins.100")
        let answers = [await first.end(), await second.end()]
        #expect(answers.map(\.code) == [0, 0], "\(answers.map(\.errors))")
        #expect(try await box.succeed("purse").output == "110  coins\n")
        let certificates = try await [box.succeed("certificate"), box.succeed("certificate")]
        #expect(certificates[0].output == certificates[1].output)
    }

    @Test("two processes that buy 50 each at once make exactly 100 sales")
    func hundred() async throws {
        let box = try Sandbox()
        let order = ["buy"] + Array(repeating: "lantern.coins.10", count: 50) + ["--json"]
        let first = try box.start(order)
        let second = try box.start(order)
        let answers = [await first.end(), await second.end()]
        #expect(answers.map(\.code) == [0, 0], "\(answers.map(\.errors))")
        let sold = Set(answers.flatMap { $0.json.compactMap { $0["transactionId"].text } })
        #expect(sold.count == 100)
        #expect(try await box.succeed("purse").output == "1000  coins\n")
        #expect(
            try await box.succeed("operator", "takings", "--json").object["sales"].number == 100)
        #expect(try await box.succeed("transactions", "--unfinished").output.isEmpty)
    }
}
