import Foundation
import Testing

@Suite("the shop in lines", .withProgram, .inTurn)
struct LinearShopTests {
    /// Gives the lines to the program by a pipe, which ends after them.
    private func talk(
        _ box: Sandbox, _ lines: String..., arguments: String = "--linear"
    ) async throws -> RunningProgram.Answer {
        let answer = try await RunningProgram(
            "/bin/sh",
            ["-c", "printf '%s\\n' \"$@\" | \"$0\" \(arguments)", try #require(Program.path)]
                + lines, environment: box.environment, folder: box.work
        ).end()
        #expect(!answer.hung)
        #expect(!answer.output.contains("\u{1B}"))
        #expect(answer.lines.allSatisfy { $0.count <= 80 }, "\(answer.output)")
        return answer
    }

    /// Each text is found after the one before.
    private func expect(
        _ answer: RunningProgram.Answer, toSay texts: String...,
        at location: SourceLocation = #_sourceLocation
    ) {
        var rest = answer.output[...]
        for text in texts {
            guard let found = rest.range(of: text) else {
                Issue.record("no \"\(text)\" in:\n\(answer.whole)", sourceLocation: location)
                return
            }
            rest = rest[found.upperBound...]
        }
    }

    @Test("a whole purchase, from the list to the library, by numbers and words")
    func purchase() async throws {
        let box = try Sandbox()
        let answer = try await talk(box, "5", "buy", "2", "library", "quit")
        #expect(answer.code == 0, "\(answer.whole)")
        expect(
            answer, toSay: "Lantern", "SANDBOX", "BOOKS", "5. Sepia, $0.99", "> 5",
            "Sepia: $0.99", "Buy for $0.99", "> buy", "Pays: me", "1. Cancel", "2. Buy for $0.99",
            "> 2", "Bought Sepia for $0.99. Transaction 1000001, verified.", "> library",
            "Library", "Sepia", "> quit")
        #expect(answer.output.components(separatedBy: "Bought Sepia").count == 2)
        let sales = try await box.succeed("transactions", "--json").json
        #expect(sales.map { $0["productId"].text } == ["lantern.theme.sepia"])
        #expect(try await box.succeed("transactions", "--unfinished").output.isEmpty)
    }

    @Test("a decline that the palette has set, told once, and nothing is bought")
    func decline() async throws {
        let box = try Sandbox()
        let answer = try await talk(
            box, "paymentDeclined", "1", "5", "buy", "buy", "xyzzy", "99", "q")
        #expect(answer.code == 0, "\(answer.whole)")
        expect(
            answer, toSay: "> paymentDeclined", "1. ", "> 1", "> 5", "> buy", "2. Buy for $0.99",
            "> buy", "declined", "> xyzzy", "Nothing here is called xyzzy", "> 99",
            "There is no line 99 here")
        #expect(try await box.succeed("transactions").output.isEmpty)
    }

    @Test("a refund is asked for on the page of what was bought, and answered in the console")
    func refund() async throws {
        let box = try Sandbox()
        let answer = try await talk(
            box, "5", "buy", "2", "ask for a refund", "2", "console", "approve", "library", "q")
        #expect(answer.code == 0, "\(answer.whole)")
        expect(answer, toSay: "Bought Sepia", "> ask for a refund", "1. Keep it", "> approve")
        let refunded = try await box.succeed("transactions", "--json").object
        #expect(refunded["revocationDate"].number != nil, "\(answer.output)")
    }

    @Test("a download is told in quarters, and waited for")
    func download() async throws {
        let box = try Sandbox()
        let answer = try await talk(
            box, "buy 1", "2", "wait", "1", "q", arguments: "--linear --bandwidth unlimited")
        #expect(answer.code == 0, "\(answer.whole)")
        expect(answer, toSay: "2. Buy for $3.99", "> 2", "Bought The Lighthouse", "> wait", "> 1")
        #expect(try await box.succeed("downloads").output.contains("downloaded"))
    }

    @Test("a wait for a download that is paused ends, and says so")
    func standing() async throws {
        let box = try Sandbox()
        let answer = try await talk(
            box, "buy 1", "2", "1", "pause", "wait", "quit", arguments: "--linear --bandwidth 1k")
        #expect(answer.code == 0, "\(answer.whole)")
        expect(
            answer, toSay: "> pause", "> wait", "The Lighthouse, part one: paused at ", "> quit")
    }

    @Test("mistakes in the settings are told once, and a language that the settings hide")
    func settings() async throws {
        let box = try Sandbox()
        let folder = box.folder + "/config/storefront"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        try Data("language = \"en\"\nthemee = \"sepia\"\n".utf8)
            .write(to: URL(filePath: folder + "/config.toml"))
        let answer = try await talk(box, ":words 日本語", "1", "quit")
        expect(
            answer, toSay: "1 mistake in your settings", "> :words", "> 1",
            "line 1 of config.toml comes first")
        #expect(answer.output.components(separatedBy: "1 mistake").count == 2)
    }

    @Test("Ctrl-Z suspends the device, so that another process delivers, and fg asks again")
    func suspend() async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(
            box, rows: 60, changing: ["PS1": "shell> ", "TERM": "dumb"],
            script: "PROGRAM=\"$1\" exec bash --norc --noprofile -i", waiting: false
        ) { shop in
            try await shop.see("shell>")
            shop.type("\"$PROGRAM\"\r")
            try await shop.see("5. Sepia, $0.99", "a word, or ?")
            shop.press("C-z")
            try await shop.see("Stopped")
            try await box.succeed("buy", "lantern.theme.sepia")
            let unfinished = try await box.succeed("transactions", "--unfinished")
            #expect(unfinished.output.isEmpty)
            shop.type("fg\r")
            try await shop.see("the mark anew, below the shell's lines") { screen in
                let lines = screen.split(separator: "\n")
                    .map { $0.trimmingCharacters(in: .whitespaces) }
                return lines.last { !$0.isEmpty } == ">"
            }
            shop.type("quit\r")
            try await shop.see("> quit")
        }
    }

