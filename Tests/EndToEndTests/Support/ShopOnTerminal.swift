import Foundation
import TerminalHarness
import Testing

/// The program on a terminal of its own, as a person meets it: presses keys, sees a screen.
final class ShopOnTerminal: Sendable {
    let terminal: PseudoTerminal

    /// What runs in the terminal: the program alone.
    static let bare = "exec \"$@\""

    /// The program between two lines, so that its end can be seen, and whether it left the
    /// terminal's mode as it was.
    static let around = """
        echo before; mode=$(stty -g); "$@"; code=$?
        [ "$(stty -g)" = "$mode" ] && is=kept || is=changed
        echo; echo "ended $code, mode $is"; exec cat
        """

    /// Opens the program on a terminal, waits until it has opened its store, and ends it when the
    /// body is done.
    ///
    /// - Parameters:
    ///   - changes: over the sandbox's environment; nil takes a variable away.
    ///   - script: for sh(1); the program is its "$@".
    static func run(
        _ box: Sandbox, _ arguments: [String] = [], columns: Int = 80, rows: Int = 24,
        changing changes: [String: String?] = [:], script: String = bare, waiting: Bool = true,
        at location: SourceLocation = #_sourceLocation,
        _ body: (ShopOnTerminal) async throws -> Void
    ) async throws {
        let shop = try ShopOnTerminal(box, arguments, columns, rows, changes, script)
        do {
            if waiting { try await shop.open(at: location) }
            try await body(shop)
        } catch {
            await shop.close()
            throw error
        }
        await shop.close()
    }

    private init(
        _ box: Sandbox, _ arguments: [String], _ columns: Int, _ rows: Int,
        _ changes: [String: String?], _ script: String
    ) throws {
        var environment = box.environment
        for (name, value) in changes { environment[name] = value }
        let program = try #require(Program.path)
        terminal = try PseudoTerminal(
            ["/usr/bin/env", "-C", box.work, "/bin/sh", "-c", script, "sh", program] + arguments,
            environment: environment, columns: columns, rows: rows)
    }

    /// With all that a script has started: a terminal's end reaches its whole session.
    private func close() async {
        terminal.kill(SIGKILL)
        terminal.hangUp()
        _ = await terminal.end()
    }

    // MARK: - The person

    func type(_ text: String) { terminal.type(text) }
    func send(_ bytes: [UInt8]) { terminal.send(bytes) }
    func resize(_ columns: Int, _ rows: Int) { terminal.resize(columns, rows) }
    func kill(_ signal: Int32) { terminal.kill(signal) }
    func hangUp() { terminal.hangUp() }

    /// Presses keys by their names: "Enter", "Down", "C-z", "b".
    func press(_ keys: String...) {
        for key in keys { type(Self.keys[key] ?? key) }
    }

    private static let keys = [
        "Enter": "\r", "Escape": "\u{1B}", "Tab": "\t", "BTab": "\u{1B}[Z", "Space": " ",
        "Up": "\u{1B}OA", "Down": "\u{1B}OB", "Right": "\u{1B}OC", "Left": "\u{1B}OD",
        "Home": "\u{1B}OH", "End": "\u{1B}OF", "PPage": "\u{1B}[5~", "NPage": "\u{1B}[6~",
        "BSpace": "\u{7F}", "DC": "\u{1B}[3~", "C-c": "\u{3}", "C-l": "\u{C}", "C-z": "\u{1A}",
    ]

    // MARK: - The screen

    var screen: String { terminal.screen }
    var written: [UInt8] { terminal.written }
    var writtenText: String { String(decoding: written, as: UTF8.self) }

    /// The line that shows this text; empty if none does.
    func line(_ text: String) -> String {
        screen.split(separator: "\n").first { $0.contains(text) }.map(String.init) ?? ""
    }

    /// Waits until all of these are on the screen, and answers with it.
    @discardableResult
    func see(
        _ texts: String..., at location: SourceLocation = #_sourceLocation
    ) async throws -> String {
        try await see("\(texts)", at: location) { screen in
            texts.allSatisfy { screen.contains($0) }
        }
    }

    /// Waits until one line shows all of these.
    @discardableResult
    func seeLine(
        _ texts: String..., at location: SourceLocation = #_sourceLocation
    ) async throws -> String {
        try await see("a line with \(texts)", at: location) { screen in
            screen.split(separator: "\n").contains { line in
                texts.allSatisfy { line.contains($0) }
            }
        }
    }

    @discardableResult
    func see(
        _ what: String, at location: SourceLocation = #_sourceLocation,
        _ isShown: (String) -> Bool
    ) async throws -> String {
        var last = ""
        try await until(what, at: location) { moment in
            last = moment.screen
            return isShown(last)
        }
        return last
    }

    /// Waits until the store is open.
    func open(at location: SourceLocation = #_sourceLocation) async throws {
        try await see("an open shop", at: location) { screen in
            screen.contains("help") && !screen.contains("opening")
                && !screen.contains("Asking the store")
        }
    }

    /// Waits until the program has written these bytes, after those that were there before.
    func hear(
        _ bytes: String, after start: Int = 0, at location: SourceLocation = #_sourceLocation
    ) async throws {
        try await until(bytes.debugDescription, at: location) { moment in
            moment.place(of: Array(bytes.utf8), from: start) != nil
        }
    }

    private func until(
        _ what: String, at location: SourceLocation,
        _ isReached: (borrowing PseudoTerminal.Moment) -> Bool
    ) async throws {
        if await terminal.wait(until: isReached) { return }
        Issue.record(
            "Ended with \(await end()) before \(what). Last:\n\(screen)",
            sourceLocation: location)
        throw PseudoTerminal.Failure(description: "ended before \(what)")
    }

    // MARK: - The end

    /// The program's end: its exit code, or the signal's number below zero.
    func end() async -> Int32 { await terminal.end() }

    /// The program's own process, below the shell.
    func processID() throws -> pid_t {
        let children = try String(
            contentsOfFile: "/proc/\(terminal.id)/task/\(terminal.id)/children", encoding: .utf8)
        return try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
    }

    /// The terminal is as it was before the program: mode, screen, cursor, mouse, paste.
    func expectGivenBack(at location: SourceLocation = #_sourceLocation) {
        let left = terminal.whatWasLeftBehind
        #expect(left.isEmpty, "\(left)", sourceLocation: location)
    }
}
