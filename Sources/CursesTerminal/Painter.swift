import CTerminal
import Terminal

/// Brings frames onto the curses screen: only the cells that differ from the frame before.
struct Painter {
    private let colors: ColorLevel
    /// Eight colours: the bright ones are the plain ones in bold.
    private let hasOnlyEight: Bool
    private let tearsCorner: Bool
    /// Nil when nothing is known of the screen: everything is painted.
    private var shown: Frame?

    init(colors: ColorLevel, colorCount: Int) {
        self.colors = colors
        hasOnlyEight = colorCount < 16
        tearsCorner = ct_tears_corner()
    }

    mutating func forget() { shown = nil }

    /// Whether the terminal has to be updated at all.
    mutating func paint(_ frame: Frame, on size: Size) -> Bool {
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
        // A frame for another size was drawn before a resize was heard of: the next one counts.
        shown = frame.size == size ? frame : nil
        return true
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
        let (attributes, pair) = look(of: cell.style)
        let text = cell.scalar == nil ? Array(cell.text.unicodeScalars.map(\.value)) : []
        let base = cell.scalar?.value ?? text.first ?? 0
        func mark(_ number: Int) -> UInt32 { number < text.count ? text[number] : 0 }
        // ASCII is one column; of the rest only what both measures agree about is safe to put.
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

    private func look(of style: Style) -> (attributes: Int32, pair: Int32) {
        // The values are the same by design; `Style.Weight` is what names them.
        let weight = Int32(style.weight.rawValue)
        guard let color = style.color else { return (weight, 0) }
        switch colors {
        case .mono: return (weight, 0)
        case .rich: return (weight, ct_pair(Int32(color.rich)))
        case .basic:
            guard hasOnlyEight, color.basic > 7 else {
                return (weight, ct_pair(Int32(color.basic)))
            }
            return (weight | Int32(Style.Weight.bold.rawValue), ct_pair(Int32(color.basic) - 8))
        }
    }
}
