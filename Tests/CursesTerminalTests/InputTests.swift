import Glibc
import Terminal
import TerminalTestSupport
import Testing

/// What is typed on a terminal, and what the program on it says it was.
@Suite struct InputTests {
    @Test(arguments: [
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
    func aKeyIsTold(_ typed: String, _ expected: String) throws {
        let terminal = try TerminalUnderTest(["1", "pointer"])
        _ = try terminal.message()
        terminal.type(typed)
        #expect(try terminal.message() == expected)
    }

    @Test func aPasteInPiecesIsOne() throws {
        let terminal = try TerminalUnderTest()
        _ = try terminal.message()
        for piece in ["\u{1B}", "[200", "~one ", "tw", "o\u{1B}", "[201~", "x is not pressed"] {
            if piece.hasPrefix("x") { break }
            terminal.type(piece)
        }
        #expect(try terminal.message() == #"pasted("one two")"#)
    }

    @Test func anAnswerIsNoKey() throws {
        let terminal = try TerminalUnderTest(answer: "\u{1B}[?2026;1$y")
        _ = try terminal.message()
        terminal.type("a")
        #expect(try terminal.message() == #"key(Terminal.Key.character("a"))"#)
    }

    @Test func clicksAreNotTakenUnasked() throws {
        let terminal = try TerminalUnderTest()
        _ = try terminal.message()
        #expect(!String(decoding: terminal.written, as: UTF8.self).contains("?1000h"))
        terminal.type("\u{1B}[<0;5;7Ma")
        #expect(try terminal.message() == #"key(Terminal.Key.character("a"))"#)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGQUIT])
    func aSignalAsksToEnd(_ signal: Int32) throws {
        let terminal = try TerminalUnderTest()
        _ = try terminal.message()
        kill(terminal.id, signal)
        #expect(try terminal.message() == "ended(Terminal.TerminalEvent.Ending.signal(\(signal)))")
        #expect(try terminal.end() == 0)
        expectGivenBack(terminal)
    }

    @Test func aHangUpIsTold() throws {
        let terminal = try TerminalUnderTest()
        _ = try terminal.message()
        kill(terminal.id, SIGHUP)
        #expect(try terminal.message() == "ended(Terminal.TerminalEvent.Ending.hungUp)")
        #expect(try terminal.end() == 0)
    }

    @Test func aRingFromAnotherThreadEndsTheWait() throws {
        let terminal = try TerminalUnderTest()
        _ = try terminal.message()
        for number in 1...20 {
            terminal.type("w")
            #expect(try terminal.message() == "frame \(number) 80 24")
        }
    }

    @Test func aWaitEndsAtItsDeadlineAndNotBefore() throws {
        let terminal = try TerminalUnderTest()
        _ = try terminal.message()
        terminal.type("d")
        #expect(try terminal.message() == "waited: 0, true")
    }

    @Test func clicksCanBeAskedForLater() throws {
        let terminal = try TerminalUnderTest()
        _ = try terminal.message()
        terminal.type("p")
        #expect(try terminal.message() == "pointer")
        #expect(String(decoding: terminal.written, as: UTF8.self).contains("\u{1B}[?1000h"))
        terminal.type("\u{1B}[<64;1;1M")
        #expect(
            try terminal.message()
                == "pointer(Terminal.PointerEvent.wheel(Terminal.Position(column: 0, row: 0), rows: -3))"
        )
    }

    @Test func controlBackslashEnds() throws {
        let terminal = try TerminalUnderTest()
        _ = try terminal.message()
        terminal.type("\u{1C}")
        #expect(try terminal.message() == "ended(Terminal.TerminalEvent.Ending.signal(\(SIGQUIT)))")
    }
}

/// The terminal is as it was before the program.
func expectGivenBack(
    _ terminal: TerminalUnderTest, sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(!terminal.isAlternate, sourceLocation: sourceLocation)
    #expect(terminal.isCursorVisible, sourceLocation: sourceLocation)
    #expect(terminal.hasModeOfBefore, sourceLocation: sourceLocation)
    let text = String(decoding: terminal.written, as: UTF8.self)
    #expect(text.contains("\u{1B}[?2004l"), sourceLocation: sourceLocation)
}
