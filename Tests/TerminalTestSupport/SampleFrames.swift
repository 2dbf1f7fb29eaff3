package import Terminal
import TestBasics

/// Random frames. The same seed gives the same frames in every process, so that a test can predict
/// the frames of a program.
package struct SampleFrames {
    private let seed: UInt64
    private let measure: TextMeasure

    package init(seed: UInt64, measure: TextMeasure) {
        self.seed = seed
        self.measure = measure
    }

    /// Every second frame differs from the previous one in a few places, as a program's do.
    package func frame(_ number: Int, size: Size) -> Frame {
        var frame = Frame(size: size)
        guard size.columns > 0, size.rows > 0 else { return frame }
        var chances = SplitMix64(seed: seed &+ UInt64(number / 2))
        scatter(size.columns * size.rows / 20 + 1, over: &frame, by: &chances)
        if !number.isMultiple(of: 2) {
            if chances.below(2) == 0 { scroll(&frame, by: &chances) }
            scatter(3, over: &frame, by: &chances)
        }
        avoidMarksAtTheEdge(&frame)
        frame.cursor = Position(
            column: chances.below(max(1, size.columns)), row: chances.below(max(1, size.rows)))
        frame.isCursorVisible = chances.below(2) == 0
        return frame
    }

    /// libvterm 0.1, unlike terminals, moves a combining mark of the last column into the next row.
    private func avoidMarksAtTheEdge(_ frame: inout Frame) {
        let column = frame.size.columns - 1
        for row in 0..<frame.size.rows where frame[column, row].text.unicodeScalars.count > 1 {
            frame.put(measure.measure("~"), column: column, row: row)
        }
    }

    /// Moves the rows below a random one up or down, as scrolling a list does.
    private func scroll(_ frame: inout Frame, by chances: inout SplitMix64) {
        let old = frame
        let step = [-3, -1, 1, 2][chances.below(4)]
        let first = chances.below(frame.size.rows)
        let last = frame.size.rows - chances.below(2)
        guard first < last else { return }
        for row in first..<last {
            frame.clear(Area(column: 0, row: row, columns: frame.size.columns, rows: 1))
            guard (first..<last).contains(row + step) else { continue }
            for column in 0..<frame.size.columns {
                let cell = old[column, row + step]
                frame.put(measure.measure(cell.text), column: column, row: row, style: cell.style)
            }
        }
    }

    private func scatter(_ count: Int, over frame: inout Frame, by chances: inout SplitMix64) {
        for _ in 0..<count {
            let column = chances.below(frame.size.columns + 4) - 2
            let row = chances.below(frame.size.rows + 2) - 1
            let style = Self.styles[chances.below(Self.styles.count)]
            let area = Area(
                column: column, row: row, columns: chances.below(20), rows: chances.below(4))
            switch chances.below(8) {
            case 0, 1: frame.clear(area)
            case 2:
                // Up to the last column.
                frame.put(
                    measure.measure(String(repeating: "灯", count: 8)),
                    column: frame.size.columns - 5, row: row, style: style)
            default:
                let text = measure.measure(Self.texts[chances.below(Self.texts.count)])
                frame.put(text, column: column, row: row, style: style)
            }
        }
    }

    private static let texts = [
        "Lantern", "灯台へ行く", "e\u{301}clair a\u{308}", "│ ─ ┌ ┐", "🍣 sushi ⭐", "…", "x", "  ",
        "日本語とASCII", "Straße", "한국어", "₩12,345", "€1,234.56", "====================",
    ]

    private static let styles: [Style] = [
        .plain, .plain, Style(weight: .bold), Style(weight: .reverse), Style(weight: .underline),
        Style(color: Color(rich: 208, basic: 3)), Style(color: Color(rich: 33, basic: 12)),
        Style(color: Color(rich: 9, basic: 9), weight: [.bold, .reverse]),
        Style(color: Color(rich: 245, basic: 8), weight: .dim),
    ]
}
