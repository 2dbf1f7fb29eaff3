import ShopText
import StoreModel
import Terminal

/// The latest events of the store, below the page on a large screen.
enum ActivityView {
    /// The number of rows of the activity, with the line above it; 0 if the page leaves too few.
    static func rows(_ layout: Layout, left: Int) -> Int {
        left < 5 ? 0 : min(14, max(6, layout.body.rows / 3), left)
    }
}

extension Canvas {
    mutating func drawActivity() {
        guard activityRows > 0 else { return }
        let page = layout.page
        let rows = activityRows
        let end = page.column + page.columns
        var row = page.row + page.rows - rows
        rule(row, from: page.column, to: end)
        row += 1
        put(strings[.activity].uppercased(), page.column, row, theme.quiet.bold, before: end)
        row += 1
        if state.console.log.lines.isEmpty {
            let isFiltered = state.console.log.isFiltered
            put(
                strings[isFiltered ? .noEventMatches : .noEvents], page.column, row, theme.quiet,
                before: end)
        }
        let lines = state.console.log.lines.prefix(rows - 2)
        let times = lines.map { strings.lineTime($0.at) }
        let accounts = lines.map { line in
            if case .event(let event) = line { event.account?.rawValue ?? "" } else { "" }
        }
        let timeColumns = times.map { columns($0) }.max() ?? 0
        let accountColumns = min(8, accounts.map { columns($0) }.max() ?? 0)
        let kind = page.column + timeColumns + 1 + accountColumns + (accountColumns > 0 ? 1 : 0)
        for ((line, time), account) in zip(zip(lines, times), accounts) {
            put(time, page.column, row, theme.quiet, before: end)
            put(
                account, page.column + timeColumns + 1, row, theme.quiet,
                before: min(kind - 1, end))
            let text = strings.line(line, state, theme)
            put(text.kind, kind, row, text.style, before: min(kind + 9, end))
            put(text, kind + 10, row, .plain, before: end)
            row += 1
        }
    }
}
