import ShopText
import StoreModel
import Terminal

extension Palette: ComponentView {
    static let helpTitle: KeyText? = .helpPalette

    static let keys: [KeyBinding] =
        [
            KeyBinding("Enter", [.enter], .confirmed) { _ in .keyDo },
            KeyBinding("Esc", [.escape], .wentBack) { _ in .keyCancel },
            KeyBinding("↑↓", [], .selectionMoved(.down)) { _ in .keyMove },
        ] + KeyBinding.movesWhileTyping()

    static func draw(on canvas: inout Canvas) {
        guard case .palette(let palette) = canvas.state.sheet else { return }
        canvas.drawPalette(palette)
    }

    static func typed(_ text: String) -> ShopAction? { .palette(.typed(text)) }
    static var erased: ShopAction? { .palette(.erased) }

    static func entries(on canvas: Canvas) -> [Entry] {
        guard case .palette(let palette) = canvas.state.sheet else { return [] }
        return canvas.paletteLines(palette).map(\.entry)
    }

    static func rows(_ sheet: Sheet, on canvas: Canvas) -> Int { rows(canvas.layout) + 2 }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        guard case .palette(let palette) = canvas.state.sheet else { return Scrolling(rows: 1) }
        return scrolling(palette, entries(on: canvas), canvas.layout)
    }

    fileprivate static func scrolling(_ palette: Palette, _ entries: [Entry], _ layout: Layout)
        -> Scrolling
    {
        let rows = rows(layout)
        let scrollMax = max(0, entries.count - rows)
        let first = palette.list.firstRow(
            from: palette.list.scroll ?? 0, entries, rows: rows, scrollMax)
        return Scrolling(rows: rows, scroll: first, scrollMax: scrollMax)
    }

    /// The same for any number of lines: half the screen; below 16 rows, all down to the message.
    private static func rows(_ layout: Layout) -> Int {
        layout.size.rows < 16 ? max(1, layout.size.rows - 5) : min(14, layout.size.rows / 2 - 1)
    }

    /// The actions of every screen, for screens whose own bindings lack them.
    fileprivate static let everywhere: [KeyBinding] = [
        .restore, updateAll, cutForAWhile, cutDuringPurchase, .openConsole, .pointer, .help, .quit,
    ]

    /// Only an operator's palette offers it; no key causes it.
    private static let cutForAWhile = KeyBinding("", [], .network(.cutForAWhile)) { _ in
        .offerNetworkCut(seconds: NetworkAction.whileSeconds)
    }
    private static let cutDuringPurchase = KeyBinding("", [], .network(.cutDuringPurchase)) { _ in
        .offerNetworkCutNext
    }

    /// It has no key: the download key updates one product.
    private static let updateAll = KeyBinding("", [], .library(.allUpdated)) { _ in .keyUpdateAll }
}

extension KeyBinding {
    /// Whether the action makes the network fail now or at a chosen moment.
    fileprivate var cutsNetwork: Bool {
        guard case .component(let action) = action, let action = action as? NetworkAction else {
            return false
        }
        return switch action {
        case .cutForAWhile, .cutDuringPurchase: true
        case .toggled: false
        }
    }
}

/// A line of the palette.
private struct PaletteLine {
    var entry: Entry
    /// The words for the effect of the key or action.
    var title: String
    /// The line's key, number or code, at the right edge; empty if the line has none.
    var note: String
    /// Words that the filter matches and that are not drawn.
    var alias = ""
}

extension Canvas {
    /// In the order: keys of the covered screen, actions of every screen, the operator's actions.
    fileprivate func paletteLines(_ palette: Palette) -> [PaletteLine] {
        let below = state.screen.component
        let own = below.type.keys
        var lines: [PaletteLine] = []
        func add(_ id: Entry.ID, _ action: ShopAction?, _ title: String, _ note: String) {
            lines.append(
                PaletteLine(
                    entry: Entry(id: id, action: action, row: 0), title: title, note: note,
                    alias: action.flatMap(strings.alias) ?? ""))
        }
        for (number, binding) in own.enumerated() where binding.isInPalette(state) {
            add(
                .key(below, number), binding.action, strings[binding.title(state)], label(binding))
        }
        let labels = Set(own.filter(\.isInHelp).map(\.label))
        for (number, binding) in Palette.everywhere.enumerated()
        where !labels.contains(binding.label)
            && (!binding.isOfConsole && !binding.cutsNetwork || state.shop.namesConsole)
        {
            // The key does not work on this screen, so the line does not name it.
            add(.everywhere(number), binding.action, strings[binding.title(state)], "")
        }
        for action in palette.actions {
            add(
                .perform(action), nil, strings.offer(action, of: palette, state),
                strings.code(of: action))
        }
        for fault in palette.faults {
            add(
                .fault(fault), nil, strings.offer(fault, of: palette, state),
                strings.code(of: fault, in: palette))
        }
        for gap in palette.gaps { add(.missing(gap.kind), nil, strings.offer(gap.kind), "") }
        let filter = WordFilter(palette.list.filter)
        lines.removeAll { !filter.matches([$0.title, $0.note, $0.alias]) }
        for index in lines.indices {
            lines[index].entry.row = index
            lines[index].entry.top = index
        }
        return lines
    }

    fileprivate mutating func drawPalette(_ palette: Palette) {
        let lines = paletteLines(palette)
        let entries = lines.map(\.entry)
        let scrolling = Palette.scrolling(palette, entries, layout)
        var row = openSheet(rows: scrolling.rows + 2)
        let left = layout.isCompact ? 0 : 1
        let after = drawFilter(":", palette.list.filter, left, row)
        drawMore(lines.count - scrolling.scroll - scrolling.rows, after: after, row)
        row += 1
        if lines.isEmpty { put(strings[.nothingMatches], left + 2, row, theme.quiet) }
        let chosen = palette.list.chosenIndex(in: entries)
        let end = min(lines.count, scrolling.scroll + scrolling.rows)
        for number in scrolling.scroll..<max(scrolling.scroll, end) {
            draw(lines[number], of: palette, isChosen: number == chosen, left, row)
            row += 1
        }
    }

    /// Draws the number of lines that follow, at the right end of a row; nothing if it is 0.
    mutating func drawMore(_ count: Int, after column: Int, _ row: Int) {
        guard count > 0 else { return }
        putRight(
            glyphs.down + " " + strings[.more(count)], before: layout.columns, row, theme.quiet,
            from: column + 2)
    }

    private mutating func draw(
        _ line: PaletteLine, of palette: Palette, isChosen: Bool, _ left: Int, _ row: Int
    ) {
        if isChosen { put(glyphs.marker, left, row, theme.accent) }
        targets.append(
            Target(
                area: Area(column: left, row: row, columns: layout.columns - left, rows: 1),
                action: .palette(.pointed(line.entry.id))))
        let column = left + 2
        let end = layout.columns
        if palette.asking == line.entry.id {
            let answer = strings[layout.isCompact ? .enterAgainShort : .enterAgain]
            let at = putRight(answer, before: end, row, theme.strong, from: column)
            put(strings[.really(line.title)], column, row, theme.bad, before: at - 2)
            return
        }
        let refusal = state.refusal(of: line.entry)
        let note = refusal.map { strings.reason($0) } ?? line.note
        // The title gets the columns that the note leaves, and at least half of the columns.
        let room = max((end - column) / 2, end - column - columns(note) - 2)
        let style = refusal != nil ? theme.quiet : isChosen ? theme.strong : .plain
        let at = put(line.title, column, row, style, before: column + room)
        putRight(note, before: end, row, theme.quiet, from: at + 2)
    }
}
