import ShopText
import Terminal

/// Made from the same tables as `KeyMap`.
extension Help: ComponentView {
    static let helpTitle: KeyText? = nil

    static let keys: [KeyBinding] =
        [
            KeyBinding(
                "Esc", [.escape, .character("?")], names: [.help], .helpToggled
            ) { _ in .keyBack },
            KeyBinding("Enter", [.enter], .confirmed) { _ in .keyDo },
            KeyBinding("↑↓", [], .selectionMoved(.down)) { _ in .keyMove },
        ] + KeyBinding.movesWhileTyping()

    static func draw(on canvas: inout Canvas) { canvas.drawHelp() }

    /// Typed text, except `?`, which closes the help.
    static func typed(_ text: String) -> ShopAction? {
        text == "?" ? nil : .help(.typed(text))
    }
    static var erased: ShopAction? { .help(.erased) }

    static func entries(on canvas: Canvas) -> [Entry] { canvas.helpLines.compactMap(\.entry) }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        scrolling(canvas.helpLines, on: canvas)
    }

    /// Until the first movement or typed character, begins with the keys of the covered component.
    fileprivate static func scrolling(_ lines: [HelpLine], on canvas: Canvas) -> Scrolling {
        // The rows down to the footer, without the row of the filter.
        let rows = canvas.layout.footerRow - canvas.layout.body.row - 1
        let height = columnRows(lines.count, canvas.layout)
        let title = canvas.stateBelow.focus.type.helpTitle.map { canvas.strings[$0] }
        let present = lines.first { $0.entry == nil && $0.text == title && title != nil }
        let list = canvas.state.help?.list
        let scrollMax = max(0, height - rows)
        let start = list?.scroll ?? (list?.filter.isEmpty == true ? present?.row : nil) ?? 0
        let first =
            list?.firstRow(from: start, lines.compactMap(\.entry), rows: rows, scrollMax)
            ?? 0
        return Scrolling(rows: rows, scroll: first, scrollMax: scrollMax)
    }

    fileprivate static func columnCount(_ layout: Layout) -> Int {
        layout.columns >= 90 && !layout.isLinear ? 2 : 1
    }

    /// When `lines` lines are divided over the columns.
    fileprivate static func columnRows(_ lines: Int, _ layout: Layout) -> Int {
        let count = columnCount(layout)
        return (lines + count - 1) / count
    }
}

/// A line of the help: a title, a key, or an empty line.
private struct HelpLine {
    /// Nil for a title or an empty line.
    var entry: Entry?
    var key = ""
    var text = ""
    /// On the unscrolled screen, in rows and in columns of lines.
    var row = 0
    var column = 0
}

extension Canvas {
    fileprivate var stateBelow: ShopState {
        var below = state
        below.help = nil
        return below
    }

    fileprivate mutating func drawHelp() {
        guard let list = state.help?.list else { return }
        let area = layout.body
        let left = layout.isCompact ? 0 : 1
        let lines = helpLines
        let scrolling = Help.scrolling(lines, on: self)
        let after = drawFilter("/", list.filter, left, area.row, hint: strings[.typeToFilter])
        let height = Help.columnRows(lines.count, layout)
        drawMore(height - scrolling.scroll - scrolling.rows, after: after, area.row)
        let entries = lines.compactMap(\.entry)
        if entries.isEmpty { put(strings[.nothingMatches], left + 2, area.row + 1, theme.quiet) }
        let chosen = list.chosenIndex(in: entries).map { entries[$0].id }
        let width = layout.columns / Help.columnCount(layout)
        for line in lines {
            let offset = line.row - scrolling.scroll
            guard offset >= 0, offset < scrolling.rows else { continue }
            let isChosen = line.entry != nil && line.entry?.id == chosen
            let (column, row) = (left + line.column * width, area.row + 1 + offset)
            draw(line, isChosen: isChosen, column, row, before: column + width - 1)
            if isChosen { putCursor(on: list, column + 2, row) }
        }
    }

    private mutating func draw(
        _ line: HelpLine, isChosen: Bool, _ left: Int, _ row: Int, before end: Int
    ) {
        guard let entry = line.entry else {
            put(line.text, left, row, theme.quiet.bold, before: end)
            return
        }
        if isChosen { put(glyphs.marker, left, row, theme.accent) }
        let isHere = entry.isAvailable
        put(line.key, left + 2, row, isHere ? theme.accent : theme.quiet, before: left + 13)
        let style = isHere ? (isChosen ? theme.strong : .plain) : theme.quiet
        put(line.text, left + 13, row, style, before: end)
        target(.help(.pointed(entry.id)), left, row, to: end)
    }

