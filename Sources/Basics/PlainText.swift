package import Foundation

/// A text file as lines that are safe to show, for any bytes. Lines are decoded on request: the
/// value holds the file's bytes and the beginnings of its lines, at most five bytes for each byte
/// of the file.
///
/// Line feed, carriage return and both together end a line; the end of the file need not. A longer
/// line than `lineBytesMax` becomes several.
package struct PlainText: Sendable, Hashable {
    /// 16 MiB.
    package static let bytesMax = 16 * 1024 * 1024
    /// A longer line is broken, if possible after a space.
    package static let lineBytesMax = 4096
    /// In bytes, back from the limit of a line.
    private static let spaceSearchMax = 512
    private static let tabWidth = 4

    /// One line, safe to show.
    package struct Line: Sendable, Hashable {
        /// Without its line end. Invalid UTF-8 is replaced by U+FFFD; escape sequences and control
        /// characters are left out (`UntrustedText.clean`); a tab is four spaces.
        package var text: String
        /// In bytes.
        package var offset: Int
    }

    /// The file was longer than `bytesMax`.
    package let isCut: Bool
    private let bytes: Data
    /// In bytes.
    private let starts: [UInt32]

    /// Leaves out all after the first `bytesMax` bytes. `isCut` is true if the caller has left out
    /// the end of the file already.
    package init(_ bytes: Data, isCut: Bool = false) {
        self.isCut = isCut || bytes.count > Self.bytesMax
        // A copy with indices from 0, which keeps no larger memory alive.
        self.bytes = Data(bytes.prefix(Self.bytesMax))
        starts = self.bytes.withUnsafeBytes { Self.starts(in: $0) }
    }

    /// 0 for an empty file.
    package var lineCount: Int { starts.count }

    /// From 0. Numbers that no line has are left out.
    package func lines(_ numbers: Range<Int>) -> [Line] {
        numbers.clamped(to: 0..<lineCount).map(line)
    }

    /// The nearest line for an offset outside the file, and 0 for an empty file.
    package func lineNumber(at offset: Int64) -> Int {
        var low = 0
        var high = lineCount
        while low < high {
            let middle = (low + high) / 2
            if Int64(starts[middle]) <= offset { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }

    private func line(_ number: Int) -> Line {
        let start = Int(starts[number])
        let next = number + 1 < lineCount ? Int(starts[number + 1]) : bytes.count
        var end = next
        if end > start, bytes[end - 1] == Self.lineFeed { end -= 1 }
        if end > start, bytes[end - 1] == Self.carriageReturn { end -= 1 }
        let text = String(decoding: bytes[start..<end], as: UTF8.self)
            .replacing("\t", with: String(repeating: " ", count: Self.tabWidth))
        return Line(text: UntrustedText.clean(text), offset: start)
    }

    // MARK: - Finding lines

    private static let lineFeed = UInt8(ascii: "\n")
    private static let carriageReturn = UInt8(ascii: "\r")

    private static func starts(in bytes: UnsafeRawBufferPointer) -> [UInt32] {
        var starts: [UInt32] = []
        var start = 0
        while start < bytes.count {
            starts.append(UInt32(start))
            start = nextStart(after: start, in: bytes)
        }
        return starts
    }

    private static func nextStart(after start: Int, in bytes: UnsafeRawBufferPointer) -> Int {
        let limit = min(start + lineBytesMax, bytes.count)
        var at = start
        while at < limit {
            if bytes[at] == lineFeed { return at + 1 }
            if bytes[at] == carriageReturn {
                return at + 1 < bytes.count && bytes[at + 1] == lineFeed ? at + 2 : at + 1
            }
            at += 1
        }
        // A line end directly after the longest possible line belongs to it.
        guard limit < bytes.count else { return limit }
        if bytes[limit] == lineFeed { return limit + 1 }
        if bytes[limit] == carriageReturn {
            return limit + 1 < bytes.count && bytes[limit + 1] == lineFeed ? limit + 2 : limit + 1
        }
        return breakPlace(before: limit, in: bytes)
    }

    /// For a line that is too long: after its last space if one is near, else before the character
    /// that would be cut.
    private static func breakPlace(
        before limit: Int, in bytes: UnsafeRawBufferPointer
    ) -> Int {
        let space = UInt8(ascii: " ")
        for at in stride(from: limit, to: limit - spaceSearchMax, by: -1)
        where bytes[at - 1] == space {
            return at
        }
        // At most three bytes of a character follow its first one (UTF-8).
        for at in stride(from: limit, to: limit - 4, by: -1) where bytes[at] & 0xC0 != 0x80 {
            return at
        }
        return limit
    }
}
