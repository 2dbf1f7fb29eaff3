import CTerminal
import Glibc
import Terminal
import Testing

@Suite struct FrameTests {
    private static let measure: TextMeasure = {
        setlocale(LC_CTYPE, "C.UTF-8")
        return TextMeasure { Int(ct_columns($0.value)) }
    }()

    @Test func halfAWideCharacterIsNeverPut() {
        var frame = Frame(size: Size(columns: 5, rows: 1))
        frame.put(Self.measure.measure("灯台本"), column: 0, row: 0)
        #expect(frame.lines == ["灯台"])
        frame.put(Self.measure.measure("x"), column: 1, row: 0)
        #expect(frame.lines == [" x台"])
        frame.put(Self.measure.measure("y"), column: 2, row: 0)
        #expect(frame.lines == [" xy"])
    }
}
