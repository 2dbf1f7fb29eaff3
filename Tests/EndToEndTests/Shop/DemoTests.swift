import Foundation
import Testing

@Suite("the demo", .withProgram, .inTurn)
struct DemoTests {
    private static let clock = "2027-01-31T23:30:00Z"

    @Test(
        "a screenshot of the demo at a given clock is the same every time",
        arguments: [
            ["--format", "text"], ["--format", "svg"], ["--format", "ansi", "--keys", "o"],
            ["--size", "200x60", "--keys", "down,enter"], ["--keys", "2,R"],
        ])
    func same(options: [String]) async throws {
        let box = try Sandbox()
        let command = ["screenshot", "--demo", "--clock", Self.clock] + options
        let first = try await box.run(command)
        let second = try await Sandbox().run(command)
        #expect(first.code == 0, "\(first.errors)")
        #expect(first.output == second.output)
        #expect(!first.output.isEmpty)
    }

    @Test("a screenshot of the demo shows a paused download and one under way, each at its byte")
    func bars() async throws {
        let answer = try await Sandbox().succeed("screenshot", "--demo")
        func row(_ name: String) -> String {
            answer.lines.first { $0.contains(name) } ?? ""
        }
        #expect(row("part one").contains("✓ owned"))
        #expect(row("part two").contains("█") && row("part two").contains("41%"))
        #expect(row("part three").contains("paused at 37%"))
    }

    @Test("the demo opens on every state in sight, what is owned first, and no message")
    func calm() async throws {
        let answer = try await Sandbox().succeed("screenshot", "--demo")
        let states = [
            "✓ owned", "█", "paused", "waiting for approval", "restores it", "declined",
            "✓ your plan",
        ]
        let rows = states.map { state in answer.lines.firstIndex { $0.contains(state) } }
        #expect(!rows.contains(nil), "\(answer.output)")
        #expect(rows.compactMap(\.self) == rows.compactMap(\.self).sorted(), "\(answer.output)")
        #expect(!answer.output.contains("You weren't charged"))
        #expect(!answer.output.contains("Ask to Buy"))
    }

    @Test("the demo's customer has a name, which the header shows")
    func customer() async throws {
        let answer = try await Sandbox().succeed("screenshot", "--demo", "--size", "120x40")
        #expect(answer.lines.first?.contains(" aoi · ") == true, "\(answer.output)")
    }

    @Test(
        "times are in UTC where the clock is given, unless there is a time zone",
        arguments: [(nil, "23:30:00"), ("Asia/Tokyo", "08:30:00")])
    func zone(name: String?, time: String) async throws {
        let answer = try await Sandbox().run(
            ["screenshot", "--demo", "--clock", Self.clock, "--keys", "o"], changing: ["TZ": name])
        #expect(answer.output.contains("\(time)  Sepia"), "\(answer.whole)")
    }

    @Test("the clock of an ephemeral store stands at the time that was asked for")
    func ephemeral() async throws {
        let box = try Sandbox()
        let clock = try await box.succeed(
            "operator", "clock", "--ephemeral", "--clock", "2027-01-31", "--json"
        ).object
        #expect(clock["clock"]["state"].text == "stopped")
        #expect(clock["now"].number == 1_801_353_600_000)
        let tokyo = try await box.run(
            ["operator", "clock", "--ephemeral", "--clock", "2027-01-31", "--json"],
            changing: ["TZ": "Asia/Tokyo"])
        #expect(tokyo.object["now"].number == 1_801_353_600_000 - 9 * 3_600_000)
        let sale = try await box.succeed(
            "buy", "lantern.theme.sepia", "--ephemeral", "--clock", "2007-01-31", "--json"
        ).object
        #expect(sale["outcome"].text == "purchased")
    }

