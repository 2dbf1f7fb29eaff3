/// Everything a terminal shows at one moment: a value. Each row's widths add up to its columns,
/// whatever is put into it, and no cell holds a control character.
package struct Frame: Hashable, Sendable {
    package let size: Size
    package private(set) var cells: [Cell]
    /// Where the terminal's cursor rests: on what is selected, so that a screen reader follows it.
    package var cursor: Position?
    /// Shown as a cursor only where text is typed.
    package var isCursorVisible = false

    package init(size: Size) {
        self.size = size
        cells = Array(repeating: .blank, count: size.columns * size.rows)
    }

    package subscript(column: Int, row: Int) -> Cell { cells[row * size.columns + column] }

    package func row(_ row: Int) -> ArraySlice<Cell> {
        cells[(row * size.columns)..<((row + 1) * size.columns)]
    }

    /// Puts text on one row from a column on; what would pass `end` is left out, and half a wide
    /// character is never put. Returns the column after the last one written.
    @discardableResult
    package mutating func put(
        _ text: MeasuredText, column: Int, row: Int, style: Style = .plain, before end: Int? = nil
    ) -> Int {
        let limit = min(end ?? size.columns, size.columns)
        guard row >= 0, row < size.rows else { return column }
        var at = column
        for glyph in text.glyphs {
            let width = Int(glyph.width)
            if at + width > limit { break }
            if at >= 0 { set(glyph, at: at, row: row, style: style) }
            at += width
        }
        return at
    }

    /// Empties an area.
    package mutating func clear(_ area: Area) {
        for row in max(0, area.row)..<max(max(0, area.row), min(area.row + area.rows, size.rows)) {
            let first = max(0, area.column)
            let last = min(area.column + area.columns, size.columns)
            for column in first..<max(first, last) {
                set(Glyph(text: " ", width: 1), at: column, row: row, style: .plain)
            }
        }
    }

    private mutating func set(_ glyph: Glyph, at column: Int, row: Int, style: Style) {
        let index = row * size.columns + column
        mendNeighbours(of: index, width: Int(glyph.width), column: column)
        cells[index] = Cell(glyph.code, width: glyph.width, style: style)
        if glyph.width == 2 { cells[index + 1] = Cell(.nothing, width: 0, style: style) }
    }

    /// What is put over half a wide character leaves a blank in its other half.
    private mutating func mendNeighbours(of index: Int, width: Int, column: Int) {
        if cells[index].width == 0, column > 0 {
            cells[index - 1] = Cell(.space, width: 1, style: cells[index - 1].style)
        }
        let after = index + width
        if column + width < size.columns, cells[after].width == 0 {
            cells[after] = Cell(.space, width: 1, style: cells[after].style)
        }
    }

    // MARK: - Reading

    /// The places, in `cells`, that differ from a frame of the same size, in order. Here, because
    /// comparing thousands of cells from another module takes several times as long.
    package func changes(since last: Frame) -> [Int] {
        guard size == last.size else { return Array(cells.indices) }
        var changes: [Int] = []
        cells.withUnsafeBufferPointer { cells in
            last.cells.withUnsafeBufferPointer { last in
                for index in 0..<cells.count where cells[index] != last[index] {
                    changes.append(index)
                }
            }
        }
        return changes
    }

    /// The rows as text, spaces at the end left out.
    package var lines: [String] {
        (0..<size.rows).map { number in
            var line = row(number).map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    package var text: String { lines.joined(separator: "\n") }
}
