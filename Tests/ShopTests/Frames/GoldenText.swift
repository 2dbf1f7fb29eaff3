@testable import Shop
import Terminal

/// A frame as readable lines: its text, and one letter for the style of each cell.
enum GoldenText {
    static func lines(_ frame: Frame) -> [String] { frame.lines.map { "|" + $0 } }

    /// One letter for each cell's style: a dot for plain, left out at the end of a line.
    static func styles(_ frame: Frame) -> [String] {
        (0..<frame.size.rows).map { number in
            var line = frame.row(number).map { letter($0.style) }
            while line.last == "." { line.removeLast() }
            return "|" + line.joined()
        }
    }

    static func cursor(_ frame: Frame) -> String {
        let place = frame.cursor.map { "column \($0.column), row \($0.row)" } ?? "nowhere"
        return "cursor: \(place)\(frame.isCursorVisible ? ", visible" : "")"
    }

    static let legend =
        "looks: . plain  B bold  d quiet  h quiet bold  R reverse;  in colour: A accent bold  "
        + "C accent reverse  b accent  g good  w waiting  r wrong  F fault reverse  ? none of these"

    /// Every style of every theme: its colour's number and weight, and the RGB of printed frames.
    static var themes: [String] {
        var lines = [
            "Each style of each theme: its colour and weight; - is the terminal's own colour of text."
        ]
        for shown in ThemeTests.cases {
            let theme = shown.theme
            let page = theme.page.map {
                ", text \(color($0.text, theme)) on \(color($0.background, theme))"
            }
            lines += ["", "\(shown.testDescription)\(page ?? "")"]
            lines += theme.styles.map { name, style in
                let weights = [(Style.Weight.bold, "bold"), (.dim, "dim"), (.reverse, "reverse")]
                    .filter { style.weight.contains($0.0) }.map(\.1)
                let written = style.color.map { color($0, theme) } ?? "-"
                return "  \(name): \(([written] + weights).joined(separator: " "))"
            }
        }
        return lines
    }

    private static func color(_ color: Color, _ theme: Theme) -> String {
        switch theme.level {
        case .mono: "-"
        case .basic: "\(color.basic)"
        case .rich: "\(color.rich)"
        case .trueColor: theme.rgb(of: color).hex
        }
    }

    private static func letter(_ style: Style) -> String {
        switch (style.color?.rich, style.weight) {
        case (nil, []): "."
        case (nil, .bold): "B"
        case (nil, .dim), (246, []): "d"
        case (nil, [.dim, .bold]), (246, .bold): "h"
        case (nil, .reverse): "R"
        case (39, .bold): "A"
        case (39, .reverse): "C"
        case (39, []): "b"
        case (71, []): "g"
        case (178, []): "w"
        case (203, []): "r"
        case (203, .reverse): "F"
        default: "?"
        }
    }
}
