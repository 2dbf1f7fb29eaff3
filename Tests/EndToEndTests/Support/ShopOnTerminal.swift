import Foundation
import Synchronization
import TerminalHarness
import Testing

/// The program on a pseudo-terminal, as a person uses it: keys in, a screen out.
final class ShopOnTerminal: Sendable {
    let terminal: PseudoTerminal

    /// The sh(1) script that runs only the program.
    static let bare = "exec \"$@\""

    /// Prints a line before the program, and one with its exit code and the terminal's mode after.
    static let around = """
        echo before; mode=$(stty -g); "$@"; code=$?
        [ "$(stty -g)" = "$mode" ] && is=kept || is=changed
        echo; echo "ended $code, mode $is"; exec cat
        """

    /// Starts the program on a terminal, waits until its store is open, runs `body`, and ends the
    /// program.
    ///
    /// - Parameters:
    ///   - changes: override the sandbox's environment; nil removes a variable.
    ///   - script: runs in sh(1), with the program as its "$@".
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
        let program = try #require(box.program)
        terminal = try PseudoTerminal(
            ["/usr/bin/env", "-C", box.work, "/bin/sh", "-c", script, "sh", program] + arguments,
            environment: environment, columns: columns, rows: rows)
    }

    /// Closing the terminal ends its session, with every process that the script started.
    private func close() async {
        terminal.kill(SIGKILL)
        terminal.hangUp()
        _ = await terminal.end()
    }

    // MARK: - Input

    func type(_ text: String) { terminal.type(text) }
    func send(_ bytes: [UInt8]) { terminal.send(bytes) }
    func resize(_ columns: Int, _ rows: Int) { terminal.resize(columns, rows) }
    func kill(_ signal: Int32) { terminal.kill(signal) }
    func hangUp() { terminal.hangUp() }

    /// Presses keys by their names: "Enter", "Down", "C-z", "b".
    func press(_ keys: String...) {
        for key in keys { type(Self.keys[key] ?? key) }
    }

    /// On its first character, in the first line that has it, after cells of width 1 only.
    func click(_ text: String, at location: SourceLocation = #_sourceLocation) throws {
        let lines = screen.split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(
            lines.firstIndex { $0.contains(text) }, "no \"\(text)\" to click on:\n\(screen)",
            sourceLocation: location)
        let before = lines[row].range(of: text).map {
            lines[row].distance(from: lines[row].startIndex, to: $0.lowerBound)
        }
        click(column: (before ?? 0) + 1, row: row + 1)
    }

    /// Presses and releases the left button on a cell, counted from 1.
    func click(column: Int, row: Int) {
        type("\u{1B}[<0;\(column);\(row)M\u{1B}[<0;\(column);\(row)m")
    }

    private static let keys = [
        "Enter": "\r", "Escape": "\u{1B}", "Tab": "\t", "BTab": "\u{1B}[Z", "Space": " ",
        "Up": "\u{1B}OA", "Down": "\u{1B}OB", "Right": "\u{1B}OC", "Left": "\u{1B}OD",
        "Home": "\u{1B}OH", "End": "\u{1B}OF", "PPage": "\u{1B}[5~", "NPage": "\u{1B}[6~",
        "BSpace": "\u{7F}", "DC": "\u{1B}[3~", "C-c": "\u{3}", "C-l": "\u{C}", "C-r": "\u{12}",
        "C-z": "\u{1A}",
    ]

    // MARK: - The screen

    var screen: String { terminal.screen }
    var written: [UInt8] { terminal.written }
    var writtenText: String { String(decoding: written, as: UTF8.self) }

    /// Waits until the line that shows the first text shows none of the other texts.
    @discardableResult
    func seeLine(
        of text: String, without others: String...,
        at location: SourceLocation = #_sourceLocation
    ) async throws -> String {
        try await see("a line with \(text), without \(others)", at: location) { screen in
            screen.split(separator: "\n").contains { line in
                line.contains(text) && !others.contains { line.contains($0) }
            }
        }
    }

    /// The line that shows this text; empty if none does.
    func line(_ text: String) -> String {
        screen.split(separator: "\n").first { $0.contains(text) }.map(String.init) ?? ""
    }

    /// Waits until the screen shows all of these texts, and returns the screen.
    @discardableResult
    func see(
        _ texts: String..., at location: SourceLocation = #_sourceLocation
    ) async throws -> String {
        try await see("\(texts)", at: location) { screen in
            texts.allSatisfy { screen.contains($0) }
        }
    }

    /// Waits until the row of messages, the last but one, is empty.
    func seeNoMessage(at location: SourceLocation = #_sourceLocation) async throws {
        try await see("an empty message row", at: location) { screen in
            screen.split(separator: "\n", omittingEmptySubsequences: false).dropLast().last?
                .allSatisfy { $0 == " " } == true
        }
    }

    /// Waits until one line shows all of these texts.
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
        _ isShown: @escaping @Sendable (String) -> Bool
    ) async throws -> String {
        try await find(what, at: location) { moment in
            let screen = moment.screen
            return isShown(screen) ? screen : nil
        }
    }

    /// Waits until the terminal's cursor is in a row that shows this text.
    func seeCursor(
        on text: String, at location: SourceLocation = #_sourceLocation
    ) async throws {
        _ = try await find("the cursor on \(text)", at: location) { moment -> Bool? in
            let lines = moment.screen.split(separator: "\n", omittingEmptySubsequences: false)
            let row = moment.cursor.row
            return lines.indices.contains(row) && lines[row].contains(text) ? true : nil
        }
    }

    /// Waits until the store is open.
    func open(at location: SourceLocation = #_sourceLocation) async throws {
        try await see("an open shop", at: location) { screen in
            screen.contains("help") && !screen.contains("opening")
                && !screen.contains("Loading products")
        }
    }

    /// Waits until the program has written these bytes at or after the offset `start`.
    func waitForOutput(
        _ bytes: String, after start: Int = 0, at location: SourceLocation = #_sourceLocation
    ) async throws {
        _ = try await find(bytes.debugDescription, at: location) { moment in
            moment.offset(of: Array(bytes.utf8), from: start)
        }
    }

    /// Waits until `found` returns a value; nil if the program ends before. The time limit ends the
    /// program, and passes the screen to `atLimit`.
    private func reach<Found: Sendable>(
        _ found: @escaping @Sendable (borrowing PseudoTerminal.Moment) -> Found?,
        atLimit: @escaping @Sendable (String) -> Void = { _ in }
    ) async -> Found? {
        let guardian = Task { [terminal] in
            try await Task.sleep(for: Program.patience)
            atLimit(terminal.screen)
            terminal.kill(SIGKILL)
        }
        defer { guardian.cancel() }
        return await terminal.wait(for: found)
    }

    private func find<Found: Sendable>(
        _ what: String, at location: SourceLocation,
        _ found: @escaping @Sendable (borrowing PseudoTerminal.Moment) -> Found?
    ) async throws -> Found {
        let kept = Mutex<String?>(nil)
        if let found = await reach(found, atLimit: { screen in kept.withLock { $0 = screen } }) {
            return found
        }
        let last = kept.withLock { $0 } ?? screen
        let tail = String(decoding: written.suffix(2_000), as: UTF8.self).debugDescription
        Issue.record(
            "Ended with \(await end()) before \(what). Last:\n\(last)\nLast written: \(tail)",
            sourceLocation: location)
        throw PseudoTerminal.Failure(description: "ended before \(what)")
    }

    /// Returns false if the program ended by itself before, with code 0.
    func seeUnlessLeft(
        at location: SourceLocation = #_sourceLocation,
        _ isExpected: @escaping @Sendable (String) -> Bool
    ) async -> Bool {
        if await reach({ isExpected($0.screen) ? true : nil }) == true { return true }
        #expect(await end() == 0, "\(screen)", sourceLocation: location)
        return false
    }

    // MARK: - The end

    /// Waits for the program to end. Returns its exit code, or the negative signal number.
    func end() async -> Int32 { await terminal.end() }

    /// The id of the program's process, a child of the shell.
    func processID() throws -> pid_t {
        let children = try String(
            contentsOfFile: "/proc/\(terminal.id)/task/\(terminal.id)/children", encoding: .utf8)
        return try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
    }

    /// Expects the terminal to be as it was before the program: mode, screen, cursor, mouse, paste.
    func expectGivenBack(at location: SourceLocation = #_sourceLocation) {
        let left = terminal.whatWasLeftBehind
        #expect(left.isEmpty, "\(left)", sourceLocation: location)
    }
}