    @Test(
        "a clock is refused for a store that stays, and for what is no date",
        arguments: [
            ["screenshot", "--clock", clock], ["products", "--clock", clock],
            ["--clock", clock], ["screenshot", "--demo", "--clock", "tomorrow"],
            ["products", "--ephemeral", "--clock", "1999-12-31"],
            ["products", "--ephemeral", "--clock", "2100-01-02"],
        ])
    func refused(arguments: [String]) async throws {
        let box = try Sandbox()
        let answer = try await box.run(arguments)
        #expect(answer.code == 64)
        #expect(answer.errors.contains("--clock"), "\(answer.errors)")
        #expect(!FileManager.default.fileExists(atPath: box.store))
    }

    @Test("the demo on a terminal goes on with its download")
    func onTerminal() async throws {
        try await ShopOnTerminal.run(
            try Sandbox(), ["demo", "--clock", Self.clock], script: ShopOnTerminal.around
        ) { shop in
            try await shop.seeLine("High contrast", "restores it")
            try await shop.seeLine("100 coins", "declined")
            try await shop.seeLine("part two", "✓ owned")
            shop.press("q")
            try await shop.see("ended 0, mode kept")
        }
    }

    @Test("the demo and its tour are left from a page, too", arguments: [[], ["--tour"]])
    func leftFromAPage(options: [String]) async throws {
        try await ShopOnTerminal.run(
            try Sandbox(), ["demo"] + options, rows: 30, script: ShopOnTerminal.around
        ) { shop in
            shop.press("Enter")
            try await shop.see("[ Receipt ]")
            shop.press("q")
            try await shop.see("ended 0, mode kept")
        }
    }

    @Test("Ctrl-R starts the demo anew after a question")
    func reset() async throws {
        try await ShopOnTerminal.run(try Sandbox(), ["demo", "--clock", Self.clock]) { shop in
            try await shop.seeLine("Sepia", "waiting for approval")
            shop.press("4")
            try await shop.see("APPROVALS 2")
            shop.press("d")
            try await shop.see("APPROVALS 1")
            shop.press("1")
            try await shop.seeLine("Sepia", "declined")
            shop.press("C-r")
            try await shop.see("Reset the demo?", "▌[ Back ]")
            shop.press("Right", "Enter")
            try await shop.seeLine("Sepia", "waiting for approval")
            try await shop.seeLine("High contrast", "restores it")
        }
    }

    @Test("the demo's store may be empty")
    func empty() async throws {
        try await ShopOnTerminal.run(
            try Sandbox(), ["demo", "--empty"], script: ShopOnTerminal.around
        ) { shop in
            try await shop.seeLine("▌ The Lighthouse, part one", "[ $3.99 ]")
            shop.press("q")
            try await shop.see("ended 0, mode kept")
        }
    }

    @Test("what the demo's own server hands out arrives, although nobody has started one [A8]")
    func ownServer() async throws {
        try await ShopOnTerminal.run(
            try Sandbox(), ["demo", "--empty", "--bandwidth", "unlimited"],
            script: ShopOnTerminal.around
        ) { shop in
            try await shop.seeLine("The Lighthouse, part one", "$3.99")
            shop.type("/sea charts")
            shop.press("Enter")
            try await shop.seeLine("▌ Sea charts", "$9.99")
            shop.press("b")
            try await shop.see("[ Buy for $9.99 ]")
            shop.press("Right", "Enter")
            try await shop.seeLine("Sea charts", "✓ owned")
            shop.press("q")
            try await shop.see("ended 0, mode kept")
        }
    }

    @Test("not even the first frame of an audience's shop names the console")
    func firstFrame() async throws {
        try await ShopOnTerminal.run(try Sandbox(), ["--presenter"]) { shop in
            try await shop.see("BOOKS")
            #expect(!shop.writtenText.contains("Console"))
        }
    }

    @Test("only commands that show the shop can be for an audience")
    func presenter() async throws {
        let box = try Sandbox()
        try await box.succeed("screenshot", "--demo", "--presenter")
        try await box.succeed("screenshot", "--presenter")
        #expect(try await box.run("products", "--presenter").code == 64)
    }
}
