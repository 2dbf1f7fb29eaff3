import CTerminal
import Terminal

/// Draws frames on the curses screen: only the cells that differ from the previous frame.
struct Painter {
    private let colors: ColorLevel
    /// Whether the terminal has only eight colours: bright colours are then shown as plain ones in
    /// bold.
    private let hasOnlyEight: Bool
    /// See `ct_tears_corner`.
    private let tearsCorner: Bool
    /// Nil if the screen is unknown, and the next frame is then painted in full.
    private var shown: Frame?
    /// As last passed to curses.
    private var page: PageColors?

    init(colors: ColorLevel, colorCount: Int) {
        self.colors = colors
        hasOnlyEight = colorCount < 16
        tearsCorner = ct_tears_corner()
    }

    /// Makes the next `paint` draw every cell.
    mutating func forget() { shown = nil }

    /// Returns whether the terminal has to be updated.
    mutating func paint(_ frame: Frame, on size: Size) -> Bool {
        setPage(frame.page)
        if let shown, shown.size == frame.size, frame.size == size {
            let changes = frame.changes(since: shown)
            if changes.isEmpty, frame.cursor == shown.cursor,
                frame.isCursorVisible == shown.isCursorVisible
            {
                return false
            }
            paint(changes, of: frame, within: size)
        } else {
            ct_erase()
            paint(frame.changes(since: Frame(size: frame.size)), of: frame, within: size)
        }
        // A frame of another size was drawn before the resize was known. The part that fits is
        // painted, and the next frame is painted in full.
        shown = frame.size == size ? frame : nil
        return true
    }

    /// A change repaints the whole screen.
    private mutating func setPage(_ wanted: PageColors?) {
        guard colors == .rich, wanted != page else { return }
        page = wanted
        shown = nil
        ct_page_colors(
            wanted.map { Int32($0.text.rich) } ?? -1,
            wanted.map { Int32($0.background.rich) } ?? -1)
    }

    private func paint(_ changes: [Int], of frame: Frame, within size: Size) {
        let columns = min(frame.size.columns, size.columns)
        for index in changes {
            let (row, column) = index.quotientAndRemainder(dividingBy: frame.size.columns)
            let cell = frame.cells[index]
            guard cell.width > 0, column < columns, row < size.rows else { continue }
            let isTorn =
                cell.width == 2 && tearsCorner && row == frame.size.rows - 1
                && column == columns - 3
            put(cell, column, row, room: columns - column, isBlank: isTorn)
        }
    }

    private func put(_ cell: Cell, _ column: Int, _ row: Int, room: Int, isBlank: Bool) {
        let (attributes, pair) = cursesStyle(of: cell.style)
        let text = cell.scalar == nil ? Array(cell.text.unicodeScalars.map(\.value)) : []
        let base = cell.scalar?.value ?? text.first ?? 0
        func mark(_ number: Int) -> UInt32 { number < text.count ? text[number] : 0 }
        // Draws a character only if ncurses gives it the same width as the frame does: otherwise
        // the rest of the row would shift. ASCII is always one column.
        let fits = (0x20..<0x7F).contains(base) || ct_columns(base) == Int32(cell.width)
        if fits, !isBlank, Int(cell.width) <= room {
            ct_put(
                Int32(column), Int32(row), base, mark(1), mark(2), mark(3), mark(4), attributes,
                pair)
            return
        }
        for half in 0..<min(Int(cell.width), room) {
            ct_put(Int32(column + half), Int32(row), 0x20, 0, 0, 0, 0, attributes, pair)
        }
    }

    private func cursesStyle(of style: Style) -> (attributes: Int32, pair: Int32) {
        // The raw values of `Style.Weight` are those of `CT_BOLD` and so on.
        let weight = Int32(style.weight.rawValue)
        guard let color = style.color else { return (weight, 0) }
        switch colors {
        case .mono: return (weight, 0)
        case .rich, .trueColor: return (weight, ct_pair(Int32(color.rich)))
        case .basic:
            guard hasOnlyEight, color.basic > 7 else {
                return (weight, ct_pair(Int32(color.basic)))
            }
            return (weight | Int32(Style.Weight.bold.rawValue), ct_pair(Int32(color.basic) - 8))
        }
    }
}