    @Test("the end of the input on a terminal leaves no mark behind")
    func endOfInput() async throws {
        try await ShopOnTerminal.run(
            try Sandbox(), rows: 60, changing: ["TERM": "dumb"], script: ShopOnTerminal.around,
            waiting: false
        ) { shop in
            try await shop.see("5. Sepia, $0.99", "a word, or ?")
            shop.type("buy 5\r")
            try await shop.see("2. Buy for $0.99", "1 to 2, a word")
            shop.type("\u{4}")
            let screen = try await shop.see("Nothing was bought.", "ended 11, mode kept")
            #expect(!screen.contains("> The input ended"), "\(screen)")
        }
    }

    @Test(
        "input that ends before a purchase is confirmed buys nothing, and says so",
        arguments: [["5", "buy"], ["buy 5"], ["redeem code"]])
    func inputEnds(lines: [String]) async throws {
        let box = try Sandbox()
        let answer = try await RunningProgram(
            "/bin/sh",
            ["-c", "printf '%s\\n' \"$@\" | \"$0\" --linear", try #require(Program.path)] + lines,
            environment: box.environment, folder: box.work
        ).end()
        #expect(answer.code == 11, "\(answer.whole)")
        #expect(answer.lines.last?.contains("Nothing was bought.") == true, "\(answer.whole)")
        #expect(try await box.succeed("transactions").output.isEmpty)
        #expect(!(try await box.succeed("payments").output.contains("Sepia")))
    }

    @Test(
        "an interrupt before a purchase is confirmed buys nothing, says so, and ends by the signal")
    func interrupt() async throws {
        let box = try Sandbox()
        let shop = try RunningProgram(
            try #require(Program.path), ["--linear"], environment: box.environment,
            folder: box.work, hasInput: true)
        shop.say("buy 5")
        var line = await shop.nextLine()
        while let text = line, !text.hasPrefix("1 to 2,") { line = await shop.nextLine() }
        shop.stop(SIGINT)
        let answer = await shop.end()
        #expect(answer.code == -SIGINT, "\(answer.whole)")
        #expect(answer.lines.last?.contains("Nothing was bought.") == true, "\(answer.whole)")
        #expect(try await box.succeed("transactions").output.isEmpty)
    }

    @Test("on a dumb terminal the shop is in lines by itself, and leaves it as it was")
    func dumb() async throws {
        try await ShopOnTerminal.run(
            try Sandbox(), rows: 60, changing: ["TERM": "dumb"], script: ShopOnTerminal.around,
            waiting: false
        ) { shop in
            try await shop.see("5. Sepia, $0.99", "a word, or ?", "> ")
            shop.type("5\r")
            try await shop.see("Sepia: $0.99", "Buy for $0.99")
            shop.type("quit\r")
            try await shop.see("ended 0, mode kept")
            #expect(!shop.writtenText.contains("\u{1B}"))
        }
    }

    @Test("on a screen, the terminal's cursor is in the row of the selection")
    func cursor() async throws {
        try await ShopOnTerminal.run(try Sandbox()) { shop in
            try await shop.seeCursor(on: "▌ The Lighthouse, part one")
            shop.press("Down")
            try await shop.seeCursor(on: "▌ The Lighthouse, part two")
            shop.press("Enter")
            try await shop.seeCursor(on: "▌[ Buy for $3.99 ]")
            shop.press("b")
            try await shop.seeCursor(on: "▌[ Cancel ]")
            shop.press("Escape")
            try await shop.see("You weren't charged")
            shop.press(":")
            try await shop.see("type to filter")
            shop.press("Down")
            try await shop.seeCursor(on: "▌")
        }
    }
}
