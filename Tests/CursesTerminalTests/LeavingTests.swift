import Foundation
import Glibc
import Terminal
import TerminalHarness
import TerminalTestSupport
import TestBasics
import Testing

/// Every end of the program, also by a signal, restores the terminal.
@Suite struct LeavingTests {
    @Test("a normal end restores the terminal")
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
        "a crash restores the terminal, with and without a backtrace",
        arguments: ["enable=yes,interactive=yes", "enable=no"])
    func aCrashGivesTheTerminalBackAndIsToldThere(_ backtrace: String) async throws {
        let terminal = try TerminalUnderTest(environment: ["SWIFT_BACKTRACE": backtrace])
        _ = try await terminal.message()
        terminal.type("x")
        let code = await terminal.end()
        #expect([-SIGILL, -SIGTRAP].contains(code))
        expectGivenBack(terminal)
    }

    /// Not even one from another process leaves the terminal in raw mode.
    @Test(
        "every signal that ends a process restores the terminal",
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
        "the program can end while its terminal accepts no output",
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

    /// The terminal's mode, and its screen once it reads on: what was written and not read is dropped.
    @Test("a stop restores a terminal that has stopped reading output")
    func aStuckTerminalCanBeStopped() async throws {
        let told = FileManager.default.temporaryDirectory.appending(path: "told-\(UUID())").path
        try #require(mkfifo(told, 0o600) == 0)
        defer { unlink(told) }
        let terminal = try TerminalUnderTest(
            ["4", "pointer"],
            script: """
                set -m
                "$0" "$@"
                echo stopped > '\(told)'
                printf '\\033]777;stopped\\a'
                read -r line
                kill -KILL %1
                """)
        _ = try await terminal.message()
        terminal.terminal.pauseReading(true)
        // The program's own SIGTSTP comes after the frames; Ctrl-Z would overtake them.
        terminal.type(String(repeating: "\r", count: 200) + "t")
        // The pipe has nothing to read until the shell writes to it, with the program stopped.
        #expect(try ShellCommand(["cat", told]).end().output == "stopped\n")
        #expect(terminal.hasModeOfBefore)
        terminal.terminal.pauseReading(false)
        var message = ""
        while message != "stopped" { message = try await terminal.message() }
        expectGivenBack(terminal)
        terminal.type("\n")
        _ = await terminal.end()
    }

    @Test("a terminal that accepts output again shows the last frame")
    func aStuckTerminalComesBack() async throws {
        let size = Size(columns: 80, rows: 24)
        let terminal = try TerminalUnderTest(["4"], size: size)
        _ = try await terminal.message()
        terminal.terminal.holdOutput(true)
        terminal.type("\r\r\r")
        terminal.terminal.holdOutput(false)
        var message = ""
        while message != "frame 3 80 24" { message = try await terminal.message() }
        // The program may have skipped frames until now.
        terminal.type("\r")
        #expect(try await terminal.message() == "frame 4 80 24")
        let frames = SampleFrames(seed: 4, measure: terminalMeasure)
        #expect(terminal.differences(from: frames.frame(4, size: size)) == [])
    }

    /// The signal comes from another process instead of from a fault of the program.
    @Test(
        "a fatal signal from another process restores the terminal and ends the program",
        arguments: [SIGSEGV, SIGABRT, SIGFPE])
    func aFatalSignalRestoresTheTerminal(_ signal: Int32) async throws {
        let terminal = try TerminalUnderTest(environment: ["SWIFT_BACKTRACE": "enable=no"])
        _ = try await terminal.message()
        terminal.kill(signal)
        #expect(await terminal.end() == -signal)
        expectGivenBack(terminal)
    }

    /// Under a shell with job control, which a program needs in order to be stopped.
    @Test(
        "Ctrl-Z stops the program, and fg shows its frame again", arguments: ["\u{1A}", "SIGTSTP"])
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

    /// Without such a shell nothing could continue the program, so it does not stop.
    @Test(
        "without a job-control shell, Ctrl-Z only repaints the frame", arguments: ["\u{1A}", "t"])
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
        "a dumb or unknown terminal is refused with an error",
        arguments: [
            ("", "dumb(\"\")"), ("dumb", "dumb(\"dumb\")"), ("unknown", "dumb(\"unknown\")"),
        ])
    func aDumbTerminalIsRefused(_ name: String, _ error: String) async throws {
        let terminal = try TerminalUnderTest(environment: ["TERM": name])
        #expect(await terminal.end() == 2)
        #expect(String(decoding: terminal.written, as: UTF8.self) == "error: \(error)\r\n")
        #expect(terminal.hasModeOfBefore)
    }
}
