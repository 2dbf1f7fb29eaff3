import ShopText
import StoreModel
import Terminal

extension FailureSheet: ComponentView {
    static let helpTitle: KeyText? = .helpFailure

    static let keys: [KeyBinding] =
        [
            KeyBinding("Enter", [.enter], .confirmed) { _ in .keyChoose },
            KeyBinding("Esc", [.escape, .character("q")], .wentBack) { _ in
                .keyCancel
            },
            KeyBinding("↑↓", [], .selectionMoved(.down)) { _ in .keyMove },
            KeyBinding("←→", [.right, .character("l")], .choiceMoved(1)) { _ in .keyCall },
            KeyBinding("", [.left, .character("h")], .choiceMoved(-1)) { _ in .keyCall },
            KeyBinding("0-9", [.character("1")], .failureSheet(.countChosen(1))) { _ in
                .keyHowMany
            },
        ] + moreDigits + KeyBinding.moves() + [.help]

    /// The other digits. They have no label: the label of the first digit names them all.
    private static let moreDigits = ([0] + FailureSheet.counts.dropFirst()).compactMap {
        count -> KeyBinding? in
        guard let digit = String(count).first else { return nil }
        return KeyBinding("", [.character(digit)], .failureSheet(.countChosen(count))) { _ in
            .keyHowMany
        }
    }

    static func draw(on canvas: inout Canvas) {
        guard case .failure(let sheet) = canvas.state.sheet else { return }
        canvas.drawFailureSheet(sheet)
    }

    /// Scrolled so that the chosen error is in the middle, if possible; no position is kept.
    static func rows(_ sheet: Sheet, on canvas: Canvas) -> Int {
        scrolling(on: canvas).rows + 2
    }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        guard case .failure(let sheet) = canvas.state.sheet else { return Scrolling(rows: 1) }
        let count = sheet.choices.count
        // All rows between header and message, except the sheet's edge and heading.
        let rows = max(1, min(count, canvas.layout.size.rows - 5))
        let scrollMax = count - rows
        return Scrolling(
            rows: rows, scroll: min(max(0, sheet.chosen - rows / 2), scrollMax),
            scrollMax: scrollMax)
    }
}

extension Canvas {
    fileprivate mutating func drawFailureSheet(_ failure: FailureSheet) {
        let scrolling = FailureSheet.scrolling(on: self)
        var row = openSheet(rows: scrolling.rows + 2)
        let left = layout.isCompact ? 1 : 3
        let heading = strings[.failNextCalls(failure.call, failure.count)]
        var after = put(glyphs.less, left, row, theme.accent)
        target(.failureSheet(.callChanged(-1)), left, row, to: after + 1)
        after = put(heading, after + 1, row, theme.strong)
        let arrow = after + 1
        after = put(glyphs.more, arrow, row, theme.accent)
        target(.failureSheet(.callChanged(1)), arrow - 1, row, to: after)
        drawMore(scrolling.scrollMax - scrolling.scroll, after: after, row)
        row += 1
        for number in scrolling.scroll..<(scrolling.scroll + scrolling.rows) {
            draw(number, of: failure, left, row)
            row += 1
        }
    }

    private mutating func draw(_ number: Int, of failure: FailureSheet, _ left: Int, _ row: Int) {
        let code = failure.choices[number]
        let isChosen = number == failure.chosen
        if isChosen {
            put(glyphs.marker, left - 1, row, theme.accent)
            frame.cursor = Position(column: left + 1, row: row)
        }
        targets.append(
            Target(
                area: Area(
                    column: left - 1, row: row, columns: layout.columns - left + 1, rows: 1),
                action: .failureSheet(.pointed(number))))
        let end = layout.columns
        let sentence = strings.failure(code, of: failure.call, state)
        let at = put(sentence, left + 1, row, isChosen ? theme.strong : .plain, before: end)
        // A code that does not fit whole is left out.
        guard columns(code.rawValue) <= end - at - 2 else { return }
        putRight(code.rawValue, before: end, row, theme.quiet, from: at + 2)
    }
}
