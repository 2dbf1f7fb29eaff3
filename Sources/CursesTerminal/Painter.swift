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
        if frame == shown, frame.size == size { return false }
        if let shown, shown.size == frame.size, frame.size == size {
            paintChanges(of: frame, since: shown)
        } else {
            ct_erase()
            paintChanges(of: frame, since: Frame(size: frame.size), within: size)
        }
        // A frame for another size was drawn before a resize was heard of: the next one counts.
        shown = frame.size == size ? frame : nil
        return true
    }

    private func paintChanges(of frame: Frame, since last: Frame, within size: Size? = nil) {
        let columns = min(frame.size.columns, size?.columns ?? .max)
        for row in 0..<min(frame.size.rows, size?.rows ?? .max) {
            let first = row * frame.size.columns
            for column in 0..<columns {
                let cell = frame.cells[first + column]
                guard cell.width > 0, cell != last.cells[first + column] else { continue }
                let isTorn =
                    cell.width == 2 && tearsCorner && row == frame.size.rows - 1
                    && column == columns - 3
                put(cell, column, row, room: columns - column, isBlank: isTorn)
            }
        }
    }

    private func put(_ cell: Cell, _ column: Int, _ row: Int, room: Int, isBlank: Bool) {
        var scalars = cell.text.unicodeScalars.makeIterator()
        func next() -> UInt32 { scalars.next()?.value ?? 0 }
        let base = next()
        let (attributes, pair) = look(of: cell.style)
        // ASCII is one column; of the rest only what both measures agree about is safe to put.
        let fits = (0x20..<0x7F).contains(base) || ct_columns(base) == Int32(cell.width)
        if fits, !isBlank, Int(cell.width) <= room {
            ct_put(
                Int32(column), Int32(row), base, next(), next(), next(), next(), attributes, pair)
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
