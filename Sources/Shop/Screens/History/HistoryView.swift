import ShopText
import StoreModel
import Terminal

extension HistoryScreen: ComponentView {
    static let helpTitle: KeyText? = .helpHistory
    static let endsInRowCount = true

    static let keys: [KeyBinding] =
        [
            .inspect, .unzoom, .refund, .renew, .expire, .mark, .subscription, .search, .cycleGroup,
            .copyIdentifier, .copySignedText, .claim, .delete,
            KeyBinding("Esc", [.escape], names: [.back], .wentBack) { $0.clearsLog ?? .keyShop },
            KeyBinding(
                .nextMatch, .eventLog(.matchMoved(.down)), .keyNextMatch,
                isUseful: { $0.isLogFiltered }),
            KeyBinding(
                .previousMatch, .eventLog(.matchMoved(.up)), .keyPreviousMatch,
                isUseful: { $0.isLogFiltered }),
            .palette, .openConsole, .quit, .sort, .zoom, .pointer, .next, .previous,
        ] + KeyBinding.moves() + KeyBinding.views + [.help]

    static func draw(on canvas: inout Canvas) { canvas.drawHistory() }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        Scrolling(rows: max(1, canvas.layout.body.rows - 1))
    }
}

extension Canvas {
    /// Where there is room, with the details of the selection at the right.
    fileprivate mutating func drawHistory() {
        let body = layout.body
        let isBeside = layout.isBeside
        let end = isBeside ? body.columns * 60 / 100 : body.columns
        let left = body.column + layout.margin
        // The heading is left out first: the header names the view, but not the age and the filter.
        let (heading, note) = (strings[.historyHeading], note(on: state.history))
        let fits = left + columns(heading) + 2 + columns(note) <= end
        let at = fits ? put(heading, left, body.row, theme.quiet.bold, before: end) + 2 : left
        putRight(note, before: end, body.row, theme.quiet, from: at)
        drawLines(
            of: state.history,
            in: Area(column: left, row: body.row + 1, columns: end - left, rows: body.rows - 1),
            showsSelection: true, hasFocus: true, showsAccounts: false)
        guard isBeside else { return }
        for row in body.row..<(body.row + body.rows) {
            put(glyphs.divider, end + 1, row, theme.quiet)
        }
        drawDetails(
            in: Area(
                column: end + 3, row: body.row, columns: body.columns - end - 3, rows: body.rows))
    }
}
