package import CEmulator
package import Foundation
import Synchronization

/// A program on a pseudo-terminal, with an emulator (libvterm) that shows its output. A thread
/// reads the output and checks every screen against the conditions of the waiting tasks, so that a
/// task that gets no processor time does not miss a message that fades; no thread sleeps. A limit
/// of 600 seconds kills a program that hangs, so that its test fails.
package final class PseudoTerminal: Sendable {
    /// The reason for which a test on a terminal cannot continue.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
        package init(description: String) { self.description = description }
    }

    /// The screen and the whole output at one moment; valid only during the call that receives it.
    package struct Moment: ~Copyable {
        fileprivate let emulator: OpaquePointer
        fileprivate var columns: Int
        fileprivate var rows: Int
        package fileprivate(set) var written: [UInt8] = []
        /// The status of waitpid(2); nil while the program runs.
        fileprivate var status: Int32?
        /// Conditions of waiting tasks, each called once per change until it returns true.
        fileprivate var waiters: [@Sendable (borrowing Moment) -> Bool] = []

        fileprivate init(columns: Int, rows: Int) {
            emulator = ce_new(Int32(columns), Int32(rows))
            (self.columns, self.rows) = (columns, rows)
        }

        deinit { ce_free(emulator) }
    }

    /// Long, because many tests share few processors, and the program runs as slowly as they do.
    private static let secondsMax = 600
    /// Held during a start: another program could inherit this one's terminal and keep it open.
    private static let turn = Mutex(())

    /// Runs `body` while no other program is being started.
    package static func alone<Value>(_ body: () throws -> Value) rethrows -> Value {
        try turn.withLock { _ in try body() }
    }

    package let id: pid_t
    private let descriptor: Mutex<Int32>
    /// A pipe to the reading thread. Any byte but these of `Order` ends the thread, which closes the
    /// terminal.
    private let orders: (read: Int32, write: Int32)
    private enum Order: UInt8 { case pauseReading = 1, goOnReading }
    private let moment: Mutex<Moment>
    private let answers: [(question: [UInt8], answer: [UInt8])]
    /// The mode of a new terminal. A quick program may already have changed this terminal's mode.
    private static let modeBefore: [UInt32] = {
        let descriptor = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        defer { Foundation.close(descriptor) }
        return mode(of: descriptor)
    }()

    /// The first of `words` is the program, the others are its arguments.
    ///
    /// - Parameters:
    ///   - answer: the one to the query for synchronized output (mode 2026); nil for none.
    ///   - background: the one to the query for the background (OSC 11); nil for none.
    package init(
        _ words: [String], environment: [String: String], columns: Int = 80, rows: Int = 24,
        answer: String? = nil, background: String? = nil
    ) throws {
        var descriptor: Int32 = -1
        var ends: [Int32] = [0, 0]
        let id = Self.alone {
            guard pipe(&ends) == 0 else { return pid_t(-1) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            return Self.withStrings(words) { argv in
                Self.withStrings(environment.map { "\($0.key)=\($0.value)" }) { envp in
                    ce_start(words[0], argv, envp, Int32(columns), Int32(rows), &descriptor)
                }
            }
        }
        guard id > 0 else { throw Failure(description: "no terminal") }
        self.id = id
        self.descriptor = Mutex(descriptor)
        answers = [("\u{1B}]11;?", background), ("\u{1B}[?2026$p", answer)].compactMap {
            question, answer in answer.map { (Array(question.utf8), Array($0.utf8)) }
        }
        orders = (ends[0], ends[1])
        moment = Mutex(Moment(columns: columns, rows: rows))
        let master = descriptor
        Thread.detachNewThread { [self] in read(from: master) }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.secondsMax)) {
            [weak self] in self?.kill(SIGKILL)
        }
    }

    deinit {
        descriptor.withLock { descriptor in
            if descriptor >= 0 { Foundation.close(descriptor) }
        }
        Foundation.close(orders.read)
        Foundation.close(orders.write)
    }

    private static func withStrings<Value>(
        _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value
    ) -> Value {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return body(copies + [nil])
    }

    /// Reads until no process has the terminal's other side open.
    private func read(from descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var isPaused = false
        while true {
            // poll(2) skips a negative descriptor.
            var watched = [orders.read, isPaused ? -1 : descriptor].map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            poll(&watched, 2, -1)
            if watched[0].revents != 0 {
                var byte: UInt8 = 0
                _ = Foundation.read(orders.read, &byte, 1)
                if let order = Order(rawValue: byte) {
                    isPaused = order == .pauseReading
                    continue
                }
                self.descriptor.withLock { $0 = -1 }
                Foundation.close(descriptor)
                break
            }
            let count = Foundation.read(descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count > 0 else { break }
            for (question, answer) in answers where bytes[..<count].contains(question) {
                send(answer)
            }
            change { moment in
                moment.written += bytes[..<count]
                ce_feed(moment.emulator, bytes, count)
            }
        }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        change { $0.status = status }
    }

    private func change(_ body: (inout Moment) -> Void) {
        moment.withLock { moment in
            body(&moment)
            let waiters = moment.waiters
            moment.waiters = waiters.filter { !$0(moment) }
        }
    }

    // MARK: - Input

    package func type(_ text: String) { send(Array(text.utf8)) }

    /// Sends all bytes. Waits while the program does not read them.
    package func send(_ bytes: [UInt8]) {
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
                } else if moment.withLock({ $0.status != nil }) {
                    return
                }
            }
        }
    }

    /// Changes the window's size; the kernel sends the program SIGWINCH.
    package func resize(_ columns: Int, _ rows: Int) {
        moment.withLock { moment in
            ce_resize(moment.emulator, Int32(columns), Int32(rows))
            (moment.columns, moment.rows) = (columns, rows)
        }
        descriptor.withLock { ce_set_size($0, Int32(columns), Int32(rows)) }
    }

    /// Sends the program a signal, unless it has ended.
    package func kill(_ signal: Int32) {
        moment.withLock { moment in
            if moment.status == nil { Foundation.kill(id, signal) }
        }
    }

    /// Closes the terminal, as closing its window does.
    package func hangUp() { _ = write(orders.write, "!", 1) }

    /// Stops reading the program's output, as a stopped terminal does, or goes on. The kernel holds
    /// some 70 kB that nobody has read; after that the program cannot write.
    package func pauseReading(_ pauses: Bool) {
        let order: Order = pauses ? .pauseReading : .goOnReading
        _ = withUnsafeBytes(of: order.rawValue) { write(orders.write, $0.baseAddress, 1) }
    }

    /// Lets the terminal accept no output, as after Ctrl-S or on a dead connection, or again.
    package func holdOutput(_ holds: Bool) {
        descriptor.withLock { _ = ce_hold_output($0, holds) }
    }

    // MARK: - The screen

    package func inspect<Value: Sendable>(_ body: (borrowing Moment) -> Value) -> Value {
        moment.withLock { body($0) }
    }

    package var screen: String { inspect { $0.screen } }
    package var written: [UInt8] { inspect { $0.written } }
    package var isAlternate: Bool { inspect { $0.isAlternate } }
    package var isCursorVisible: Bool { inspect { $0.isCursorVisible } }

    /// Waits until `find` returns a value, and returns it; nil if the program ends before.
    ///
    /// - Parameter find: called at once, and then by the reading thread at every change.
    package func wait<Found: Sendable>(
        for find: @escaping @Sendable (borrowing Moment) -> Found?
    ) async -> Found? {
        await withCheckedContinuation { continuation in
            let goesOn = { @Sendable (moment: borrowing Moment) -> Bool in
                if let found = find(moment) {
                    continuation.resume(returning: found)
                } else if moment.status != nil {
                    continuation.resume(returning: nil)
                } else {
                    return false
                }
                return true
            }
            moment.withLock { moment in
                if !goesOn(moment) { moment.waiters.append(goesOn) }
            }
        }
    }

    // MARK: - The end

    /// Waits for the program to end. Returns its exit code, or the negative signal number.
    package func end() async -> Int32 {
        let status = await wait { $0.status } ?? 0
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)
    }

    /// Whether the terminal's mode is that of a new terminal.
    package var hasModeOfBefore: Bool {
        descriptor.withLock { Self.mode(of: $0) } == Self.modeBefore
    }

    private static func mode(of descriptor: Int32) -> [UInt32] {
        var mode = termios()
        tcgetattr(descriptor, &mode)
        return [mode.c_iflag, mode.c_oflag, mode.c_cflag, mode.c_lflag]
    }

    /// What differs from before the program: mode, screen, cursor, mouse, paste; empty for nothing.
    package var whatWasLeftBehind: [String] {
        var left: [String] = []
        if !hasModeOfBefore { left.append("the terminal's mode") }
        if isAlternate { left.append("the alternate screen") }
        if !isCursorVisible { left.append("a hidden cursor") }
        let text = String(decoding: written, as: UTF8.self)
        for mode in ["?1000", "?1006", "?2004", "?1049"] {
            let on = text.ranges(of: "\u{1B}[\(mode)h").last?.lowerBound
            let off = text.ranges(of: "\u{1B}[\(mode)l").last?.lowerBound
            if (on ?? text.startIndex) > (off ?? text.startIndex) { left.append(mode) }
        }
        return left.isEmpty
            ? [] : left + ["after \(String(text.suffix(300)).debugDescription)"]
    }
}

