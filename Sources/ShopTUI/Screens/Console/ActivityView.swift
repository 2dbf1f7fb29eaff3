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
        if state.console.events.isEmpty {
            put(wording[.noEvents], page.column, row, theme.quiet, before: end)
        }
        for event in state.console.events.prefix(rows - 2) {
            var at = put(strings.formatters.time(event.at), page.column, row, theme.quiet) + 1
            if let account = event.account {
                at = put(account.rawValue, at, row, theme.quiet, before: at + 8) + 1
            }
            let (kind, text, style) = wording.event(event, state, theme)
            at = put(kind, at, row, style, before: min(at + 10, end)) + 1
            put(text, at, row, .plain, before: end)
            row += 1
        }
    }
}
