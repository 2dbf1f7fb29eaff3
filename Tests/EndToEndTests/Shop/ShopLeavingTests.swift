import Foundation
import Testing

/// Promise P6: every end of the shop restores the terminal.
@Suite("leaving the shop", .withProgram, .inTurn)
struct ShopLeavingTests {
    @Test(
        "quitting by key restores the terminal",
        arguments: ["q", "\u{3}", "\r\u{3}", "b\u{3}", "o\u{3}", "?\u{3}", "/\u{3}"])
    func keys(text: String) async throws {
        try await ShopOnTerminal.run(try Sandbox()) { shop in
            shop.type(text)
            #expect(await shop.end() == 0)
            shop.expectGivenBack()
        }
    }

    @Test("leaving during a download says that it goes on, and so does coming back")
    func downloadGoesOn() async throws {
        let box = try Sandbox()
        let slow = ["--bandwidth", "1k"]
        try await ShopOnTerminal.run(box, slow, script: ShopOnTerminal.around) { shop in
            shop.press("b", "Right", "Enter")
            try await shop.seeLine("part one", "%")
            shop.press("q")
            try await shop.see(
                "Not downloaded yet: The Lighthouse, part one.", "ended 0, mode kept")
        }
        try await ShopOnTerminal.run(box, slow) { shop in
            try await shop.see("Downloading The Lighthouse, part one.")
        }
    }

    @Test("leaving before the answer says that the payment is kept, and it is sold once")
    func paymentGoesOn() async throws {
        let box = try Sandbox()
        try await box.succeed("operator", "network", "terminal", "slow")
        try await ShopOnTerminal.run(box, script: ShopOnTerminal.around) { shop in
            try await shop.see("The Lighthouse, part one", "b buy")
            shop.press("b", "Right", "Enter")
            try await shop.see("Buying The Lighthouse, part one")
            shop.press("q")
            try await shop.see(
                "The store has not answered for The Lighthouse, part one yet.", "ended 0, mode kept"
            )
        }
        // The next start asks for the outcome, or sends the payment again with its id.
        try await ShopOnTerminal.run(box) { shop in
            try await shop.seeLine("part one", "owned")
        }
        #expect(try await box.succeed("transactions", "--json").lines.count == 1)
    }

    @Test(
        "with --keep-downloading the program ends when its downloads have, not with the shop [E5]")
    func keepDownloading() async throws {
        let box = try Sandbox()
        let book = "lantern.book.lighthouse.1"
        try await ShopOnTerminal.run(
            box, ["--keep-downloading", "--bandwidth", "8k"], script: ShopOnTerminal.around
        ) { shop in
            shop.press("b", "Right", "Enter")
            try await shop.seeLine("part one", "%")
            shop.press("q")
            try await shop.see("ended 0, mode kept")
        }
        let row = try await box.succeed("downloads", "--json").object
        #expect(row["productId"].text == book && row["state"].text == "finished")
        let path = try #require(row["path"].text)
        #expect(
            FolderContents(path + "/Contents") == FolderContents(Program.content + "/lighthouse-1"))
        #expect(try await box.succeed("transactions", "--unfinished").output.isEmpty)
    }

    @Test(
        "a signal restores the terminal, and the shop ends by that signal",
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGALRM, SIGXCPU])
    func signals(number: Int32) async throws {
        try await ShopOnTerminal.run(try Sandbox()) { shop in
            shop.type("b")
            try await shop.see("▌[ Cancel ]")
            shop.kill(number)
            #expect(await shop.end() == -number)
            shop.expectGivenBack()
        }
    }

    @Test("while the machine is busy and keys arrive, a signal restores the terminal, too")
    func busy() async throws {
        let box = try Sandbox()
        let loops = try (0..<2 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
            try RunningProgram(
                "/bin/sh", ["-c", "while :; do :; done"], environment: box.environment,
                folder: box.work)
        }
        defer { for loop in loops { loop.stop() } }
        try await ShopOnTerminal.run(box) { shop in
            shop.type(String(repeating: "jk", count: 500))
            shop.kill(SIGTERM)
            #expect(await shop.end() == -SIGTERM)
            shop.expectGivenBack()
        }
    }

    @Test("a crash restores the terminal", arguments: [SIGSEGV, SIGILL, SIGABRT])
    func crashes(number: Int32) async throws {
        try await ShopOnTerminal.run(
            try Sandbox(["SWIFT_BACKTRACE": "enable=no"])
        ) { shop in
            shop.kill(number)
            #expect(await shop.end() == -number)
            shop.expectGivenBack()
        }
    }

    @Test("a signal before the store is open restores the terminal", arguments: [SIGINT, SIGTERM])
    func early(number: Int32) async throws {
        try await ShopOnTerminal.run(try Sandbox(), waiting: false) { shop in
            try await shop.waitForOutput("\u{1B}[?1049h")
            shop.kill(number)
            #expect(await shop.end() == -number)
            shop.expectGivenBack()
        }
    }

    @Test("closing the window ends the shop and keeps the purchase")
    func closed() async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(box, ["--bandwidth", "4k"]) { shop in
            shop.type("b\u{1B}[C")
            try await shop.see("▌[ Buy for $3.99 ]")
            shop.type("\r")
            try await shop.see("Bought The Lighthouse")
            shop.hangUp()
            #expect(await shop.end() == -SIGHUP)
        }
        #expect(try await box.succeed("transactions", "--json").json.count == 1)
    }

    @Test("Ctrl-Z stops the shop in a shell, and fg shows it again", arguments: ["C-z", "TSTP"])
    func suspend(how: String) async throws {
        let box = try Sandbox()
        let shell = "PROGRAM=\"$1\" exec bash --norc --noprofile -i"
        try await ShopOnTerminal.run(
            box, changing: ["PS1": "shell> "], script: "PROGRAM=\"$0\"; " + shell, waiting: false
        ) { shop in
            try await shop.see("shell>")
            shop.type("\"$PROGRAM\"")
            shop.press("Enter")
            try await shop.see("BOOKS", "Welcome.")
            shop.press("Down", "b")
            try await shop.see("▌[ Cancel ]")
            if how == "TSTP" {
                kill(try shop.processID(), SIGTSTP)
            } else {
                shop.press(how)
            }
            let stopped = try await shop.see("Stopped", "shell>")
            #expect(!stopped.contains("Lantern"))
            // While the shop is stopped, another process sells and delivers, and the shell works.
            try await box.succeed("buy", "lantern.theme.sepia")
            shop.resize(90, 30)
            shop.type("echo a shell; fg")
            shop.press("Enter")
            try await shop.see("[ Buy for $3.99 ]", "▌[ Cancel ]")
            try await shop.seeLine("▌ The Lighthouse, part two", "[ $3.99 ]")
            shop.press("Escape")
            try await shop.see("Cancelled.")
            try await shop.seeLine("Sepia", "✓ owned")
            shop.press("End", "Up", "Up", "b")
            shop.press("Tab", "Enter")
            try await shop.seeLine("Export notes", "✓ owned")
            shop.press("q")
            try await shop.see("shell>", "a shell")
        }
    }
}
