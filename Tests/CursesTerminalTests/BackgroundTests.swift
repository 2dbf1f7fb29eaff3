import CEmulator
import Terminal
import TerminalHarness
import TerminalTestSupport
import Testing

/// Whether the program asks for the terminal's background, and how the answer changes its theme.
@Suite struct BackgroundTests {
    private static let question = "\u{1B}]11;?"
    private static let light = "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}"
    private static let dark = "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\"

    @Test("a terminal that answers at once is light before the first key")
    func anAnswerBeforeTheFirstKey() async throws {
        let terminal = try TerminalUnderTest(answer: "\u{1B}[?2026;2$y", background: Self.light)
        #expect(try await terminal.message() == "frame 0 80 24")
        #expect(String(decoding: terminal.written, as: UTF8.self).contains(Self.question))
        #expect(try await terminal.message() == "background(Terminal.Background.light)")
        terminal.type("i")
        #expect(try await terminal.message() == "light")
    }

    @Test(
        "an answer may come late, in pieces and between keys",
        arguments: [
            ["a", light, "b"], ["a\u{1B}]11;rgb:ff", "ff/ffff/ff", "ff\u{7}b"],
            ["a\u{1B}", "]11;rgb:bbbb/bbbb/bbbb", "\u{1B}", "\\b"],
        ])
    func anAnswerMayComeLate(_ pieces: [String]) async throws {
        let terminal = try TerminalUnderTest()
        _ = try await terminal.message()
        for piece in pieces { terminal.type(piece) }
        var messages: [String] = []
        // The key "b" makes the program draw a frame of another size.
        while messages.last?.hasPrefix("frame") != true {
            messages.append(try await terminal.message())
        }
        let expected = [
            #"key(Terminal.Key.character("a"))"#, "background(Terminal.Background.light)",
            "frame 0 110 34",
        ]
        #expect(messages == expected)
    }

    @Test("an answer that changes nothing is no event, and a second one is ignored")
    func anAnswerThatChangesNothingIsNoEvent() async throws {
        let terminal = try TerminalUnderTest()
        _ = try await terminal.message()
        terminal.type(Self.dark + "i")
        #expect(try await terminal.message() == "dark")
        terminal.type(Self.light + "i")
        #expect(try await terminal.message() == "dark")
    }

    @Test(
        "until the terminal answers, COLORFGBG tells the background",
        arguments: [("0;15", "light"), ("15;0", "dark"), ("", "dark")])
    func theEnvironmentTellsTheBackground(_ value: String, _ background: String) async throws {
        let terminal = try TerminalUnderTest(environment: ["COLORFGBG": value])
        _ = try await terminal.message()
        terminal.type("i")
        #expect(try await terminal.message() == background)
    }

    @Test(
        "a terminal is not asked if it would print the question or pass it on",
        arguments: [
            ["TERM": "linux"], ["TERM": "vt100"], ["TERM": "screen-256color"],
            ["TERM": "xterm-256color", "STY": "123.pts"],
            ["TERM": "screen", "STY": "123.pts", "TMUX": "/tmp/tmux,1,0"], ["NO_COLOR": "1"],
        ])
    func someTerminalsAreNotAsked(_ environment: [String: String]) async throws {
        let terminal = try TerminalUnderTest(environment: environment)
        _ = try await terminal.message()
        #expect(!String(decoding: terminal.written, as: UTF8.self).contains(Self.question))
        terminal.type(Self.light + "i")
        #expect(try await terminal.message() == "dark")
    }

    @Test(
        "a terminal is asked inside tmux, and without synchronized output",
        arguments: [
            ["TERM": "screen-256color", "TMUX": "/tmp/tmux,1,0"], ["TERM": "tmux-256color"],
            ["STOREFRONT_NO_SYNC": "1"],
        ])
    func otherTerminalsAreAsked(_ environment: [String: String]) async throws {
        let terminal = try TerminalUnderTest(environment: environment)
        _ = try await terminal.message()
        #expect(String(decoding: terminal.written, as: UTF8.self).contains(Self.question))
    }

    @Test(
        "a terminal is asked only for themes that depend on its background",
        arguments: [("dark", false), ("light", false), ("high-contrast", true), ("sepia", true)])
    func onlySomeThemesNeedTheBackground(_ theme: String, _ isAsked: Bool) async throws {
        let terminal = try TerminalUnderTest(["1", theme])
        _ = try await terminal.message()
        let written = String(decoding: terminal.written, as: UTF8.self)
        #expect(written.contains(Self.question) == isAsked)
    }

    @Test("an answer that is outstanding when the program ends is not typed at the shell")
    func anOutstandingAnswerIsNotTyped() async throws {
        let terminal = try TerminalUnderTest(
            ["1", "brief"], answer: "\u{1B}[?2026;2$y", background: Self.light)
        #expect(await terminal.end() == 0)
        let text = String(decoding: terminal.terminal.written, as: UTF8.self)
        #expect(text.contains("left: 0"), "\(text.suffix(200).debugDescription)")
        #expect(!text.contains("rgb:"))
        expectGivenBack(terminal)
    }

    @Test("a terminal that never answers does not keep the program from ending")
    func aSilentTerminalCanBeLeft() async throws {
        let terminal = try TerminalUnderTest(["1", "brief"])
        #expect(await terminal.end() == 0)
        expectGivenBack(terminal)
    }

    @Test("a frame's page colours fill the screen, and go with it")
    func pageColorsFillTheScreen() async throws {
        let size = Size(columns: 50, rows: 12)
        let terminal = try TerminalUnderTest(["9"], size: size)
        let frames = SampleFrames(seed: 9, measure: terminalMeasure)
        let pages: [(UInt8, UInt8)?] = [(180, 234), (236, 230), nil, (180, 234)]
        var number = 0
        #expect(try await terminal.message() == "frame 0 50 12")
        for page in pages {
            terminal.type("s")
            for _ in 0..<5 {
                #expect(try await terminal.message() == "frame \(number) 50 12")
                var frame = frames.frame(number, size: size)
                frame.page = page.map { text, background in
                    PageColors(
                        text: Color(rich: text, basic: 0),
                        background: Color(rich: background, basic: 0))
                }
                try #require(terminal.differences(from: frame) == [], "frame \(number), \(page)")
                terminal.type("\r")
                number += 1
            }
            #expect(try await terminal.message() == "frame \(number) 50 12")
        }
        terminal.type("q")
        #expect(await terminal.end() == 0)
        expectGivenBack(terminal)
        #expect(terminal.cell(0, 0).background == -1)
    }

    @Test("terminals with fewer than 256 colours keep their page", arguments: ["xterm", "vt100"])
    func fewerColorsKeepTheirPage(_ name: String) async throws {
        let terminal = try TerminalUnderTest(["9"], environment: ["TERM": name])
        _ = try await terminal.message()
        terminal.type("s")
        _ = try await terminal.message()
        #expect(terminal.cell(79, 23).background == -1)
    }
}
