/// The whole content of a terminal's screen at one moment. The widths of a row's cells always add
/// up to the frame's columns, and no cell has a control character.
package struct Frame: Hashable, Sendable {
    package let size: Size
    /// Row by row from the top.
    package private(set) var cells: [Cell]
    /// The cell of the terminal's cursor: the selected one, so that a screen reader follows it. Nil
    /// puts the cursor into the upper left corner.
    package var cursor: Position?
    /// Set only while text is typed.
    package var isCursorVisible = false
    /// The colours of all cells that do not set their own; nil for the terminal's. Terminals with
    /// fewer than 256 colours use their own.
    package var page: PageColors?

    package init(size: Size, page: PageColors? = nil) {
        self.size = size
        self.page = page
        cells = Array(repeating: .blank, count: size.columns * size.rows)
    }

    /// Both from 0 and inside the frame.
    package subscript(column: Int, row: Int) -> Cell { cells[row * size.columns + column] }

    package func row(_ row: Int) -> ArraySlice<Cell> {
        cells[(row * size.columns)..<((row + 1) * size.columns)]
    }

    /// Characters that do not fit entirely before `end` and the frame's edge are left out, and so
    /// are characters before column 0. Does nothing for a row outside the frame.
    ///
    /// - Returns: the column after the last character, or `column` for a row outside the frame.
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

    /// Fills the part of the area that is inside the frame.
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

    /// Blanks the remaining half of each wide character of which one half will be overwritten.
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

    /// The indices in `cells` that differ from another frame, ascending; all indices if the sizes
    /// differ. The function is in this module because comparing thousands of cells across a module
    /// boundary takes several times as long.
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

    /// From the top, without spaces at their ends.
    package var lines: [String] {
        (0..<size.rows).map { number in
            var line = row(number).map(\.text).joined()
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    package var text: String { lines.joined(separator: "\n") }
}
