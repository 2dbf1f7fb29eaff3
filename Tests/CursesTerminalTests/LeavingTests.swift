import Glibc
import Terminal
import TerminalHarness
import TerminalTestSupport
import Testing

/// However the program leaves its terminal, it leaves it as it was.
@Suite struct LeavingTests {
    @Test("an end gives the terminal back")
    func anEndGivesTheTerminalBack() async throws {
        let terminal = try TerminalUnderTest(["1", "pointer"])
        _ = try await terminal.message()
        #expect(terminal.isAlternate)
        #expect(!terminal.hasModeOfBefore)
        terminal.type("q")
        #expect(await terminal.end() == 0)
        expectGivenBack(terminal)
    }

    @Test(
        "a crash gives the terminal back and is told there",
        arguments: ["enable=yes,interactive=yes", "enable=no"])
    func aCrashGivesTheTerminalBackAndIsToldThere(_ backtrace: String) async throws {
        let terminal = try TerminalUnderTest(environment: ["SWIFT_BACKTRACE": backtrace])
        _ = try await terminal.message()
        terminal.type("x")
        let code = await terminal.end()
        #expect([-SIGILL, -SIGTRAP].contains(code))
        expectGivenBack(terminal)
    }

    /// Whoever sends it: nothing that ends a process leaves a raw terminal behind.
    @Test(
        "each signal that ends a process gives the terminal back",
        arguments: Array(SIGHUP...SIGSYS).filter { number in
            ![SIGKILL, SIGSTOP, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGCHLD, SIGURG, SIGWINCH]
                .contains(number)
        } + [34, 50, 64])
    func everySignalGivesTheTerminalBack(_ signal: Int32) async throws {
        let terminal = try TerminalUnderTest(environment: ["SWIFT_BACKTRACE": "enable=no"])
        _ = try await terminal.message()
        terminal.kill(signal)
        _ = await terminal.end()
        expectGivenBack(terminal)
    }

    @Test(
        "a terminal that takes no output keeps nobody from leaving",
        arguments: ["q", "\u{1C}", "SIGTERM", "SIGHUP", "SIGSEGV"])
    func aStuckTerminalCanBeLeft(_ how: String) async throws {
        let terminal = try TerminalUnderTest(environment: ["SWIFT_BACKTRACE": "enable=no"])
        _ = try await terminal.message()
        terminal.terminal.holdOutput(true)
        terminal.type("\r\r")
        switch how {
        case "SIGTERM": terminal.kill(SIGTERM)
        case "SIGHUP": terminal.kill(SIGHUP)
        case "SIGSEGV": terminal.kill(SIGSEGV)
        default: terminal.type(how)
        }
        #expect(await terminal.end() != -SIGKILL, "it had to be killed")
        expectGivenBack(terminal)
    }

    @Test("a terminal that takes output again shows the last frame")
    func aStuckTerminalComesBack() async throws {
        let size = Size(columns: 80, rows: 24)
        let terminal = try TerminalUnderTest(["4"], size: size)
        _ = try await terminal.message()
        terminal.terminal.holdOutput(true)
        terminal.type("\r\r\r")
        terminal.terminal.holdOutput(false)
        var message = ""
        while message != "frame 3 80 24" { message = try await terminal.message() }
        // Whatever was written meanwhile, from here on the screen is the frame.
        terminal.type("\r")
        #expect(try await terminal.message() == "frame 4 80 24")
        let frames = SampleFrames(seed: 4, measure: terminalMeasure)
        #expect(terminal.differences(from: frames.frame(4, size: size)) == [])
    }

    /// Signals sent by somebody else.
    @Test("so does a signal that kills", arguments: [SIGSEGV, SIGABRT, SIGFPE])
    func soDoesASignalThatKills(_ signal: Int32) async throws {
        let terminal = try TerminalUnderTest(environment: ["SWIFT_BACKTRACE": "enable=no"])
        _ = try await terminal.message()
        terminal.kill(signal)
        #expect(await terminal.end() == -signal)
        expectGivenBack(terminal)
    }

    /// A shell with jobs between the terminal and the program, since a program without one cannot
    /// be stopped.
    @Test("control z stops and foreground shows the frame again", arguments: ["\u{1A}", "SIGTSTP"])
    func controlZStopsAndForegroundShowsTheFrameAgain(_ how: String) async throws {
        let terminal = try TerminalUnderTest(
            ["4"],
            script: """
                set -m
                trap : TERM
                "$0" "$@"
                printf '\\033]777;stopped\\a'
                read -r line
                fg > /dev/null
                """)
        _ = try await terminal.message()
        terminal.type(how == "SIGTSTP" ? "t" : how)
        #expect(try await terminal.message() == "stopped")
        expectGivenBack(terminal)
        terminal.resize(Size(columns: 70, rows: 20))
        terminal.type("\n")
        let frames = SampleFrames(seed: 4, measure: terminalMeasure)
        #expect(try await terminal.message() == "frame 1 70 20")
        #expect(terminal.isAlternate)
        #expect(
            terminal.differences(from: frames.frame(1, size: Size(columns: 70, rows: 20))) == [])
        #expect(try await terminal.message() == "resumed")
        terminal.type("q")
        #expect(await terminal.end() == 0)
        expectGivenBack(terminal)
    }

    /// Nobody could continue it: it is back at once.
    @Test("control z without a shell is only a repaint", arguments: ["\u{1A}", "t"])
    func controlZWithoutAShellIsOnlyARepaint(_ how: String) async throws {
        let size = Size(columns: 80, rows: 24)
        let terminal = try TerminalUnderTest(["4"], size: size)
        _ = try await terminal.message()
        terminal.type(how)
        #expect(try await terminal.message() == "resumed")
        let frames = SampleFrames(seed: 4, measure: terminalMeasure)
        #expect(terminal.differences(from: frames.frame(0, size: size)) == [])
        #expect(terminal.isAlternate)
    }

    @Test(
        "a terminal that cannot is refused",
        arguments: [
            ("", "dumb(\"\")"), ("dumb", "dumb(\"dumb\")"), ("unknown", "dumb(\"unknown\")"),
        ])
    func aTerminalThatCannotIsRefused(_ name: String, _ error: String) async throws {
        let terminal = try TerminalUnderTest(environment: ["TERM": name])
        #expect(await terminal.end() == 2)
        #expect(String(decoding: terminal.written, as: UTF8.self) == "error: \(error)\r\n")
        #expect(terminal.hasModeOfBefore)
    }
}
