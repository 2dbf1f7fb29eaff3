import CEmulator
import Foundation
import Terminal
import TerminalHarness

/// FramePainter on a pseudo-terminal. It reports each of its steps in an escape sequence that
/// terminals do not show. When a report arrives, everything that it painted before has arrived too.
final class TerminalUnderTest {
    let terminal: PseudoTerminal
    /// The offset in the output from which the next report is searched.
    private var read = 0
    /// The program's output between the last two reports.
    private(set) var written: [UInt8] = []

    private static let start = Array("\u{1B}]777;".utf8)

    /// - Parameters:
    ///   - answer: the terminal's answer to the query for synchronized output; nil for no answer.
    ///   - background: the terminal's answer to the query for its background; nil for no answer.
    init(
        _ arguments: [String] = ["1"], size: Size = Size(columns: 80, rows: 24),
        environment: [String: String] = [:], answer: String? = nil,
        background: String? = nil, script: String? = nil
    ) throws {
        let variables = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"]
            .merging(environment) { $1 }
        // Not bash, which writes a notice of each stopped job, also to a terminal that does not read.
        let words = script.map { ["/bin/dash", "-c", $0, Self.program] } ?? [Self.program]
        terminal = try PseudoTerminal(
            words + arguments, environment: variables, columns: size.columns, rows: size.rows,
            answer: answer, background: background)
    }

    deinit {
        terminal.kill(SIGKILL)
        terminal.hangUp()
    }

    /// FramePainter lies in the same build folder as the tests.
    private static let program: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        return URL(filePath: tests ?? "").deletingLastPathComponent()
            .appending(path: "FramePainter").path
    }()

    func type(_ text: String) { terminal.type(text) }
    func kill(_ signal: Int32) { terminal.kill(signal) }
    func resize(_ size: Size) { terminal.resize(size.columns, size.rows) }

    func message() async throws -> String {
        let read = read
        let found = await terminal.wait { moment -> (text: String, before: [UInt8], end: Int)? in
            guard let start = moment.offset(of: Self.start, from: read),
                let end = moment.offset(of: [7], from: start)
            else { return nil }
            let text = moment.written[(start + Self.start.count)..<end]
            return (
                String(decoding: text, as: UTF8.self), Array(moment.written[read..<start]), end + 1
            )
        }
        guard let found else {
            throw PseudoTerminal.Failure(description: "the program has ended")
        }
        (written, self.read) = (found.before, found.end)
        return found.text
    }

    /// Returns its exit code, or the negative signal number. The screen keeps the last output.
    func end() async -> Int32 {
        let code = await terminal.end()
        written = Array(terminal.written[read...])
        return code
    }

    func cell(_ column: Int, _ row: Int) -> ce_cell { terminal.inspect { $0.cell(column, row) } }

    var cursor: Position {
        let (column, row) = terminal.inspect { $0.cursor }
        return Position(column: column, row: row)
    }

    var isCursorVisible: Bool { terminal.isCursorVisible }
    var isAlternate: Bool { terminal.isAlternate }
    var hasModeOfBefore: Bool { terminal.hasModeOfBefore }
}
