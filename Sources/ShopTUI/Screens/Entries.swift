import ShopCore
import ShopText
import Terminal

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
