import Foundation

/// Reads the lines of standard input in a thread of its own, each only when it is asked for, so that
/// what was typed ahead waits in the terminal or the pipe.
final class InputLines: Sendable {
    /// In bytes; the rest of a longer line is dropped.
    private static let lengthMax = 4096
    private let asked = DispatchSemaphore(value: 0)

    /// - Parameter take: gets each line, and nil once at the end, in that thread.
    init(_ take: @escaping @Sendable (String?) -> Void) {
        let asked = asked
        Thread.detachNewThread {
            while true {
                asked.wait()
                let line = Self.read()
                take(line)
                if line == nil { return }
            }
        }
    }

    func ask() { asked.signal() }

    /// Byte by byte: a program after this one gets the rest. Nil at the end of the input.
    private static func read() -> String? {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = Foundation.read(STDIN_FILENO, &byte, 1)
            if count < 0, errno == EINTR { continue }
            if count < 1 { return line.isEmpty ? nil : String(decoding: line, as: UTF8.self) }
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            if line.count < lengthMax { line.append(byte) }
        }
    }
}
