import Foundation
import Testing

@Suite("views and panes of the shop", .withProgram, .inTurn)
struct ShopViewsTests {
    @Test("a view is shown by its number and by a click on its name, as it was left")
    func views() async throws {
        try await ShopOnTerminal.run(try Sandbox(), script: ShopOnTerminal.around) { shop in
            shop.press("Down", "Enter")
            try await shop.see("Books ›", "▌[ Buy for $3.99 ]")
            shop.press("4")
            try await shop.see("APPROVALS", "No requests.", "o shop")
            shop.press("1")
            try await shop.see("Books ›", "lantern.book.lighthouse.2")
            // The key of the shown view leads back to that view's first screen.
            shop.press("1")
            try await shop.see("BOOKS", "▌ The Lighthouse, part two")
            try shop.click("4 Console")
            try await shop.see("APPROVALS", "No requests.")
            try shop.click("1 Shop")
            try await shop.see("BOOKS", "▌ The Lighthouse, part two")
        }
    }

    @Test("a customer's shop has no console, by number or by click")
    func customer() async throws {
        try await ShopOnTerminal.run(
            try Sandbox(), ["--customer"], script: ShopOnTerminal.around
        ) { shop in
            try await shop.seeLine("Lantern", "1 Shop")
            #expect(!shop.screen.contains("Console"))
            shop.press("4")
            try await shop.see("This shop was opened for a customer; it has no console.", "BOOKS")
        }
    }

    @Test("Tab moves the focus between list and page, and the page follows the list")
    func panes() async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(box, columns: 120, rows: 40, script: ShopOnTerminal.around) {
            shop in
            let isListFocused = { @Sendable (screen: String) in
                screen.contains("Enter open") && !screen.contains("▌[")
            }
            try await shop.see("the list's focus", isListFocused)
            try await shop.see("lantern.book.lighthouse.1", "│")
            shop.press("Tab")
            try await shop.see("▌[ Buy for $3.99 ]", "Enter activate", "BOOKS")
            shop.press("Tab")
            try await shop.see("the list's focus again", isListFocused)
            shop.press("Down")
            try await shop.see("▌ The Lighthouse, part two", "lantern.book.lighthouse.2")
            shop.press("BTab")
            try await shop.see("▌[ Buy for $3.99 ]", "Enter activate")
            // Enter presses the page's button, and the list stays on the screen.
            shop.press("Enter")
            try await shop.see("▌[ Cancel ]", "Cancel is chosen", "BOOKS")
            // On a sheet, Tab moves between the sheet's buttons.
            shop.press("Tab")
            try await shop.see("[ Cancel ]  ▌[ Buy for $3.99 ]")
            shop.press("Enter")
            try await shop.see("✓ Bought The Lighthouse, part two for $3.99.")
            try await shop.seeLine("part two", "✓ owned", "│")
            // Below the page the shop shows the latest events of every account.
            try await box.succeed("buy", "lantern.coins.10", "--account", "aoi")
            try await shop.see("ACTIVITY")
            try await shop.seeLine("│", "aoi", "10 coins")
        }
    }

    @Test(
        "in a large window the console is the third pane, and its keys work while it has the focus")
    func threePanes() async throws {
        try await ShopOnTerminal.run(
            try Sandbox(), columns: 200, rows: 50, script: ShopOnTerminal.around
        ) { shop in
            try await shop.see("BOOKS", "lantern.book.lighthouse.1", "APPROVALS", "Enter open")
            #expect(shop.line("BOOKS").split(separator: "│").count == 3)
            shop.press("Tab", "Tab")
            try await shop.see("o shop", "f fail the next", "p Payments")
            shop.press("t")
            try await shop.see("t Ask to Buy: on", "BOOKS", "[ Ask to buy for $3.99 ]")
            try await shop.seeLine("account", "Ask to Buy on")
            shop.press("Tab")
            try await shop.see("Enter open")
            shop.press("BTab")
            try await shop.see("f fail the next")
        }
    }

    @Test("inside tmux the text is in tmux's buffer, or the message says what is missing")
    func tmux() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        let folder = box.work + "/bin"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        // It refuses the second text. The pipe makes the test wait for the first one.
        let pipe = box.work + "/buffer"
        try #require(mkfifo(pipe, 0o600) == 0)
        let script = """
            #!/bin/sh
            [ -e "\(box.work)/full" ] && exit 1
            touch "\(box.work)/full"
            { echo "$@"; cat; } > "\(pipe)"
            """
        // Another process copies it: a program that other tests start while this process writes a
        // file may hold it open, and Linux runs no file that is open for writing.
        try Data(script.utf8).write(to: URL(filePath: box.work + "/tmux"))
        let copied = try RunningProgram(
            "/usr/bin/install", ["tmux", "bin/tmux"], environment: box.environment,
            folder: box.work)
        #expect(await copied.end().code == 0)
        let inside = ["TMUX": "/tmp/tmux-0/default,1,0", "PATH": folder + ":/usr/bin:/bin"]
        try await ShopOnTerminal.run(box, changing: inside) { shop in
            shop.press("3")
            try await shop.see("HISTORY", "Sepia")
            shop.press("y")
            try await shop.see("Copied 1000001")
            let kept = Task.detached {
                try FileHandle(forReadingFrom: URL(filePath: pipe)).readToEnd()
            }
            #expect(try await kept.value == Data("load-buffer -w -\n1000001".utf8))
            shop.press("y")
            try await shop.see("tmux did not take the text")
            #expect(!shop.writtenText.contains("\u{1B}]52"))
        }
    }

    @Test("a terminal that refuses the clipboard is told, and the identifier is shown to be copied")
    func noClipboard() async throws {
        let box = try Sandbox()
        try await box.succeed("buy", "lantern.theme.sepia")
        try await ShopOnTerminal.run(box, changing: ["TERM": "linux"]) { shop in
            shop.press("3")
            try await shop.see("HISTORY", "Sepia")
            shop.press("y")
            try await shop.see("This terminal can't copy. The identifier is 1000001")
        }
    }
}
