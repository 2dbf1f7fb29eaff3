import Basics
import Foundation
import Testing

@Suite("plain text") struct PlainTextTests {
    private func texts(_ bytes: [UInt8]) -> [String] {
        let text = PlainText(Data(bytes))
        return text.lines(0..<text.lineCount).map(\.text)
    }

    @Test(
        "line feed, carriage return and both together each end one line",
        arguments: [
            ("", []), ("a", ["a"]), ("a\n", ["a"]), ("\n", [""]), ("\n\n", ["", ""]),
            ("a\nb", ["a", "b"]), ("a\r\nb\r\n", ["a", "b"]), ("a\rb", ["a", "b"]),
            ("a\n\rb", ["a", "", "b"]), ("a\r\r\nb", ["a", "", "b"]), ("\r", [""]),
        ] as [(String, [String])])
    func lineEnds(file: String, lines: [String]) { #expect(texts(Array(file.utf8)) == lines) }

    @Test(
        "bytes that are no text, escape sequences and control characters are safe to show",
        arguments: [
            ([0x61, 0xFF, 0x62], "a\u{FFFD}b"), ([0xE2, 0x82], "\u{FFFD}"),
            ([0x1B, 0x5B, 0x33, 0x31, 0x6D, 0x78], "x"), ([0x61, 0x00, 0x07, 0x62], "ab"),
            ([0x61, 0x09, 0x62], "a    b"), ([0xEF, 0xBB, 0xBF, 0x61], "a"),
            (Array("灯台 👩\u{200D}🚀".utf8), "灯台 👩\u{200D}🚀"),
            (Array("a\u{202E}b\u{9B}31mc".utf8), "abc"),
        ] as [([UInt8], String)])
    func safety(bytes: [UInt8], line: String) { #expect(texts(bytes) == [line]) }

    @Test("a line of a megabyte becomes bounded lines that lose nothing")
    func longLine() {
        let file = String(repeating: "é", count: 500_000)
        let text = PlainText(Data(file.utf8))
        let lines = text.lines(0..<text.lineCount)
        #expect(lines.map(\.text).joined() == file)
        #expect(lines.allSatisfy { $0.text.utf8.count <= PlainText.lineBytesMax })
    }

    @Test("a line that is too long is broken after a space if one is near")
    func brokenAtSpace() {
        let file = String(repeating: "lantern ", count: 2_000) + "end"
        let text = PlainText(Data(("x" + file).utf8))
        let lines = text.lines(0..<text.lineCount)
        #expect(lines.count > 3)
        #expect(lines.dropLast().allSatisfy { $0.text.hasSuffix("lantern ") })
    }

    @Test("a line of exactly the longest length is one line", arguments: ["\n", "\r\n", "\r", ""])
    func longestLine(end: String) {
        let longest = String(repeating: "a", count: PlainText.lineBytesMax)
        #expect(texts(Array((longest + end).utf8)) == [longest])
        #expect(texts(Array((longest + end + "b").utf8)) == [longest, "b"])
    }

    @Test("an offset leads to the line that contains it, and a line to its offset")
    func offsets() {
        let text = PlainText(Data("ab\r\n\ncd".utf8))
        #expect(text.lines(0..<9).map(\.offset) == [0, 4, 5])
        let places: [(Int64, Int)] = [(-1, 0), (0, 0), (3, 0), (4, 1), (5, 2), (6, 2), (99, 2)]
        for (offset, line) in places { #expect(text.lineNumber(at: offset) == line, "\(offset)") }
        #expect(PlainText(Data()).lineNumber(at: 5) == 0)
    }

    @Test("lines that do not exist are left out")
    func outside() {
        let text = PlainText(Data("a\nb".utf8))
        #expect(text.lines(1..<5).map(\.text) == ["b"])
        #expect(text.lines(7..<9).isEmpty)
    }

    @Test("a file beyond 16 MiB is cut, and says so")
    func cut() {
        let whole = PlainText(Data(repeating: 0x0A, count: PlainText.bytesMax))
        #expect(!whole.isCut)
        #expect(whole.lineCount == PlainText.bytesMax)
        let cut = PlainText(Data(repeating: 0x0A, count: PlainText.bytesMax + 1))
        #expect(cut.isCut)
        #expect(cut.lineCount == PlainText.bytesMax)
        #expect(PlainText(Data("a".utf8), isCut: true).isCut)
    }

    @Test("a part of a larger buffer is read from its own beginning")
    func slice() {
        let text = PlainText(Data("xxab\ncd".utf8).dropFirst(2))
        #expect(text.lines(0..<2).map(\.text) == ["ab", "cd"])
    }
}
