import Foundation
import Testing

/// The program in a real terminal: a tmux of its own, driven through its control mode (tmux(1)). It
/// tells whenever something is written, so nothing here sleeps; when the test ends, however it ends,
/// the control client is gone, and with it the session, the server and the program.
final class ShopOnTmux {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private static let secondsMax = 45

    private let client: RunningProgram

    /// What runs in the terminal: the program between two lines, so that its end can be seen, and
    /// whether it left the terminal's mode as it was.
    private static let around = """
        echo before; mode=$(stty -g); "$@"; code=$?
        [ "$(stty -g)" = "$mode" ] && is=kept || is=changed
        echo; echo "ended $code, mode $is"; exec cat
        """

    /// Opens the program in a terminal, waits until it has opened its store, and closes all when the
    /// body is done.
    ///
    /// - Parameters:
    ///   - changes: over the sandbox's environment; nil takes a variable away.
    ///   - script: another script for sh(1); the program is its "$@".
    static func run(
        _ box: Sandbox, _ arguments: [String] = [], columns: Int = 80, rows: Int = 24,
        changing changes: [String: String?] = [:], script: String = around,
        waiting: Bool = true, _ body: (ShopOnTmux) async throws -> Void
    ) async throws {
        let shop = try ShopOnTmux(box, arguments, columns, rows, changes, script)
        do {
            if waiting { try await shop.open() }
            try await body(shop)
        } catch {
            try await shop.close()
            throw error
        }
        try await shop.close()
    }

    private init(
        _ box: Sandbox, _ arguments: [String], _ columns: Int, _ rows: Int,
        _ changes: [String: String?], _ script: String
    ) throws {
        var environment = box.environment
        for (name, value) in changes { environment[name] = value }
        let variables = environment.map { "\($0.key)=\($0.value)" }.sorted()
        let program = try #require(Program.path)
        client = try RunningProgram(
            "tmux",
            [
                "-L", "shop-\(UUID().uuidString.prefix(8))", "-f", "/dev/null", "-C",
                "start-server", ";",
                "set", "-g", "status", "off", ";",
                "set", "-g", "default-terminal", "screen-256color", ";",
                "set", "-g", "destroy-unattached", "on", ";",
                "new-session", "-x", "\(columns)", "-y", "\(rows)", "env", "-i", "-C", box.work,
            ] + variables + ["sh", "-c", script, "sh", program] + arguments,
            environment: [
                "PATH": Program.toolPath, "LANG": "C.UTF-8", "TMUX_TMPDIR": box.temporary,
                "HOME": box.home, "TERM": "xterm-256color",
            ], folder: box.work, hasInput: true, secondsMax: Self.secondsMax)
    }

    private func open() async throws {
        try await see { screen in
            screen.contains("help") && !screen.contains("opening")
                && !screen.contains("Asking the store")
        }
    }

    private func close() async throws {
        client.say("kill-server")
        _ = await client.end()
    }

    // MARK: - The person

    /// Presses keys by their names in tmux: "Enter", "Down", "Space", "C-z", "b".
    func press(_ keys: String...) async throws {
        try await ask("send-keys " + keys.map { "'\($0)'" }.joined(separator: " "))
    }

    /// Types characters one after the other, at once.
    func type(_ text: String) async throws { try await ask("send-keys -l '\(text)'") }

    /// Sends ASCII as a terminal would, whatever it means.
    func send(_ bytes: String) async throws {
        try await ask(
            "send-keys -H " + bytes.utf8.map { String($0, radix: 16) }.joined(separator: " "))
    }

    func resize(_ columns: Int, _ rows: Int) async throws {
        try await ask("resize-window -x \(columns) -y \(rows)")
    }

    // MARK: - The screen

    /// What the screen shows now.
    func screen() async throws -> String {
        try await ask("capture-pane -p").joined(separator: "\n")
    }

    /// The line that shows this text; empty if none does.
    func line(_ text: String) async throws -> String {
        try await screen().split(separator: "\n").first { $0.contains(text) }.map(String.init) ?? ""
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
        _ what: String = "what was expected", at location: SourceLocation = #_sourceLocation,
        _ isShown: (String) -> Bool
    ) async throws -> String {
        var last = ""
        while true {
            guard let lines = await answer("capture-pane -p") else { break }
            last = lines.joined(separator: "\n")
            if isShown(last) { return last }
            // Until something is written to the screen.
            guard await nextOutput() else { break }
        }
        Issue.record("Never on the screen: \(what). Last:\n\(last)", sourceLocation: location)
        throw Failure(description: "never on the screen: \(what)")
    }

    /// The program's own process, below the shell.
    func processID() async throws -> pid_t {
        let shell = try await ask("display-message -p '#{pane_pid}'").first ?? ""
        let children = try String(
            contentsOfFile: "/proc/\(shell)/task/\(shell)/children", encoding: .utf8)
        return try #require(children.split(separator: " ").first.flatMap { pid_t($0) })
    }

    // MARK: - Control mode

    @discardableResult private func ask(_ command: String) async throws -> [String] {
        guard let lines = await answer(command) else {
            throw Failure(description: "tmux has ended")
        }
        return lines
    }

    /// Sends a command and reads what stands between the lines that begin and end its answer.
    private func answer(_ command: String) async -> [String]? {
        client.say(command)
        var lines: [String]?
        while let line = await client.nextLine() {
            let isMark = line.hasSuffix(" 1")
            if isMark, line.hasPrefix("%begin ") {
                lines = []
            } else if isMark, line.hasPrefix("%end ") || line.hasPrefix("%error ") {
                return lines
            } else {
                lines?.append(line)
            }
        }
        return nil
    }

    private func nextOutput() async -> Bool {
        while let line = await client.nextLine() {
            if line.hasPrefix("%output ") { return true }
        }
        return false
    }
}
