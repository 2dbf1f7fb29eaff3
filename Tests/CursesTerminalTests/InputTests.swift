import Glibc
import Terminal
import TerminalHarness
import TerminalTestSupport
import Testing

/// Bytes typed on a terminal, and the event that the program on it reports.
@Suite struct InputTests {
    @Test(
        "a key, a paste or a click is one event",
        arguments: [
            ("\u{1B}", "key(Terminal.Key.escape)"),
            ("\u{1B}[A", "key(Terminal.Key.up)"),
            ("\u{1B}OB", "key(Terminal.Key.down)"),
            ("\u{3}", #"key(Terminal.Key.control("c"))"#),
            ("日", #"key(Terminal.Key.character("日"))"#),
            ("\u{7F}", "key(Terminal.Key.backspace)"),
            ("\u{1B}[200~buy\rq\u{1B}[A\u{1B}[201~", #"pasted("buy\nq\u{1B}[A")"#),
            (
                "\u{1B}[<0;5;7M",
                "pointer(Terminal.PointerEvent.clicked(Terminal.Position(column: 4, row: 6)))"
            ),
        ])
    func aKeyIsOneEvent(_ typed: String, _ expected: String) async throws {
        let terminal = try TerminalUnderTest(["1", "pointer"])
        _ = try await terminal.message()
        terminal.type(typed)
        #expect(try await terminal.message() == expected)
    }

    @Test("a paste that arrives in pieces is one event")
    func aPasteInPiecesIsOne() async throws {
        let terminal = try TerminalUnderTest()
        _ = try await terminal.message()
        for piece in ["\u{1B}", "[200", "~one ", "tw", "o\u{1B}", "[201~", "x is not pressed"] {
            if piece.hasPrefix("x") { break }
            terminal.type(piece)
        }
        #expect(try await terminal.message() == #"pasted("one two")"#)
    }

    @Test("the terminal's answer to a query is not a key")
    func anAnswerIsNoKey() async throws {
        let terminal = try TerminalUnderTest(answer: "\u{1B}[?2026;1$y")
        _ = try await terminal.message()
        terminal.type("a")
        #expect(try await terminal.message() == #"key(Terminal.Key.character("a"))"#)
    }

    @Test("mouse reports are off, and ignored, unless they were asked for")
    func clicksAreNotTakenUnasked() async throws {
        let terminal = try TerminalUnderTest()
        _ = try await terminal.message()
        #expect(!String(decoding: terminal.written, as: UTF8.self).contains("?1000h"))
        terminal.type("\u{1B}[<0;5;7Ma")
        #expect(try await terminal.message() == #"key(Terminal.Key.character("a"))"#)
    }

    @Test(
        "a terminating signal arrives as an event, and the program can end cleanly",
        arguments: [SIGINT, SIGTERM, SIGQUIT])
    func aSignalAsksToEnd(_ signal: Int32) async throws {
        let terminal = try TerminalUnderTest()
        _ = try await terminal.message()
        terminal.kill(signal)
        #expect(
            try await terminal.message() == "ended(Terminal.TerminalEvent.Ending.signal(\(signal)))"
        )
        #expect(await terminal.end() == 0)
        expectGivenBack(terminal)
    }

    @Test("a hang-up arrives as an event")
    func aHangUpIsAnEvent() async throws {
        let terminal = try TerminalUnderTest()
        _ = try await terminal.message()
        terminal.kill(SIGHUP)
        #expect(try await terminal.message() == "ended(Terminal.TerminalEvent.Ending.hungUp)")
        #expect(await terminal.end() == 0)
    }

    @Test("a wake from another thread ends the wait")
    func aWakeFromAnotherThreadEndsTheWait() async throws {
        let terminal = try TerminalUnderTest()
        _ = try await terminal.message()
        for number in 1...20 {
            terminal.type("w")
            #expect(try await terminal.message() == "frame \(number) 80 24")
        }
    }

    @Test("a wait ends at its deadline and not before")
    func aWaitEndsAtItsDeadlineAndNotBefore() async throws {
        let terminal = try TerminalUnderTest()
        _ = try await terminal.message()
        terminal.type("d")
        #expect(try await terminal.message() == "waited: 0, true")
    }

    @Test("mouse reports can be turned on later")
    func clicksCanBeAskedForLater() async throws {
        let terminal = try TerminalUnderTest()
        _ = try await terminal.message()
        terminal.type("p")
        #expect(try await terminal.message() == "pointer")
        #expect(String(decoding: terminal.written, as: UTF8.self).contains("\u{1B}[?1000h"))
        terminal.type("\u{1B}[<64;1;1M")
        #expect(
            try await terminal.message()
                == "pointer(Terminal.PointerEvent.wheel(Terminal.Position(column: 0, row: 0), rows: -3))"
        )
    }

    @Test("Ctrl-backslash arrives as SIGQUIT")
    func controlBackslashEnds() async throws {
        let terminal = try TerminalUnderTest()
        _ = try await terminal.message()
        terminal.type("\u{1C}")
        #expect(
            try await terminal.message()
                == "ended(Terminal.TerminalEvent.Ending.signal(\(SIGQUIT)))")
    }
}

/// Expects the terminal to have the modes and the screen that it had before the program started.
func expectGivenBack(
    _ terminal: TerminalUnderTest, sourceLocation: SourceLocation = #_sourceLocation
) {
    let left = terminal.terminal.whatWasLeftBehind
    #expect(left.isEmpty, "\(left)", sourceLocation: sourceLocation)
}
