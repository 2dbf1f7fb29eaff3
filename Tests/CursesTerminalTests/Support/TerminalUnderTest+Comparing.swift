import CEmulator
import CTerminal
import CursesTerminal
import Glibc
import Terminal
import TerminalTestSupport

/// The same text measure that FramePainter uses.
let terminalMeasure: TextMeasure = {
    setlocale(LC_CTYPE, "C.UTF-8")
    return .ofTerminal(isASCII: false)
}()

extension TerminalUnderTest {
    /// A line for each cell that differs, and for the cursor; empty if all are equal.
    func differences(from frame: Frame, colors: ColorLevel = .rich, count: Int = 256) -> [String] {
        var found: [String] = []
        for row in 0..<frame.size.rows {
            for column in 0..<frame.size.columns {
                let wanted = frame[column, row]
                guard wanted.width > 0 else { continue }
                let expected = Appearance(wanted, frame.page, colors: colors, count: count)
                let shown = Appearance(cell(column, row))
                if shown != expected {
                    found.append("\(column), \(row): \(shown), not \(expected)")
                }
            }
        }
        if let place = frame.cursor, place != cursor {
            found.append("cursor: \(cursor), not \(place)")
        }
        if isCursorVisible != frame.isCursorVisible { found.append("cursor's visibility") }
        return found
    }
}

/// The visible properties of a cell.
private struct Appearance: Equatable {
    var text: [UInt32]
    var width: Int
    var color = -1
    var background = -1
    var isBold = false
    var isUnderlined: Bool
    var isReverse: Bool

    init(_ cell: Cell, _ page: PageColors?, colors: ColorLevel, count: Int) {
        text = cell.text.unicodeScalars.map(\.value)
        width = Int(cell.width)
        isUnderlined = cell.style.weight.contains(.underline)
        isReverse = cell.style.weight.contains(.reverse)
        isBold = cell.style.weight.contains(.bold)
        switch (colors, cell.style.color) {
        case (.mono, _), (.basic, nil): color = -1
        case (.rich, nil), (.trueColor, nil): color = page.map { Int($0.text.rich) } ?? -1
        case (.rich, let wanted?), (.trueColor, let wanted?): color = Int(wanted.rich)
        case (.basic, let wanted?) where count < 16 && wanted.basic > 7:
            color = Int(wanted.basic) - 8
            isBold = true
        case (.basic, let wanted?): color = Int(wanted.basic)
        }
        if colors == .rich, let page { background = Int(page.background.rich) }
        ignoreInvisibleStyle()
    }

    init(_ cell: ce_cell) {
        let scalars = [
            cell.scalars.0, cell.scalars.1, cell.scalars.2, cell.scalars.3, cell.scalars.4,
            cell.scalars.5,
        ].prefix { $0 != 0 }
        text = scalars.isEmpty ? [0x20] : Array(scalars)
        width = Int(cell.width)
        color = Int(cell.color)
        background = Int(cell.background)
        isBold = cell.isBold
        isUnderlined = cell.isUnderlined
        isReverse = cell.isReverse
        ignoreInvisibleStyle()
    }

    private mutating func ignoreInvisibleStyle() {
        guard text == [0x20] else { return }
        isBold = false
        if !isReverse, !isUnderlined { color = -1 }
    }
}
