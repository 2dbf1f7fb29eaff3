import ShopCore
import ShopText
import Terminal

/// The words of a filter. They match in any order, without case, accents and width.
struct Filter {
    private let words: [Substring]

    init(_ text: String) {
        words = SearchIndex.fold(text).split(whereSeparator: \.isWhitespace)
    }

    /// Whether every word is found in these texts together.
    func matches(_ texts: [String]) -> Bool {
        guard !words.isEmpty else { return true }
        let folded = SearchIndex.fold(texts.joined(separator: " "))
        return words.allSatisfy { folded.contains($0) }
    }
}

extension Canvas {
    /// Draws the line that a filter is typed into, with the cursor at its end. Returns the column
    /// after it.
    mutating func drawFilter(_ prompt: String, _ filter: String, _ column: Int, _ row: Int) -> Int {
        let at = put(prompt + filter, column, row, theme.strong)
        frame.cursor = Position(column: min(at, layout.columns - 1), row: row)
        frame.isCursorVisible = true
        guard filter.isEmpty else { return at }
        return put(wording[.typeToFilter], at + 1, row, theme.quiet)
    }

    /// A key's name on this terminal.
    func label(_ binding: KeyBinding) -> String {
        glyphs.isASCII ? KeyLabels.ascii(binding.label) : binding.label
    }
}
