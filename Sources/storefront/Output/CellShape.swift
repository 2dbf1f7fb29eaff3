import Terminal

/// A character that is drawn as rectangles instead of by a font: a block or a line. Fonts leave
/// gaps between adjacent ones, which would break bars and lines.
struct CellShape {
    /// A rectangle, in cells from the left and from the top of the row.
    struct Area {
        var x: Double
        var y: Double
        var width: Double
        var height: Double
    }

    /// The rectangles in a cell of width 1.
    private let parts: [Area]
    /// Whether it fills its cell from left to right, so that a row of them is one rectangle.
    let continues: Bool

    /// Nil for a character that is drawn by a font.
    init?(_ cell: Cell) {
        guard let scalar = cell.scalar?.value, let parts = Self.parts(scalar) else { return nil }
        self.parts = parts
        continues = parts.count == 1 && parts[0].x == 0 && parts[0].width == 1
    }

    /// The rectangles of the same character in all these columns.
    func areas(from start: Int, to end: Int) -> [Area] {
        parts.map { part in
            var part = part
            part.x += Double(start)
            if continues { part.width = Double(end - start) }
            return part
        }
    }

    private static func parts(_ scalar: UInt32) -> [Area]? {
        switch scalar {
        case 0x2580: return [Area(x: 0, y: 0, width: 1, height: 0.5)]
        // ▁ to █: eighths from below.
        case 0x2581...0x2588:
            let height = Double(scalar - 0x2580) / 8
            return [Area(x: 0, y: 1 - height, width: 1, height: height)]
        // ▉ to ▏: seven eighths to one, from the left.
        case 0x2589...0x258F:
            return [Area(x: 0, y: 0, width: Double(0x2590 - scalar) / 8, height: 1)]
        case 0x2590: return [Area(x: 0.5, y: 0, width: 0.5, height: 1)]
        default: return arms[scalar].map { arms in lines(arms) }
        }
    }

    private struct Arms: OptionSet {
        let rawValue: UInt8
        static let left = Arms(rawValue: 1)
        static let right = Arms(rawValue: 2)
        static let up = Arms(rawValue: 4)
        static let down = Arms(rawValue: 8)
    }

    /// The directions in which the light lines leave the middle of their cell. Round corners are
    /// drawn as square ones.
    private static let arms: [UInt32: Arms] = [
        0x2500: [.left, .right], 0x2502: [.up, .down], 0x250C: [.right, .down],
        0x2510: [.left, .down], 0x2514: [.right, .up], 0x2518: [.left, .up],
        0x251C: [.up, .down, .right], 0x2524: [.up, .down, .left],
        0x252C: [.left, .right, .down], 0x2534: [.left, .right, .up],
        0x253C: [.left, .right, .up, .down], 0x256D: [.right, .down], 0x256E: [.left, .down],
        0x256F: [.left, .up], 0x2570: [.right, .up],
    ]

    /// The thickness of a line: one pixel of a cell of 9 by 19.
    private static let (thickness, thicknessDown) = (1.0 / 9, 1.0 / 19)
    /// The left and upper edges of lines in a cell, so that lines cover whole pixels.
    private static let (middle, middleDown) = (4.0 / 9, 9.0 / 19)

    private static func lines(_ arms: Arms) -> [Area] {
        var areas: [Area] = []
        if !arms.isDisjoint(with: [.left, .right]) {
            let start = arms.contains(.left) ? 0 : middle
            let end = arms.contains(.right) ? 1 : middle + thickness
            areas.append(Area(x: start, y: middleDown, width: end - start, height: thicknessDown))
        }
        if !arms.isDisjoint(with: [.up, .down]) {
            let start = arms.contains(.up) ? 0 : middleDown
            let end = arms.contains(.down) ? 1 : middleDown + thicknessDown
            areas.append(Area(x: middle, y: start, width: thickness, height: end - start))
        }
        return areas
    }
}
