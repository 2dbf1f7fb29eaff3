import ShopText
import StoreModel
import Terminal

extension RedeemSheet: ComponentView {
    static let helpTitle: KeyText? = .helpRedeem

    static let keys: [KeyBinding] = [
        KeyBinding("Enter", [.enter], .confirmed) { _ in .keyRedeem },
        KeyBinding("Esc", [.escape], .wentBack) { _ in .keyCancel },
    ]

    static func draw(on canvas: inout Canvas) {
        guard case .redeem(let sheet) = canvas.state.sheet else { return }
        canvas.drawRedeemSheet(sheet)
    }

    static func typed(_ text: String) -> ShopAction? { .redeemSheet(.typed(text)) }
    static var erased: ShopAction? { .redeemSheet(.erased) }

    static func rows(_ sheet: Sheet, on canvas: Canvas) -> Int {
        guard case .redeem(let redeem) = sheet else { return 0 }
        return 3 + canvas.redeemNotes(redeem).lines.count
    }
}

extension Canvas {
    fileprivate mutating func drawRedeemSheet(_ redeem: RedeemSheet) {
        let notes = redeemNotes(redeem)
        var row = openSheet(rows: 3 + notes.lines.count)
        let left = layout.isCompact ? 1 : 3
        put(strings[.redeemTitle], left, row, theme.strong, before: layout.columns)
        row += 1
        let prompt = put(strings[.codeFact], left, row, theme.quiet, before: layout.columns) + 2
        // Where the code is longer than the field, its end is shown, because the cursor is there.
        var shown = redeem.code
        while !shown.isEmpty, columns(shown) > layout.columns - prompt - 2 {
            shown = String(shown.dropFirst())
        }
        let at = put(shown, prompt, row, theme.strong, before: layout.columns - 1)
        frame.cursor = Position(column: min(at, layout.columns - 1), row: row)
        frame.isCursorVisible = true
        row += 1
        for line in notes.lines {
            frame.put(line, column: left, row: row, style: notes.style, before: layout.columns)
            row += 1
        }
    }

    /// The error of the last code, otherwise a hint.
    fileprivate func redeemNotes(_ redeem: RedeemSheet) -> (lines: [MeasuredText], style: Style) {
        let width = layout.columns - (layout.isCompact ? 2 : 6)
        let product = redeem.error?.productID.map { state.name(of: $0) }
        if let error = redeem.error {
            let text = strings.line(error, of: product)
            return (Array(measure.wrap(text, columns: width).prefix(3)), theme.bad)
        }
        let text = strings[redeem.isAsking ? .lookingUpCode : .redeemNote]
        return (
            Array(measure.wrap(text, columns: width).prefix(2)),
            redeem.isAsking ? theme.waiting : theme.quiet
        )
    }
}
