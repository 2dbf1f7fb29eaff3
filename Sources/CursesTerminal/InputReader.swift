import CTerminal
import Glibc
import Terminal

/// Reads what the terminal sends, and knows how long to wait for the rest of it.
struct InputReader {
    private var decoder = KeyDecoder()
    private var bytes = [UInt8](repeating: 0, count: 4096)
    /// When what is unfinished is given up.
    private(set) var deadline: ContinuousClock.Instant?

    /// What can be read now; nil if nobody is there any more.
    mutating func read() -> [KeyDecoder.Input]? {
        let count = bytes.withUnsafeMutableBufferPointer { room in
            room.baseAddress.map { ct_read($0, room.count) } ?? 0
        }
        guard count > 0 else { return nil }
        defer { setDeadline() }
        return decoder.decode(bytes[..<count])
    }

    mutating func giveUp(at now: ContinuousClock.Instant) -> [KeyDecoder.Input] {
        guard let deadline, deadline <= now else { return [] }
        defer { setDeadline() }
        return decoder.giveUp()
    }

    private mutating func setDeadline() {
        deadline = decoder.patience.map { .now + $0 }
    }
}
