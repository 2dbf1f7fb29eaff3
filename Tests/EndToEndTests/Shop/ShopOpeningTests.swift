import Foundation
import Testing

@Suite("opening the shop", .withProgram, .inTurn)
struct ShopOpeningTests {
    @Test("without arguments in a terminal the shop opens, and q restores the terminal")
    func bare() async throws {
        try await ShopOnTerminal.run(try Sandbox(), script: ShopOnTerminal.around) { shop in
            let screen = try await shop.see("BOOKS", "The Lighthouse, part one", "SANDBOX")
            #expect(!screen.contains("before"))
            shop.press("q")
            let after = try await shop.see("before", "ended 0, mode kept")
            #expect(!after.contains("BOOKS"))
        }
    }

    @Test(
        "with a pipe as input or output, the products are listed instead",
        arguments: ["{ \"$@\"; echo \"ended $?\"; } | cat", "true | \"$@\"; echo \"ended $?\""])
    func pipe(command: String) async throws {
        try await ShopOnTerminal.run(
            try Sandbox(), rows: 40, script: command + "; exec cat", waiting: false
        ) { shop in
            try await shop.see("lantern.book.lighthouse.1", "MEMBERSHIP", "ended 0")
        }
    }

    @Test("on an unnamed terminal, the products are listed instead", arguments: ["", nil])
    func unnamed(name: String?) async throws {
        try await ShopOnTerminal.run(
            try Sandbox(), rows: 40, changing: ["TERM": name], script: ShopOnTerminal.around,
            waiting: false
        ) { shop in
            try await shop.see("lantern.book.lighthouse.1", "ended 0, mode kept")
        }
    }

    @Test(
        "the shop works on any other terminal type",
        arguments: [
            "xterm", "xterm-256color", "screen", "tmux-256color", "never-heard-of", "vt100",
        ])
    func terminals(name: String) async throws {
        try await ShopOnTerminal.run(
            try Sandbox(), changing: ["TERM": name], script: ShopOnTerminal.around
        ) { shop in
            shop.press("Down", "Enter")
            try await shop.see("The Lighthouse, part two", "[ Buy for $3.99 ]")
            shop.press("Escape")
            try await shop.see("BOOKS")
            shop.press("q")
            try await shop.see("ended 0, mode kept")
        }
    }

    @Test(
        "the shop opens with any locale in the environment",
        arguments: ["", "xx_YY.UTF-8", "aaaaaaaaaaaa", "/usr/share/locale", nil])
    func languages(name: String?) async throws {
        try await ShopOnTerminal.run(
            try Sandbox(), changing: ["LANG": name, "LC_ALL": nil], script: ShopOnTerminal.around
        ) { shop in
            try await shop.see("▌ The Lighthouse, part one")
        }
    }

    @Test("the shop works inside tmux")
    func tmux() async throws {
        let box = try Sandbox()
        try await ShopOnTerminal.run(
            box, changing: ["TMUX_TMPDIR": box.temporary, "PATH": Program.toolPath],
            script: """
                exec tmux -L shop -f /dev/null start-server ';' \
                    set -g destroy-unattached on ';' new-session "$@"
                """
        ) { shop in
            try await shop.see("▌ The Lighthouse, part one")
            shop.resize(100, 30)
            shop.press("Down", "Enter")
            try await shop.see("The Lighthouse, part two", "[ Buy for $3.99 ]")
            shop.press("q")
            try await shop.see("[exited]")
        }
    }

    @Test(
        "in the C locale, only ASCII is sent", arguments: ["LC_ALL", "LC_CTYPE", "LANG"],
        ["C", "POSIX"])
    func plainLocale(variable: String, name: String) async throws {
        let environment = ["LC_ALL": nil, "LC_CTYPE": nil, "LANG": nil].merging([variable: name]) {
            $1
        }
        try await ShopOnTerminal.run(try Sandbox(), changing: environment) { shop in
            try await shop.see("> The Lighthouse, part one")
            #expect(shop.written.allSatisfy { $0 < 0x80 })
        }
    }

    @Test("a Japanese screen of 40 columns shows its texts and prices")
    func japanese() async throws {
        try await ShopOnTerminal.run(
            try Sandbox(), ["--locale", "ja_JP", "--territory", "JP"], columns: 40, rows: 12,
            script: ShopOnTerminal.around, waiting: false
        ) { shop in
            try await shop.see("灯台", "480", "ヘルプ")
        }
    }

