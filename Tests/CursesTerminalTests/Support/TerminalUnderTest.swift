import CEmulator
import Foundation
import Terminal
import TerminalHarness

/// The frame painter on a terminal of its own. It says after each step what it has done, in a
/// sequence that terminals do not show; all that it painted before is on the screen then.
final class TerminalUnderTest {
    let terminal: PseudoTerminal
    /// Where the next message is looked for.
    private var read = 0
    /// What the program wrote before the last message, since the one before it.
    private(set) var written: [UInt8] = []

    private static let start = Array("\u{1B}]777;".utf8)

    /// `answer`: what the terminal says when asked for synchronized output; nil: nothing.
    init(
        _ arguments: [String] = ["1"], size: Size = Size(columns: 80, rows: 24),
        environment: [String: String] = [:], answer: String? = nil, script: String? = nil
    ) throws {
        let variables = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"]
            .merging(environment) { $1 }
        let words = script.map { ["/bin/bash", "-c", $0, Self.program] } ?? [Self.program]
        terminal = try PseudoTerminal(
            words + arguments, environment: variables, columns: size.columns, rows: size.rows,
            answer: answer)
    }

    deinit {
        terminal.kill(SIGKILL)
        terminal.hangUp()
    }

    /// Beside the tests themselves.
    private static let program: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        return URL(filePath: tests ?? "").deletingLastPathComponent()
            .appending(path: "FramePainter").path
    }()

    func type(_ text: String) { terminal.type(text) }
    func kill(_ signal: Int32) { terminal.kill(signal) }
    func resize(_ size: Size) { terminal.resize(size.columns, size.rows) }

    /// What the program says next.
    func message() async throws -> String {
        let read = read
        var found: (text: String, before: [UInt8], end: Int)?
        let isThere = await terminal.wait { moment in
            guard let start = moment.place(of: Self.start, from: read),
                let end = moment.place(of: [7], from: start)
            else { return false }
            let text = moment.written[(start + Self.start.count)..<end]
            found = (
                String(decoding: text, as: UTF8.self), Array(moment.written[read..<start]), end + 1
            )
            return true
        }
        guard isThere, let found else {
            throw PseudoTerminal.Failure(description: "the program has ended")
        }
        (written, self.read) = (found.before, found.end)
        return found.text
    }

    /// The program's end: its exit code, or the signal's number below zero. The screen then shows
    /// what it left.
    func end() async -> Int32 {
        let code = await terminal.end()
        written = Array(terminal.written[read...])
        return code
    }

    func cell(_ column: Int, _ row: Int) -> ce_cell { terminal.look { $0.cell(column, row) } }

    var cursor: Position {
        let (column, row) = terminal.look { $0.cursor }
        return Position(column: column, row: row)
    }

    var isCursorVisible: Bool { terminal.isCursorVisible }
    var isAlternate: Bool { terminal.isAlternate }
    var hasModeOfBefore: Bool { terminal.hasModeOfBefore }
}
