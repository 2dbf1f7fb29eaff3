import ShopCore
import ShopText
import StoreModel
import Terminal

/// The choice of the error with which the next purchase fails.
enum FailureSheetView: ComponentView {
    static let helpTitle: ScreenText? = .helpFailure

    static let keys: [KeyBinding] =
        [
            KeyBinding("↑↓", [], .selectionMoved(.down)) { _ in .keyMove },
            KeyBinding("Enter", [.enter], .confirmed) { _ in .keyChoose },
            KeyBinding("Esc", [.escape, .character("q")], .wentBack) { _ in
                .keyCancel
            },
        ] + KeyBinding.moves() + [.help]

    static func draw(on canvas: inout Canvas) {
        guard case .failure(let sheet) = canvas.state.sheet else { return }
        canvas.drawFailureSheet(sheet)
    }
}

extension Canvas {
    fileprivate mutating func drawFailureSheet(_ failure: FailureSheet) {
        let choices = FailureSheet.choices
        let shown = min(choices.count, max(3, layout.size.rows - 8))
        var row = openSheet(rows: shown + 3)
        let left = layout.isCompact ? 1 : 3
        put(wording[.nextPurchaseFailsWith], left, row, theme.strong)
        row += 1
        let first = min(max(0, failure.chosen - shown / 2), choices.count - shown)
        for number in first..<(first + shown) {
            let isChosen = number == failure.chosen
            if isChosen {
                put(glyphs.marker, left - 1, row, theme.accent)
                frame.cursor = Position(column: left + 1, row: row)
            }
            put(choices[number].rawValue, left + 1, row, isChosen ? theme.strong : .plain)
            row += 1
        }
    }
}