    @Test("with --ascii, only ASCII is sent")
    func ascii() async throws {
        try await ShopOnTerminal.run(try Sandbox(), ["--ascii"]) { shop in
            // One at a time: Escape with a letter right behind it is read as another key.
            for (key, text) in [
                ("\r", "Esc back"), ("b", "Cancel is chosen"), ("\u{1B}", "Cancelled."),
                ("o", "o shop"), ("f", "0 all"), ("\u{1B}", "o shop"), ("o", "Esc back"),
                ("?", "Enter do it"), ("?", "o console"), ("1", "> The Lighthouse, part one"),
            ] {
                shop.type(key)
                try await shop.see(text)
            }
            shop.type("q")
            #expect(await shop.end() == 0)
            #expect(shop.written.allSatisfy { $0 < 0x80 })
        }
    }

    @Test("NO_COLOR turns colors off", arguments: [["NO_COLOR": "1"], [:]])
    func colors(changes: [String: String]) async throws {
        try await ShopOnTerminal.run(try Sandbox(), changing: changes) { shop in
            shop.type("b")
            try await shop.see("[ Cancel ]")
            shop.type("q")
            shop.type("o")
            try await shop.see("EVENTS")
            shop.type("q")
            #expect(await shop.end() == 0)
            let colors = shop.writtenText.matches(of: /\x1B\[([349][0-7]|38)[;m]/)
            #expect(colors.isEmpty == (changes["NO_COLOR"] != nil))
        }
    }

    @Test("the terminal's answer about its background changes the theme, and presses no key")
    func background() async throws {
        try await ShopOnTerminal.run(try Sandbox()) { shop in
            #expect(shop.writtenText.contains("\u{1B}]11;?"))
            #expect(!shop.writtenText.contains("38;5;25"))
            // The terminal's answer has a "b", which would buy if it were read as a key.
            shop.type("\u{1B}]11;rgb:bbbb/bb")
            shop.type("bb/bbbb\u{7}")
            try await shop.waitForOutput("38;5;25")
            #expect(!shop.screen.contains("Cancel"))
            shop.type("q")
            #expect(await shop.end() == 0)
        }
    }

    @Test(
        "--theme chooses the colours",
        arguments: [("light", "38;5;25"), ("sepia", "48;5;234"), ("high-contrast", "38;5;81")])
    func theme(name: String, color: String) async throws {
        try await ShopOnTerminal.run(try Sandbox(), ["--theme", name]) { shop in
            #expect(shop.writtenText.contains(color))
            #expect(shop.writtenText.contains("\u{1B}]11;?") == (name != "light"))
            shop.type("q")
            #expect(await shop.end() == 0)
            shop.expectGivenBack()
        }
    }

    @Test("the screen adapts to any window size and back")
    func sizes() async throws {
        try await ShopOnTerminal.run(try Sandbox(), script: ShopOnTerminal.around) { shop in
            shop.resize(20, 5)
            try await shop.see("Needs 40×12. q quits")
            shop.resize(1, 1)
            try await shop.see("one cell") { $0.count <= 1 }
            shop.resize(300, 100)
            try await shop.see("│", "[ Buy for $3.99 ]", "Season pass")
            shop.resize(40, 12)
            try await shop.seeLine(" Sepia                 $0.99")
            shop.resize(80, 24)
            try await shop.seeLine("▌ The Lighthouse, part one    [ $3.99 ]")
        }
    }

    @Test("an invalid catalog is reported after the terminal is restored")
    func badCatalog() async throws {
        let box = try Sandbox()
        let file = try box.file("bad.json", "{\"format\": 1, \"products\": [")
        try await ShopOnTerminal.run(
            box, ["--catalog", file], script: ShopOnTerminal.around, waiting: false
        ) { shop in
            try await shop.see(
                "before", "The catalog cannot be used", "Nothing was changed", "ended 65, mode kept"
            )
        }
        try await ShopOnTerminal.run(box, ["--catalog", file], waiting: false) { shop in
            #expect(await shop.end() == 65)
            shop.expectGivenBack()
        }
    }

    @Test("invalid arguments are reported without opening the screen")
    func usage() async throws {
        try await ShopOnTerminal.run(try Sandbox(), ["--colors", "many"], waiting: false) { shop in
            #expect(await shop.end() == 64)
            shop.expectGivenBack()
            #expect(!shop.writtenText.contains("\u{1B}[?1049h"))
        }
    }
}