extension PseudoTerminal.Moment {
    /// At `start` or later. Uses memchr(3), since the output may be megabytes long.
    package func offset(of pattern: [UInt8], from start: Int = 0) -> Int? {
        guard let first = pattern.first else { return nil }
        return written.withUnsafeBytes { bytes in
            var at = start
            while let base = bytes.baseAddress, at + pattern.count <= bytes.count,
                let found = memchr(base + at, Int32(first), bytes.count - at)
            {
                at = base.distance(to: UnsafeRawPointer(found))
                guard at + pattern.count <= bytes.count else { return nil }
                if memcmp(base + at, pattern, pattern.count) == 0 { return at }
                at += 1
            }
            return nil
        }
    }

    /// The cell at a column and row, counted from 0.
    package func cell(_ column: Int, _ row: Int) -> ce_cell {
        ce_cell_at(emulator, Int32(column), Int32(row))
    }

    /// The cursor's column and row, counted from 0.
    package var cursor: (column: Int, row: Int) {
        var (column, row): (Int32, Int32) = (0, 0)
        ce_cursor(emulator, &column, &row)
        return (Int(column), Int(row))
    }

    fileprivate var isCursorVisible: Bool { ce_is_cursor_visible(emulator) }
    fileprivate var isAlternate: Bool { ce_is_alternate(emulator) }

    package var screen: String {
        (0..<rows).map { row in
            var line = String.UnicodeScalarView()
            var column = 0
            while column < columns {
                let cell = cell(column, row)
                let scalars = [cell.scalars.0, cell.scalars.1, cell.scalars.2].prefix { $0 != 0 }
                line += scalars.isEmpty ? [" "] : scalars.compactMap { Unicode.Scalar($0) }
                column += max(1, Int(cell.width))
            }
            return String(line)
        }.joined(separator: "\n")
    }
}
