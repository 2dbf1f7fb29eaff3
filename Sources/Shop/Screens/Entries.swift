import ShopText
import Terminal

extension Canvas {
    /// With the cursor at its end. Returns the column after the line.
    ///
    /// - Parameter hint: drawn while the filter is empty.
    mutating func drawFilter(
        _ prompt: String, _ filter: String, _ column: Int, _ row: Int, hint: String
    ) -> Int {
        let at = put(prompt + filter, column, row, theme.strong)
        frame.cursor = Position(column: min(at, layout.columns - 1), row: row)
        frame.isCursorVisible = true
        guard filter.isEmpty else { return at }
        return put(hint, at + 1, row, theme.quiet)
    }

    /// On the chosen line of a list, from the first movement until something is typed again: a
    /// screen reader reads where the cursor is.
    mutating func putCursor(on list: EntryList, _ column: Int, _ row: Int) {
        guard list.scroll != nil else { return }
        frame.cursor = Position(column: min(column, layout.columns - 1), row: row)
        frame.isCursorVisible = false
    }

    /// In ASCII on a terminal without Unicode; in lines only what can be typed there.
    func label(_ binding: KeyBinding) -> String {
        let label = binding.label(state.own.keys)
        if layout.isLinear, !OwnKeys.isTyped(label) { return "" }
        return glyphs.isASCII ? KeyLabels.ascii(label) : label
    }
}
