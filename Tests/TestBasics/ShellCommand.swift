import Foundation

/// A command that the shell runs (popen(3)), with its output and its errors in one text.
///
/// The tests do not use Foundation's `Process`: where a process has more than about 1,300 files open,
/// as that of the tests has at times, it reads past the end of their list and crashes.
package struct ShellCommand: Sendable {
    package struct Failure: Error { var code: Int32 }

    /// Every call locks it (stdio(3)).
    nonisolated(unsafe) private let stream: UnsafeMutablePointer<FILE>

    package init(_ words: [String]) throws {
        let quoted = words.map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }
        guard let stream = popen("exec " + quoted.joined(separator: " ") + " 2>&1", "re") else {
            throw Failure(code: errno)
        }
        self.stream = stream
    }

    /// Another process that holds the lock of a file until it is killed, and its number.
    package static func holdingLock(_ path: String) throws -> (command: Self, process: Int32) {
        // Each program here replaces the one before it, so the number is that of the last one.
        let command = try ShellCommand([
            "flock", "-F", path, "/bin/sh", "-c", "echo $$; exec sleep 1000",
        ])
        guard let process = command.line().flatMap({ Int32($0.trimmingCharacters(in: .newlines)) })
        else {
            throw Failure(code: command.end().code)
        }
        return (command, process)
    }

    /// The next line of the output, with its end; nil at the end of the output.
    package func line() -> String? {
        var line: UnsafeMutablePointer<CChar>?
        var size = 0
        defer { free(line) }
        guard getline(&line, &size, stream) > 0, let line else { return nil }
        return String(cString: line)
    }

    /// Waits for the command's end.
    /// - Returns: its exit code, and what of its output was not read yet.
    @discardableResult package func end() -> (code: Int32, output: String) {
        var output = ""
        while let line = line() { output += line }
        return ((pclose(stream) >> 8) & 0xFF, output)
    }
}
