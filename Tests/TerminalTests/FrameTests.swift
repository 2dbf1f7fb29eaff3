import Terminal
import TerminalTestSupport
import TestBasics
import Testing

@Suite struct FrameTests {
    @Test("a frame never holds half of a wide character")
    func halfAWideCharacterIsNeverPut() {
        var frame = Frame(size: Size(columns: 5, rows: 1))
        frame.put(Measures.utf8.measure("灯台本"), column: 0, row: 0)
        #expect(frame.lines == ["灯台"])
        frame.put(Measures.utf8.measure("x"), column: 1, row: 0)
        #expect(frame.lines == [" x台"])
        frame.put(Measures.utf8.measure("y"), column: 2, row: 0)
        #expect(frame.lines == [" xy"])
    }

    @Test("text outside the frame is clipped")
    func whatIsOutsideIsLeftOut() {
        var frame = Frame(size: Size(columns: 4, rows: 2))
        let text = Measures.utf8.measure("abcdef")
        #expect(frame.put(text, column: -2, row: 0) == 4)
        #expect(frame.put(text, column: 0, row: 2) == 0)
        #expect(frame.put(text, column: 1, row: 1, before: 3) == 3)
        #expect(frame.lines == ["cdef", " ab"])
    }

    /// Each row keeps the width of the frame, whatever text is put into it or cleared.
    @Test("a row is always as wide as the frame", arguments: 0..<200 as Range<UInt64>)
    func aRowIsAlwaysAsWideAsTheFrame(_ seed: UInt64) {
        var chances = SplitMix64(seed: seed)
        let size = Size(columns: chances.below(40), rows: chances.below(12))
        for number in 0..<10 {
            let frame = SampleFrames(seed: seed, measure: Measures.utf8).frame(number, size: size)
            for row in 0..<size.rows {
                let cells = Array(frame.row(row))
                #expect(cells.reduce(0) { $0 + Int($1.width) } == size.columns, "seed \(seed)")
                for (cell, next) in zip(cells, cells.dropFirst()) {
                    #expect((cell.width == 2) == (next.width == 0), "seed \(seed)")
                    #expect(cell.width == 0 || !cell.text.isEmpty)
                }
                #expect(cells.last?.width != 2)
            }
        }
    }
}
