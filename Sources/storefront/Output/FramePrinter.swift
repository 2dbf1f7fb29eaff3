import Shop
import Terminal

/// A frame as text or as a picture, in the colours of the theme that it was drawn in.
struct FramePrinter {
    let frame: Frame
    let theme: Theme

    // MARK: - Text with escape sequences (ECMA-48, SGR)

    /// A theme without its own background leaves uncoloured text in the terminal's colours.
    func ansi() -> String {
        (0..<frame.size.rows).map { number in
            var text = ""
            var style: Style? = frame.page == nil ? .plain : nil
            for cell in frame.row(number) {
                if cell.style != style {
                    style = cell.style
                    text += select(cell.style)
                }
                text += cell.text
            }
            return text + (frame.page == nil && style == .plain ? "" : "\u{1B}[0m")
        }.joined(separator: "\n")
    }

    private func select(_ style: Style) -> String {
        var codes = ["0"]
        if style.weight.contains(.bold) { codes.append("1") }
        if style.weight.contains(.dim) { codes.append("2") }
        if style.weight.contains(.underline) { codes.append("4") }
        if style.weight.contains(.reverse) { codes.append("7") }
        if let color = style.color ?? frame.page?.text { codes += code(color, base: 30) }
        if let page = frame.page { codes += code(page.background, base: 40) }
        return "\u{1B}[\(codes.joined(separator: ";"))m"
    }

    /// - Parameter base: 30 for text, 40 for the background.
    private func code(_ color: Color, base: Int) -> [String] {
        switch theme.level {
        case .mono: return []
        case .basic:
            // The eight bright colours have codes that are 60 higher (aixterm).
            let number = Int(color.basic)
            return ["\(number < 8 ? base + number : base + 60 + number - 8)"]
        case .rich: return ["\(base + 8);5;\(color.rich)"]
        case .trueColor:
            let rgb = theme.rgb(of: color)
            return ["\(base + 8);2;\(rgb.red);\(rgb.green);\(rgb.blue)"]
        }
    }

    // MARK: - A picture

    private static let cellWidth = 9
    private static let cellHeight = 19
    private static let margin = 16
    /// From the top of a cell to the baseline of its letters.
    private static let baseline = 14

    func svg() -> String {
        let width = frame.size.columns * Self.cellWidth + 2 * Self.margin
        let height = frame.size.rows * Self.cellHeight + 2 * Self.margin
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\" "
                + "viewBox=\"0 0 \(width) \(height)\" "
                + "font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\" "
                + "font-size=\"15\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"\(theme.pageBackground.hex)\"/>",
            "<g transform=\"translate(\(Self.margin) \(Self.margin))\">",
        ]
        for row in 0..<frame.size.rows { lines += svgRow(row) }
        return lines.joined(separator: "\n") + "\n</g>\n</svg>"
    }

    /// The runs of cells with the same style in one row.
    private func svgRow(_ row: Int) -> [String] {
        var lines: [String] = []
        var column = 0
        while column < frame.size.columns {
            let style = frame[column, row].style
            var end = column + 1
            while end < frame.size.columns, frame[end, row].style == style { end += 1 }
            lines += svgRun(style, column..<end, row)
            column = end
        }
        return lines
    }

    private func svgRun(_ style: Style, _ columns: Range<Int>, _ row: Int) -> [String] {
        let isReverse = style.weight.contains(.reverse)
        let color = (style.color.map { theme.rgb(of: $0) } ?? theme.pageText).hex
        let ink = isReverse ? theme.pageBackground.hex : color
        let opacity = style.weight.contains(.dim) ? " opacity=\"0.7\"" : ""
        var lines: [String] = []
        if isReverse {
            lines.append(
                Self.rectangle(
                    Double(columns.lowerBound * Self.cellWidth), Double(row * Self.cellHeight),
                    Double(columns.count * Self.cellWidth), Double(Self.cellHeight),
                    "fill=\"\(color)\"\(opacity)"))
        }
        var column = columns.lowerBound
        while column < columns.upperBound {
            let first = frame[column, row]
            if let shapes = CellShape(first) {
                var end = column + 1
                while shapes.continues, end < columns.upperBound, frame[end, row].text == first.text
                {
                    end += 1
                }
                lines += shapes.areas(from: column, to: end).map { area in
                    Self.rectangle(
                        area.x * Double(Self.cellWidth),
                        (Double(row) + area.y) * Double(Self.cellHeight),
                        area.width * Double(Self.cellWidth), area.height * Double(Self.cellHeight),
                        "fill=\"\(ink)\"\(opacity)")
                }
                column = end
            } else if first.text == " " {
                column += 1
            } else {
                let text = words(from: column, in: columns, row)
                lines.append(svgText(text, style, "fill=\"\(ink)\"\(opacity)", column, row))
                column += text.columns
            }
        }
        return lines
    }

    private static func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ attributes: String
    ) -> String {
        "<rect x=\"\(short(x))\" y=\"\(short(y))\" width=\"\(short(width))\" "
            + "height=\"\(short(height))\" shape-rendering=\"crispEdges\" \(attributes)/>"
    }

    /// A number with up to three decimals.
    private static func short(_ number: Double) -> String {
        let rounded = (number * 1000).rounded() / 1000
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }

    /// The text up to the next gap of two spaces, or the next cell that is drawn as rectangles.
    /// What follows gets its own x coordinate, so that a font's widths cannot shift it.
    private func words(
        from column: Int, in columns: Range<Int>, _ row: Int
    ) -> (text: String, columns: Int) {
        var text = ""
        var end = column
        while end < columns.upperBound {
            let cell = frame[end, row]
            let isGap =
                cell.text == " "
                && (end + 1 == columns.upperBound || frame[end + 1, row].text == " "
                    || CellShape(frame[end + 1, row]) != nil)
            if isGap || CellShape(cell) != nil { break }
            text += cell.text
            end += 1
        }
        return (text, end - column)
    }

    private func svgText(
        _ text: (text: String, columns: Int), _ style: Style, _ attributes: String, _ column: Int,
        _ row: Int
    ) -> String {
        var attributes = attributes
        if style.weight.contains(.bold) { attributes += " font-weight=\"bold\"" }
        if style.weight.contains(.underline) { attributes += " text-decoration=\"underline\"" }
        // Characters outside ASCII often come from another font with other widths: `lengthAdjust`
        // changes the space between the letters and leaves the letters as they are.
        if !text.text.utf8.allSatisfy({ $0 < 0x80 }) {
            attributes +=
                " textLength=\"\(text.columns * Self.cellWidth)\" lengthAdjust=\"spacing\""
        }
        return "<text x=\"\(column * Self.cellWidth)\" "
            + "y=\"\(row * Self.cellHeight + Self.baseline)\" xml:space=\"preserve\" "
            + "\(attributes)>\(Self.escaped(text.text))</text>"
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            default: result.append(character)
            }
        }
        return result
    }
}
