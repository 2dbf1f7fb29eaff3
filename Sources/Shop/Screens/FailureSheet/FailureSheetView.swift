import ShopText
import StoreModel
import Terminal

extension FailureSheet: ComponentView {
    static let helpTitle: KeyText? = .helpFailure

    static let keys: [KeyBinding] =
        [
            KeyBinding("Enter", [.enter], .confirmed) { _ in .keyChoose },
            KeyBinding("Esc", [.escape], .wentBack) { _ in .keyCancel },
            KeyBinding("↑↓", [], .selectionMoved(.down)) { _ in .keyMove },
            KeyBinding("←→", [.right], .choiceMoved(1)) { _ in .keyCall },
            KeyBinding("", [.left], .choiceMoved(-1)) { _ in .keyCall },
            KeyBinding("0-9", [.character("1")], .failureSheet(.countChosen(1))) { _ in
                .keyHowMany
            },
        ] + moreDigits + KeyBinding.movesWhileTyping()

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

    /// Digits are keys: how many calls fail.
    static func typed(_ text: String) -> ShopAction? {
        text.count == 1 && text.allSatisfy { $0.isASCII && $0.isNumber }
            ? nil : .failureSheet(.typed(text))
    }
    static var erased: ShopAction? { .failureSheet(.erased) }

    static func entries(on canvas: Canvas) -> [Entry] {
        guard case .failure(let sheet) = canvas.state.sheet else { return [] }
        let filter = WordFilter(sheet.list.filter)
        let found = sheet.choices.filter { code in
            let sentence = canvas.strings.failure(code, of: sheet.call, canvas.state)
            return filter.matches([sentence, code.rawValue])
        }
        return found.enumerated().map { Entry(id: .failure($0.element), row: $0.offset) }
    }

    static func rows(_ sheet: Sheet, on canvas: Canvas) -> Int {
        scrolling(on: canvas).rows + 2
    }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        guard case .failure(let sheet) = canvas.state.sheet else { return Scrolling(rows: 1) }
        // All rows between header and message, except the sheet's edge and heading.
        let rows = max(1, min(sheet.choices.count, canvas.layout.size.rows - 5))
        return Scrolling(sheet.list, entries(on: canvas), rows: rows)
    }
}

extension Scrolling {
    /// Of a list of lines, scrolled so that the chosen one is in sight.
    init(_ list: EntryList, _ entries: [Entry], rows: Int) {
        let scrollMax = max(0, (entries.last?.row ?? -1) + 1 - rows)
        self.init(
            rows: rows,
            scroll: list.firstRow(from: list.scroll ?? 0, entries, rows: rows, scrollMax),
            scrollMax: scrollMax)
    }
}

extension Canvas {
    fileprivate mutating func drawFailureSheet(_ failure: FailureSheet) {
        let entries = FailureSheet.entries(on: self)
        let scrolling = FailureSheet.scrolling(on: self)
        let first = openSheet(rows: scrolling.rows + 2)
        let left = layout.isCompact ? 1 : 3
        let heading = strings[.failNextCalls(failure.call, failure.count)]
        let isLinear = layout.isLinear
        let before = isLinear ? strings[.linearPreviousCall] : glyphs.less
        var after = put(before, left, first, theme.accent)
        target(.failureSheet(.callChanged(-1)), left, first, to: after + 1)
        after = put(heading, after + 1, first, theme.strong)
        let arrow = after + 1
        let next = isLinear ? strings[.linearNextCall] : glyphs.more
        after = put(next, arrow, first, theme.accent)
        target(.failureSheet(.callChanged(1)), arrow - 1, first, to: after)
        after = drawFilter(
            "/", failure.list.filter, after + 2, first,
            hint: layout.isCompact ? "" : strings[.typeToFilter])
        drawMore(scrolling.scrollMax - scrolling.scroll, after: after, first)
        if entries.isEmpty { put(strings[.nothingMatches], left + 1, first + 1, theme.quiet) }
        let chosen = failure.list.chosenIndex(in: entries)
        for (number, entry) in entries.enumerated().dropFirst(scrolling.scroll)
            .prefix(scrolling.rows)
        {
            guard case .failure(let code) = entry.id else { continue }
            let row = first + 1 + number - scrolling.scroll
            draw(code, of: failure, isChosen: number == chosen, left, row)
            if number == chosen { putCursor(on: failure.list, left + 1, row) }
        }
    }

    private mutating func draw(
        _ code: StoreError.Code, of failure: FailureSheet, isChosen: Bool, _ left: Int, _ row: Int
    ) {
        if isChosen { put(glyphs.marker, left - 1, row, theme.accent) }
        let end = layout.columns
        target(.failureSheet(.pointed(.failure(code))), left - 1, row, to: end)
        let sentence = strings.failure(code, of: failure.call, state)
        let at = put(sentence, left + 1, row, isChosen ? theme.strong : .plain, before: end)
        // A code that does not fit whole is left out.
        guard columns(code.rawValue) <= end - at - 2 else { return }
        putRight(code.rawValue, before: end, row, theme.quiet, from: at + 2)
    }
}