    /// The lines that match the filter, each with its position; titles only above matching lines.
    fileprivate var helpLines: [HelpLine] {
        let filter = WordFilter(state.help?.list.filter ?? "")
        let below = stateBelow.focus
        var lines: [HelpLine] = []
        func add(_ title: KeyText, _ keys: [HelpLine]) {
            let shown = keys.filter { filter.matches([$0.key, $0.text, strings[title]]) }
            guard !shown.isEmpty else { return }
            if !lines.isEmpty { lines.append(HelpLine()) }
            lines.append(HelpLine(text: strings[title]))
            lines += shown
        }
        let namesConsole = state.showsCodes
        // The screen's own keys first.
        for component in [below] + Component.allCases.filter({ $0 != below }) {
            guard let title = component.type.helpTitle else { continue }
            let isOperators = component == .console || component == .failureSheet
            if isOperators, component != below, !state.shop.namesConsole { continue }
            if component == .server, !state.shop.hasServer { continue }
            // The help never presses a button of the payment sheet (`Help.confirm`).
            let isHere = component == below && component != .paymentSheet
            add(
                title,
                component.type.keys.enumerated().compactMap { number, binding in
                    guard binding.isInHelp, !binding.isShared,
                        namesConsole || !binding.isOfConsole
                    else { return nil }
                    return HelpLine(
                        entry: Entry(
                            id: .key(component, number), action: isHere ? binding.action : nil,
                            row: 0),
                        key: label(binding), text: strings[binding.title(state)])
                } + (component == .logFilter ? filterFields : []))
        }
        add(.helpEverywhere, sharedLines(below, namesConsole: namesConsole))
        let found = foundActions(filter)
        if !found.isEmpty {
            lines +=
                (lines.isEmpty ? [] : [HelpLine()])
                + [HelpLine(text: strings[.helpPalette])] + found
        }
        return placed(lines)
    }

    /// The lines of the palette, apart from keys, that the typed filter finds. Enter opens the
    /// palette at the line.
    private func foundActions(_ filter: WordFilter) -> [HelpLine] {
        guard let typed = state.help?.list.filter, !filter.words.isEmpty else { return [] }
        var below = stateBelow
        guard below.sheet == nil else { return [] }
        _ = below.openPalette()
        guard case .palette(var palette) = below.sheet else { return [] }
        palette.list.type(typed)
        var canvas = Canvas(
            frame: frame, layout: layout, state: below, theme: theme, glyphs: glyphs,
            strings: strings, measure: measure)
        canvas.allPaletteLines = canvas.allLines(of: palette)
        return canvas.paletteLines(palette).compactMap { line in
            if case .key = line.entry.id { return nil }
            guard line.refusal == nil else { return nil }
            return HelpLine(
                entry: Entry(id: .inPalette(line.entry.id), row: 0), key: strings.key(.actions),
                text: line.title)
        }
    }

    /// Lines that name the fields of an event log's filter. Enter does nothing on them.
    private var filterFields: [HelpLine] {
        LogFilter.fields(in: state.shop.namesConsole ? .store : .account).enumerated()
            .map { number, field in
                let text: LogText =
                    switch field {
                    case .kind: .filterByKind
                    case .product: .filterByProduct
                    case .account: .filterByAccount
                    case .since: .filterSince
                    case .fact: .filterByFact
                    }
                return HelpLine(
                    entry: Entry(id: .everywhere(-1 - number), row: 0), key: field.typed,
                    text: strings[text])
            }
    }

    /// Enter carries out the action that the covered component gives to the key.
    private func sharedLines(_ below: Component, namesConsole: Bool) -> [HelpLine] {
        let bindings = KeyBinding.shared.filter { namesConsole || !$0.isOfConsole }
        let shared = bindings.enumerated().map { number, binding in
            let here = below.type.keys.first {
                $0.isShared && !$0.keys.isEmpty && $0.keys.allSatisfy(binding.keys.contains)
            }
            return HelpLine(
                entry: Entry(id: .everywhere(number + 2), action: here?.action, row: 0),
                key: label(binding), text: strings[binding.title(state)])
        }
        return shared + [
            HelpLine(
                entry: Entry(id: .everywhere(0), action: .quitChosen, row: 0), key: "Ctrl-C",
                text: strings[.keyQuit]),
            HelpLine(
                entry: Entry(id: .everywhere(1), row: 0), key: "Ctrl-Z",
                text: strings[.keySuspend]),
        ]
    }

    private func placed(_ lines: [HelpLine]) -> [HelpLine] {
        let height = max(1, Help.columnRows(lines.count, layout))
        var placed = lines
        for index in placed.indices {
            let row = index % height
            placed[index].row = row
            placed[index].column = index / height
            placed[index].entry?.row = row
            let isFirst = row > 0 && lines[index - 1].entry == nil
            placed[index].entry?.top = isFirst ? row - 1 : row
        }
        return placed
    }
}
