import Terminal

/// A frame for where there is no terminal.
enum FramePrinter {
    // MARK: - Text with escape sequences (ECMA-48, SGR)

    static func ansi(_ frame: Frame, _ level: ColorLevel) -> String {
        (0..<frame.size.rows).map { number in
            var text = ""
            var style = Style.plain
            for cell in frame.row(number) {
                if cell.style != style {
                    style = cell.style
                    text += select(style, level)
                }
                text += cell.text
            }
            return text + (style == .plain ? "" : "\u{1B}[0m")
        }.joined(separator: "\n")
    }

    private static func select(_ style: Style, _ level: ColorLevel) -> String {
        var codes = ["0"]
        if style.weight.contains(.bold) { codes.append("1") }
        if style.weight.contains(.dim) { codes.append("2") }
        if style.weight.contains(.underline) { codes.append("4") }
        if style.weight.contains(.reverse) { codes.append("7") }
        if let color = style.color {
            switch level {
            case .rich: codes.append("38;5;\(color.rich)")
            case .basic:
                codes.append("\(color.basic < 8 ? 30 + Int(color.basic) : 82 + Int(color.basic))")
            case .mono: break
            }
        }
        return "\u{1B}[\(codes.joined(separator: ";"))m"
    }

    // MARK: - A picture

    private static let cellWidth = 9
    private static let cellHeight = 19

    static func svg(_ frame: Frame) -> String {
        let width = frame.size.columns * cellWidth
        let height = frame.size.rows * cellHeight
        var lines = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" "
                + "font-family=\"ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace\" "
                + "font-size=\"15\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"#16181d\"/>",
        ]
        for row in 0..<frame.size.rows { lines += svgRow(frame, row) }
        return lines.joined(separator: "\n") + "\n</svg>"
    }

    /// Runs of cells that look alike, each at its own column: no font can move what follows.
    private static func svgRow(_ frame: Frame, _ row: Int) -> [String] {
        var lines: [String] = []
        var column = 0
        while column < frame.size.columns {
            let style = frame[column, row].style
            var text = ""
            var end = column
            while end < frame.size.columns, frame[end, row].style == style {
                text += frame[end, row].text
                end += 1
            }
            lines += svgRun(text, style, column, end, row)
            column = end
        }
        return lines
    }

    private static func svgRun(
        _ text: String, _ style: Style, _ column: Int, _ end: Int, _ row: Int
    ) -> [String] {
        let isReverse = style.weight.contains(.reverse)
        let isBlank = text.allSatisfy { $0 == " " }
        guard !isBlank || isReverse else { return [] }
        let color = style.color.map { XtermPalette.hex($0.rich) } ?? "#d7dae0"
        let x = column * cellWidth
        let columns = (end - column) * cellWidth
        var lines: [String] = []
        if isReverse {
            lines.append(
                "<rect x=\"\(x)\" y=\"\(row * cellHeight)\" width=\"\(columns)\" "
                    + "height=\"\(cellHeight)\" fill=\"\(color)\"/>")
        }
        var attributes = "fill=\"\(isReverse ? "#16181d" : color)\""
        if style.weight.contains(.bold) { attributes += " font-weight=\"bold\"" }
        if style.weight.contains(.dim) { attributes += " opacity=\"0.6\"" }
        if style.weight.contains(.underline) { attributes += " text-decoration=\"underline\"" }
        lines.append(
            "<text x=\"\(x)\" y=\"\(row * cellHeight + 14)\" textLength=\"\(columns)\" "
                + "lengthAdjust=\"spacingAndGlyphs\" xml:space=\"preserve\" \(attributes)>"
                + escaped(text) + "</text>")
        return lines
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

/// The colours of xterm's 256.
enum XtermPalette {
    static func hex(_ number: UInt8) -> String {
        let basic = [
            "#000000", "#cd3131", "#0dbc79", "#e5e510", "#2472c8", "#bc3fbc", "#11a8cd", "#e5e5e5",
            "#666666", "#f14c4c", "#23d18b", "#f5f543", "#3b8eea", "#d670d6", "#29b8db", "#ffffff",
        ]
        if number < 16 { return basic[Int(number)] }
        if number >= 232 { return rgb(8 + 10 * (Int(number) - 232), nil, nil) }
        let cube = Int(number) - 16
        let steps = [0, 95, 135, 175, 215, 255]
        return rgb(steps[cube / 36], steps[cube / 6 % 6], steps[cube % 6])
    }

    private static func rgb(_ red: Int, _ green: Int?, _ blue: Int?) -> String {
        "#"
            + [red, green ?? red, blue ?? red].map { part in
                let text = String(part, radix: 16)
                return text.count == 1 ? "0" + text : text
            }.joined()
    }
}
