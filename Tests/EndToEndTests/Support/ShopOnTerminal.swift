import CEmulator
import Foundation
import Synchronization
import Testing

/// The program on a bare pseudo-terminal, every byte between them in the test's hands, and an
/// emulator (libvterm) that shows what the program writes. Nothing sleeps: a thread reads, and wakes
/// who waits; a generous limit kills a program that hangs.
final class ShopOnTerminal: Sendable {
    private struct State: ~Copyable {
        let emulator: OpaquePointer
        var columns: Int
        var rows: Int
        var written: [UInt8] = []
        var status: Int32?
        var waiters: [CheckedContinuation<Void, Never>] = []

        deinit { ce_free(emulator) }
    }

    private static let secondsMax = 90

    let id: pid_t
    private let descriptor: Mutex<Int32>
    /// A pipe: what is written into it ends the reading.
    private let hangingUp: (heard: Int32, said: Int32)
    private let state: Mutex<State>
    private let modeBefore: [UInt32]

    /// Opens the program on a terminal, waits until it has opened its store, and ends it when the
    /// body is done.
    static func run(
        _ box: Sandbox, _ arguments: [String] = [], columns: Int = 80, rows: Int = 24,
        changing changes: [String: String?] = [:], waiting: Bool = true,
        at location: SourceLocation = #_sourceLocation,
        _ body: (ShopOnTerminal) async throws -> Void
    ) async throws {
        let shop = try ShopOnTerminal(box, arguments, columns, rows, changes)
        do {
            if waiting { try await shop.open(at: location) }
            try await body(shop)
        } catch {
            shop.kill(SIGKILL)
            _ = await shop.end()
            throw error
        }
        shop.kill(SIGKILL)
        _ = await shop.end()
    }

    private init(
        _ box: Sandbox, _ arguments: [String], _ columns: Int, _ rows: Int,
        _ changes: [String: String?]
    ) throws {
        var environment = box.environment
        for (name, value) in changes { environment[name] = value }
        let words = ["/usr/bin/env", "-C", box.work, try #require(Program.path)] + arguments
        var descriptor: Int32 = -1
        let ends = try Spawn.pipe()
        let id = Spawn.alone {
            Spawn.withStrings(words) { argv in
                Spawn.withStrings(environment.map { "\($0.key)=\($0.value)" }) { envp in
                    ce_start(words[0], argv, envp, Int32(columns), Int32(rows), &descriptor)
                }
            }
        }
        try #require(id > 0)
        self.id = id
        self.descriptor = Mutex(descriptor)
        hangingUp = (ends.read, ends.write)
        modeBefore = Self.mode(of: descriptor)
        state = Mutex(
            State(emulator: ce_new(Int32(columns), Int32(rows)), columns: columns, rows: rows))
        let master = descriptor
        Thread.detachNewThread { [self] in read(from: master) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.secondsMax)) {
            [weak self] in self?.kill(SIGKILL)
        }
    }

