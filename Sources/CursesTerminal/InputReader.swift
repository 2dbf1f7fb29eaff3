import CTerminal
import Glibc
import Terminal

/// Reads and decodes input, and keeps the deadline of an unfinished sequence.
struct InputReader {
    private var decoder = KeyDecoder()
    private var bytes = [UInt8](repeating: 0, count: 4096)
    /// See `KeyDecoder.expectsReply`.
    var expectsReply: Bool {
        get { decoder.expectsReply }
        set { decoder.expectsReply = newValue }
    }
    /// When an unfinished sequence is given up; nil if no sequence is unfinished.
    private(set) var deadline: ContinuousClock.Instant?

    /// Nil if the terminal was closed.
    mutating func read() -> [KeyDecoder.Input]? {
        let count = bytes.withUnsafeMutableBufferPointer { room in
            room.baseAddress.map { ct_read($0, room.count) } ?? 0
        }
        guard count > 0 else { return nil }
        defer { setDeadline() }
        return decoder.decode(bytes[..<count])
    }

    /// Does nothing before the deadline of an unfinished sequence.
    mutating func giveUp(at now: ContinuousClock.Instant) -> [KeyDecoder.Input] {
        guard let deadline, deadline <= now else { return [] }
        defer { setDeadline() }
        return decoder.giveUp()
    }

    private mutating func setDeadline() {
        deadline = decoder.deadline(at: .now)
    }
}
