import CEmulator
import Foundation
import Terminal

/// The frame painter on a terminal of its own, and an emulator that shows what it writes.
///
/// Every wait is for something the program says; the limit only ends a test that hangs.
final class TerminalUnderTest {
    struct Failure: Error {
        var reason: String
    }

    let id: pid_t
    private let emulator: OpaquePointer
    private let descriptor: Int32
    private let modeBefore: termios
    private var unread: [UInt8] = []
    private var status: Int32?
    /// What the program wrote since the last message.
    private(set) var written: [UInt8] = []
    private let answer: String?

    private static let limitMilliseconds: Int32 = 60_000
    private static let start = Array("\u{1B}]777;".utf8)
    private static let question = Array("\u{1B}[?2026$p".utf8)

    /// `answer`: what the terminal says when asked for synchronized output; nil: nothing.
    init(
        _ arguments: [String] = ["1"], size: Size = Size(columns: 80, rows: 24),
        environment: [String: String] = [:], answer: String? = nil, script: String? = nil
    ) throws {
        let variables = ["TERM": "xterm-256color", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin"]
            .merging(environment) { $1 }
        let words = script.map { ["/bin/bash", "-c", $0, Self.program] } ?? [Self.program]
        var descriptor: Int32 = -1
        let id = withCStrings(words + arguments) { argv in
            withCStrings(variables.map { "\($0.key)=\($0.value)" }) { envp in
                ce_start(
                    words[0], argv, envp, Int32(size.columns), Int32(size.rows), &descriptor)
            }
        }
        guard id > 0 else { throw Failure(reason: "no terminal") }
        self.id = id
        self.descriptor = descriptor
        self.answer = answer
        emulator = ce_new(Int32(size.columns), Int32(size.rows))
        modeBefore = Self.mode(of: descriptor)
    }

    deinit {
        if status == nil {
            kill(id, SIGKILL)
            waitpid(id, nil, 0)
        }
        close(descriptor)
        ce_free(emulator)
    }

    /// Beside the tests themselves.
    private static let program: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        return URL(filePath: tests ?? "").deletingLastPathComponent()
            .appending(path: "FramePainter").path
    }()

    // MARK: - The person

    func type(_ text: String) { type(Array(text.utf8)) }

    func type(_ bytes: [UInt8]) {
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        precondition(count == bytes.count)
    }

    func resize(_ size: Size) {
        ce_resize(emulator, Int32(size.columns), Int32(size.rows))
        ce_set_size(descriptor, Int32(size.columns), Int32(size.rows))
    }

    // MARK: - The screen

    /// What the program says next; all it has painted before is on the screen then.
    func message() throws -> String {
        written = []
        while true {
            if let message = takeMessage() { return message }
            guard try readMore() else { throw Failure(reason: "the program has ended") }
        }
    }

    /// The program's end: its status as waitpid(2) tells it. The screen then shows what it left.
    func end() throws -> Int32 {
        while try readMore() {}
        feed(unread[...])
        unread = []
        var status: Int32 = 0
        waitpid(id, &status, 0)
        self.status = status
        return status
    }

    /// The same without reading what it writes: it has to end although nobody takes it.
    func endUnread() -> Int32 {
        let id = id
        let watchdog = DispatchWorkItem { kill(id, SIGKILL) }
        DispatchQueue.global().asyncAfter(
            deadline: .now() + .milliseconds(Int(Self.limitMilliseconds)), execute: watchdog)
        defer { watchdog.cancel() }
        var info = siginfo_t()
        while waitid(P_PID, id_t(id), &info, WEXITED | WNOWAIT) < 0 && errno == EINTR {}
        // As waitpid(2) tells it: the code of an end, or the signal.
        return info.si_code == Int32(CLD_EXITED) ? 0 : info._sifields._sigchld.si_status
    }

    private func takeMessage() -> String? {
        guard let start = unread.firstRange(of: Self.start),
            let end = unread[start.upperBound...].firstIndex(of: 7)
        else { return nil }
        defer { unread.removeFirst(end + 1) }
        feed(unread[..<start.lowerBound])
        return String(decoding: unread[start.upperBound..<end], as: UTF8.self)
    }

    private func feed(_ bytes: ArraySlice<UInt8>) {
        written += bytes
        bytes.withUnsafeBytes {
            ce_feed(emulator, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)
        }
        if let answer, bytes.contains(Self.question) { type(answer) }
    }

    private func readMore() throws -> Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&watched, 1, Self.limitMilliseconds) == 1 else {
            throw Failure(
                reason: "nothing came; unread: \(String(decoding: unread, as: UTF8.self))")
        }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        // EIO: nobody has the other side open any more.
        guard count > 0 else { return false }
        unread += bytes[..<count]
        return true
    }

    func cell(_ column: Int, _ row: Int) -> ce_cell {
        ce_cell_at(emulator, Int32(column), Int32(row))
    }

    var cursor: Position {
        var (column, row): (Int32, Int32) = (0, 0)
        ce_cursor(emulator, &column, &row)
        return Position(column: Int(column), row: Int(row))
    }

    var isCursorVisible: Bool { ce_is_cursor_visible(emulator) }
    var isAlternate: Bool { ce_is_alternate(emulator) }

    // MARK: - The terminal itself

    /// From now on the terminal takes no output, as after Ctrl-S or on a dead connection.
    func holdOutput() { flow(TCOOFF) }
    func releaseOutput() { flow(TCOON) }

    private func flow(_ action: Int32) {
        var name = [CChar](repeating: 0, count: 64)
        ptsname_r(descriptor, &name, name.count)
        let other = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        precondition(tcflow(other, action) == 0)
        close(other)
    }

    // MARK: - The terminal's mode

    /// Whether the terminal reads lines and makes signals as it did before the program.
    var hasModeOfBefore: Bool {
        let now = Self.mode(of: descriptor)
        return now.c_lflag == modeBefore.c_lflag && now.c_iflag == modeBefore.c_iflag
            && now.c_oflag == modeBefore.c_oflag
    }

    private static func mode(of descriptor: Int32) -> termios {
        var mode = termios()
        tcgetattr(descriptor, &mode)
        return mode
    }
}

private func withCStrings<Value>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
) -> Value {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
}
