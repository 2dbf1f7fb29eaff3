import Foundation
import TerminalHarness

/// Starts a program with exactly this environment, folder and pipes (posix_spawn(3)). The program
/// inherits no descriptor and no ignored signal of the test's process.
enum Spawn {
    struct Child {
        var id: pid_t
        /// The ends that the test reads from.
        var output: Int32
        var errors: Int32
        /// The end that the test writes to; nil if the program's input is /dev/null.
        var input: Int32?
    }

    struct Failure: Error { var code: Int32 }

    static func start(
        _ path: String, _ arguments: [String], environment: [String: String], folder: String,
        hasInput: Bool = false, hasNarrowOutput: Bool = false
    ) throws -> Child {
        // One program at a time: a second one could inherit the first one's pipe and keep it open.
        try PseudoTerminal.alone {
            try startAlone(
                path, arguments, environment: environment, folder: folder, hasInput: hasInput,
                hasNarrowOutput: hasNarrowOutput)
        }
    }

    private static func startAlone(
        _ path: String, _ arguments: [String], environment: [String: String], folder: String,
        hasInput: Bool, hasNarrowOutput: Bool
    ) throws -> Child {
        let output = try pipe()
        if hasNarrowOutput {
            // As some programs leave a pipe: 4 KiB long and non-blocking.
            _ = fcntl(output.write, setPipeSize, 4096)
            _ = fcntl(output.write, F_SETFL, O_NONBLOCK)
        }
        let errors = try pipe()
        let input = hasInput ? try socketPair() : nil
        defer {
            close(output.write)
            close(errors.write)
            if let input { close(input.read) }
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        if let input {
            posix_spawn_file_actions_adddup2(&actions, input.read, 0)
        } else {
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        posix_spawn_file_actions_adddup2(&actions, output.write, 1)
        posix_spawn_file_actions_adddup2(&actions, errors.write, 2)

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        // Its own process group, so that every process it starts can be killed with it.
        posix_spawnattr_setpgroup(&attributes, 0)
        let flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP
        posix_spawnattr_setflags(&attributes, Int16(flags))

        var id: pid_t = 0
        // env(1) changes the folder and executes the program in the same process.
        let words = ["env", "-C", folder, path] + arguments
        let code = withStrings(words) { argv in
            withStrings(environment.map { "\($0.key)=\($0.value)" }) { envp in
                posix_spawn(&id, "/usr/bin/env", &actions, &attributes, argv, envp)
            }
        }
        guard code == 0 else {
            close(output.read)
            close(errors.read)
            if let input { close(input.write) }
            throw Failure(code: code)
        }
        return Child(id: id, output: output.read, errors: errors.read, input: input?.write)
    }

    /// Used instead of a pipe: writing to a pipe without a reader would end the tests (SIGPIPE).
    private static func socketPair() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            throw Failure(code: errno)
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// F_SETPIPE_SZ, which the Glibc module does not export.
    private static let setPipeSize: Int32 = 1031

    static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Foundation.pipe(&ends) == 0 else { throw Failure(code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    static func withStrings<Value>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }
}
