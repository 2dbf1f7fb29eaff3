import ShopCore
import ShopText
import StoreModel
import Terminal

/// The latest events of the store, below the page on a large screen.
enum ActivityView {
    /// Its rows with the line above it.
    static func rows(_ layout: Layout) -> Int { min(14, max(6, layout.body.rows / 3)) }
}

extension Canvas {
    mutating func drawActivity() {
        let page = layout.page
        let rows = ActivityView.rows(layout)
        let end = page.column + page.columns
        var row = page.row + page.rows - rows
        rule(row, from: page.column, to: end)
        row += 1
        put(wording[.activity].uppercased(), page.column, row, theme.quiet.bold, before: end)
        row += 1
        if state.console.log.lines.isEmpty {
            let isFiltered = state.console.log.isFiltered
            put(
                wording[isFiltered ? .noEventMatches : .noEvents], page.column, row, theme.quiet,
                before: end)
        }
        for line in state.console.log.lines.prefix(rows - 2) {
            var at = put(wording.lineTime(line.at), page.column, row, theme.quiet, before: end) + 1
            if case .event(let event) = line, let account = event.account {
                at = put(account.rawValue, at, row, theme.quiet, before: min(at + 8, end)) + 1
            }
            let text = wording.line(line, state, theme)
            at = put(text.kind, at, row, text.style, before: min(at + 10, end)) + 1
            put(text.text, at, row, .plain, before: end)
            row += 1
        }
    }
}
