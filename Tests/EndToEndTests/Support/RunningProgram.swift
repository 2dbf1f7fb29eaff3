import Foundation
import Synchronization

/// A running program, whose output lines can be awaited one by one. Tests wait for events and never
/// for a time; a limit of 60 seconds kills a program that hangs, so that its test fails.
final class RunningProgram: Sendable {
    static let secondsMax = 60

    struct Answer: Sendable {
        /// The exit code, or the negative signal number.
        var code: Int32
        var outputBytes: Data
        var errors: String
        /// True if the time limit killed it.
        var hung: Bool

        var whole: String { errors + output }
        var output: String { String(decoding: outputBytes, as: UTF8.self) }
        var lines: [String] { output.split(separator: "\n").map(String.init) }
        /// The rows of a table, without its header.
        var rows: [String] { Array(lines.dropFirst()) }
        /// The cells of a table's first row, without spaces around them.
        var cells: [String] {
            (rows.first ?? "").split(separator: "  ")
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
        /// Each line of the output as JSON; null for a line that is no JSON.
        var json: [JSON] { lines.map { JSON(line: $0) } }
        var object: JSON { json.first ?? .null }
    }

    private struct State {
        var unread: [String] = []
        var isEnded = false
        var waiter: CheckedContinuation<String?, Never>?
    }

    let id: pid_t
    private let input: Int32?
    private let state = Mutex(State())
    private let isGone = Shared(false)
    private let answer: Task<Answer, Never>

    init(
        _ path: String, _ arguments: [String], environment: [String: String], folder: String,
        hasInput: Bool = false, hasNarrowOutput: Bool = false, secondsMax: Int = secondsMax
    ) throws {
        let child = try Spawn.start(
            path, arguments, environment: environment, folder: folder, hasInput: hasInput,
            hasNarrowOutput: hasNarrowOutput)
        id = child.id
        input = child.input
        let (output, outputDone) = AsyncStream.makeStream(of: Data.self)
        let (errors, errorsDone) = AsyncStream.makeStream(of: Data.self)
        let (ends, ended) = AsyncStream.makeStream(of: Int32.self)
        let hung = Shared(false)
        answer = Task {
            var outputBytes = Data()
            for await piece in output { outputBytes += piece }
            var errorBytes = Data()
            for await piece in errors { errorBytes += piece }
            var status: Int32 = 0
            for await end in ends { status = end }
            return Answer(
                code: Self.code(status), outputBytes: outputBytes,
                errors: String(decoding: errorBytes, as: UTF8.self), hung: hung.value)
        }
        let process = child.id
        let isGone = isGone
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(secondsMax)) {
            isGone.withValue { isGone in
                guard !isGone else { return }
                hung.value = true
                kill(-process, SIGKILL)
            }
        }
        Thread.detachNewThread { [self] in
            var line = Data()
            Self.read(child.output) { piece in
                outputDone.yield(piece)
                line += piece
                while let end = line.firstIndex(of: UInt8(ascii: "\n")) {
                    push(String(decoding: line[..<end], as: UTF8.self))
                    line = Data(line[line.index(after: end)...])
                }
            }
            outputDone.finish()
            push(nil)
        }
        Thread.detachNewThread {
            Self.read(child.errors) { errorsDone.yield($0) }
            errorsDone.finish()
        }
        Thread.detachNewThread {
            // Until waitpid(2) reaps the process, no other process can get its id.
            var info = siginfo_t()
            while waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
            ended.yield(
                isGone.withValue { isGone in
                    var status: Int32 = 0
                    waitpid(process, &status, 0)
                    isGone = true
                    return status
                })
            ended.finish()
        }
    }

    private static func read(_ descriptor: Int32, _ take: (Data) -> Void) {
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = Foundation.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            take(Data(buffer[..<count]))
        }
    }

    private static func code(_ status: Int32) -> Int32 {
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : -signal
    }

    // MARK: - Lines

    private func push(_ line: String?) {
        let waiter = state.withLock { state -> CheckedContinuation<String?, Never>? in
            if state.waiter == nil, let line { state.unread.append(line) }
            if line == nil { state.isEnded = true }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: line)
    }

    /// The next line of the output; nil when it has ended. For one reader at a time.
    func nextLine() async -> String? {
        await withCheckedContinuation { continuation in
            let (isReady, line) = state.withLock { state -> (Bool, String?) in
                if !state.unread.isEmpty { return (true, state.unread.removeFirst()) }
                if state.isEnded { return (true, nil) }
                state.waiter = continuation
                return (false, nil)
            }
            if isReady { continuation.resume(returning: line) }
        }
    }

    /// The next line that matches, as JSON; nil when the output ended without one.
    func next(where isWanted: (JSON) -> Bool) async -> JSON? {
        while let line = await nextLine() {
            let json = JSON(line: line)
            if isWanted(json) { return json }
        }
        return nil
    }

    /// Writes a line to the program's input, if it has one. Does nothing if the program has ended.
    func say(_ line: String) {
        guard let input else { return }
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes {
            send(input, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }

    // MARK: - Ending

    deinit {
        if let input { close(input) }
    }

    func stop(_ signal: Int32 = SIGKILL) {
        isGone.withValue { isGone in
            if !isGone { kill(id, signal) }
        }
    }

    func end() async -> Answer { await answer.value }

    /// For a program that ends only by a signal.
    func end(by signal: Int32) async {
        stop(signal)
        _ = await end()
    }

    /// Kills the program after this many seconds, unless it has ended. The random instant is the
    /// subject of the test, which waits for the end and not for these seconds.
    func endKilled(afterSeconds seconds: Double) async -> Answer {
        let killer = Task {
            try await Task.sleep(for: .seconds(seconds))
            stop(SIGKILL)
        }
        defer { killer.cancel() }
        return await end()
    }
}

/// A value behind a lock, which closures may share.
final class Shared<Value: Sendable>: Sendable {
    private let held: Mutex<Value>
    init(_ value: Value) { held = Mutex(value) }
    func withValue<Answer: Sendable>(_ body: (inout sending Value) -> sending Answer) -> Answer {
        held.withLock(body)
    }
    var value: Value {
        get { held.withLock { $0 } }
        set { held.withLock { $0 = newValue } }
    }
}
