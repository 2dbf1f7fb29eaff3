import Foundation

/// A private PostgreSQL server (`.ci/postgresql-cluster`), which ends with this process, however that
/// ends, if it is not ended before.
package struct PrivateServer: Sendable {
    /// Of this process's tests. It syncs nothing: none of them is about a power cut. Nil where no
    /// server is installed: the suites are then skipped.
    package static let shared: PrivateServer? = start(["fsync=off", "max_connections=300"])

    /// With the server's socket.
    package let folder: String
    /// It ends when this is closed.
    private let pipe: Int32
    private let command: ShellCommand

    package static let program = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: ".ci/postgresql-cluster").path

    /// A server of its own for a test that changes a whole server. Nil where none is installed.
    package static func start(_ settings: [String] = ["fsync=off"]) -> PrivateServer? {
        let path = NSTemporaryDirectory() + "storefront-server-" + UUID().uuidString
        guard mkfifo(path, 0o600) == 0 else { return nil }
        defer { unlink(path) }
        let script = "pipe=$1; shift; exec \"$0\" \"$@\" < \"$pipe\""
        do {
            let command = try ShellCommand(["/bin/sh", "-c", script, program, path] + settings)
            // Opening it waits for the command.
            let pipe = open(path, O_WRONLY | O_CLOEXEC)
            guard pipe >= 0, let line = command.line() else {
                command.end()
                print("PostgreSQL: no server is installed; the suites that need one are skipped")
                return nil
            }
            return PrivateServer(
                folder: line.trimmingCharacters(in: .newlines), pipe: pipe, command: command)
        } catch {
            print("PostgreSQL: \(error)")
            return nil
        }
    }

    /// Ends a server of a test's own, and removes its folder. Waits for that: beside a process that
    /// has ended and was not waited for, tests of exits do not end.
    package func end() {
        close(pipe)
        command.end()
    }
}