    /// Until nobody has the other side open any more.
    private func read(from descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            var watched = [descriptor, hangingUp.heard].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&watched, 2, -1)
            if watched[1].revents != 0 {
                self.descriptor.withLock { $0 = -1 }
                Foundation.close(descriptor)
                break
            }
            let count = Foundation.read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { break }
            change { state in
                state.written += bytes[..<count]
                ce_feed(state.emulator, bytes, count)
            }
        }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        change { $0.status = status }
    }

    private func change(_ body: (inout State) -> Void) {
        let waiters = state.withLock { state in
            body(&state)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    // MARK: - The person

    func type(_ text: String) { send(Array(text.utf8)) }

    /// All of it: a terminal whose program reads slowly makes its person wait.
    func send(_ bytes: [UInt8]) {
        descriptor.withLock { descriptor in
            var rest = bytes[...]
            while !rest.isEmpty, descriptor >= 0 {
                var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&watched, 1, 1_000)
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EAGAIN, errno != EINTR {
                    return
                } else if state.withLock({ $0.status != nil }) {
                    return
                }
            }
        }
    }

    func resize(_ columns: Int, _ rows: Int) {
        state.withLock { state in
            ce_resize(state.emulator, Int32(columns), Int32(rows))
            (state.columns, state.rows) = (columns, rows)
        }
        descriptor.withLock { ce_set_size($0, Int32(columns), Int32(rows)) }
    }

    func kill(_ signal: Int32) {
        state.withLock { state in
            if state.status == nil { Foundation.kill(id, signal) }
        }
    }

    // MARK: - The screen

    var screen: String { state.withLock { Self.text(of: $0) } }
    var written: [UInt8] { state.withLock { $0.written } }
    var writtenText: String { String(decoding: written, as: UTF8.self) }
    var isAlternate: Bool { state.withLock { ce_is_alternate($0.emulator) } }
    var isCursorVisible: Bool { state.withLock { ce_is_cursor_visible($0.emulator) } }

    private static func text(of state: borrowing State) -> String {
        var lines: [String] = []
        for row in 0..<state.rows {
            var line = String.UnicodeScalarView()
            var column = 0
            while column < state.columns {
                let cell = ce_cell_at(state.emulator, Int32(column), Int32(row))
                let scalars = [cell.scalars.0, cell.scalars.1, cell.scalars.2].prefix { $0 != 0 }
                line += scalars.isEmpty ? [" "] : scalars.compactMap { Unicode.Scalar($0) }
                column += max(1, Int(cell.width))
            }
            lines.append(String(line))
        }
        return lines.joined(separator: "\n")
    }

    /// Waits until all of these are on the screen.
    func see(_ texts: String..., at location: SourceLocation = #_sourceLocation) async throws {
        try await until("\(texts)", at: location) { screen, _ in
            texts.allSatisfy { screen.contains($0) }
        }
    }

    func see(
        _ what: String, at location: SourceLocation = #_sourceLocation,
        _ isShown: (String) -> Bool
    ) async throws {
        try await until(what, at: location) { screen, _ in isShown(screen) }
    }

    /// Waits until the store is open.
    func open(at location: SourceLocation = #_sourceLocation) async throws {
        try await until("an open shop", at: location) { screen, _ in
            screen.contains("help") && !screen.contains("opening")
                && !screen.contains("Asking the store")
        }
    }

    /// Waits until the program has written these bytes, after those that were there before.
    func hear(
        _ bytes: String, after start: Int = 0, at location: SourceLocation = #_sourceLocation
    ) async throws {
        try await until(bytes.debugDescription, at: location) { _, written in
            written[min(start, written.count)...].firstRange(of: Array(bytes.utf8)) != nil
        }
    }

    private func until(
        _ what: String, at location: SourceLocation, _ isReached: (String, [UInt8]) -> Bool
    ) async throws {
        while true {
            let (screen, written, status) = state.withLock {
                (Self.text(of: $0), $0.written, $0.status)
            }
            if isReached(screen, written) { return }
            guard status == nil else {
                Issue.record(
                    "Ended with \(status ?? 0) before \(what). Last:\n\(screen)",
                    sourceLocation: location)
                throw ShopOnTmux.Failure(description: "ended before \(what)")
            }
            await change(since: written.count)
        }
    }

    private func change(since count: Int) async {
        await withCheckedContinuation { continuation in
            let isChanged = state.withLock { state in
                if state.written.count != count || state.status != nil { return true }
                state.waiters.append(continuation)
                return false
            }
            if isChanged { continuation.resume() }
        }
    }

    // MARK: - The end

    /// The program's end: its exit code, or the signal's number below zero.
    func end() async -> Int32 {
        while true {
            let (count, status) = state.withLock { ($0.written.count, $0.status) }
            if let status {
                return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
            }
            await change(since: count)
        }
    }

    /// The person's side goes away, as when a window is closed.
    func hangUp() { _ = write(hangingUp.said, "!", 1) }

    /// The terminal reads lines and makes signals as it did before the program.
    var hasModeOfBefore: Bool { descriptor.withLock { Self.mode(of: $0) } == modeBefore }

    private static func mode(of descriptor: Int32) -> [UInt32] {
        var mode = termios()
        tcgetattr(descriptor, &mode)
        return [mode.c_iflag, mode.c_oflag, mode.c_cflag, mode.c_lflag]
    }

    deinit {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { Foundation.close(descriptor) }
        }
        Foundation.close(hangingUp.heard)
        Foundation.close(hangingUp.said)
    }
}

extension ShopOnTerminal {
    /// The terminal is as it was before the program: mode, screen, cursor, mouse, paste.
    func expectGivenBack(at location: SourceLocation = #_sourceLocation) {
        #expect(hasModeOfBefore, "mode", sourceLocation: location)
        #expect(!isAlternate, "screen", sourceLocation: location)
        #expect(isCursorVisible, "cursor", sourceLocation: location)
        let text = writtenText
        for mode in ["?1000", "?1006", "?2004", "?1049"] {
            let on = text.ranges(of: "\u{1B}[\(mode)h").last?.lowerBound
            let off = text.ranges(of: "\u{1B}[\(mode)l").last?.lowerBound
            #expect(
                (on ?? text.startIndex) <= (off ?? text.startIndex), "\(mode)",
                sourceLocation: location)
        }
    }
}
