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
        let scrollMax = max(0, (entries.last?.row ?? -1) + 1 - rows)
        let first = palette.list.firstRow(
            from: palette.list.scroll ?? 0, entries, rows: rows, scrollMax)
        return Scrolling(rows: rows, scroll: first, scrollMax: scrollMax)
    }

    /// The same for any number of lines: half the screen; below 16 rows, all down to the message.
    private static func rows(_ layout: Layout) -> Int {
        layout.size.rows < 16 ? max(1, layout.size.rows - 5) : min(14, layout.size.rows / 2 - 1)
    }

    /// The actions of every screen, for screens whose own bindings lack them.
    fileprivate static let everywhere: [KeyBinding] =
        [
            .restore, updateAll, cutNetwork, cutForAWhile, cutDuringPurchase, slowNetwork,
            .openConsole, .reset, .pointer, .help, .quit,
        ] + Tour.keys

    /// Only an operator's palette offers these; on the customer's screens no key causes them.
    private static let cutNetwork = KeyBinding("", [], .network(.toggled)) { _ in .keyNetworkOff }
    private static let slowNetwork = KeyBinding("", [], .network(.slowed)) {
        .offerNetworkDelay(isSlow: $0.snapshot.networkDelay != nil)
    }
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
    fileprivate var isOfTour: Bool {
        if case .component(let action) = action { action is TourAction } else { false }
    }

    fileprivate var resets: Bool {
        if case .component(let action) = action { action is ResetAction } else { false }
    }

    /// Whether the action makes the network fail now or at a chosen moment.
    fileprivate var cutsNetwork: Bool {
        guard case .component(let action) = action, let action = action as? NetworkAction else {
            return false
        }
        return switch action {
        case .toggled, .cutForAWhile, .cutDuringPurchase, .slowed: true
        case .turnedOn: false
        }
    }
}

/// A line of the palette.
struct PaletteLine {
    var entry: Entry
    /// The words for the effect of the key or action.
    let title: String
    /// The line's key, number or code, at the right edge; empty if the line has none.
    let note: String
    /// Words that the filter matches and that are not drawn: the command's name, other words that
    /// people look for.
    fileprivate let alias: [String]
    /// The title in English, which the filter matches, too; nil if `title` is English. It is made
    /// only for a filter that needs it.
    fileprivate let english: (() -> String)?
    /// Whether it makes calls, downloads or renewals fail. These lines form a group at the end.
    let setsFailure: Bool

    func matches(_ filter: WordFilter) -> Bool {
        let texts = [title, note] + alias
        return filter.matches(texts) || english.map { filter.matches(texts + [$0()]) } ?? false
    }

    /// How well a filter that matches the line fits it, best first: its command's name or a title
    /// of one word, words that begin the title, words that begin words of it, words within it, or
    /// only its other words.
    fileprivate func fit(_ filter: WordFilter) -> Int {
        guard let first = filter.words.first else { return 0 }
        let name = filter.words.joined(separator: "-")
        if alias.contains(name) || title == name { return 0 }
        let title = SearchIndex.fold(title)
        let words = title.split(whereSeparator: \.isWhitespace)
        let begins = filter.words.allSatisfy { typed in words.contains { $0.hasPrefix(typed) } }
        if begins { return title.hasPrefix(first) ? 1 : 2 }
        return filter.matches([title]) ? 3 : 4
    }

    fileprivate var isGap: Bool { if case .missing = entry.id { true } else { false } }
}

extension Entry.ID {
    fileprivate var setsFailure: Bool {
        switch self {
        case .perform(let action): action.setsFailure
        case .missing(let kind): kind == .failNext
        case .fault(let offer): offer != .clear
        case .key, .everywhere: false
        }
    }
}

extension Canvas {
    /// In the order: keys of the covered screen, actions of every screen, the operator's actions,
    /// and last what makes something fail. With a filter, the lines that fit it best come first in
    /// each of these two groups, also one that is refused: it then says why.
    func paletteLines(_ palette: Palette) -> [PaletteLine] {
        let filter = WordFilter(palette.list.filter)
        let below = state.screen.component
        let own = below.type.keys
        let english = englishStrings
        var lines: [PaletteLine] = []
        func add(
            _ id: Entry.ID, _ action: ShopAction? = nil, fails: Bool = false, note: String = "",
            command: String? = nil, _ title: @escaping (Strings) -> String
        ) {
            let aliases = [command ?? action?.command, action.flatMap(strings.alias)]
            lines.append(
                PaletteLine(
                    entry: Entry(id: id, action: action, row: 0), title: title(strings),
                    note: note, alias: aliases.compactMap(\.self),
                    english: english.map { english in { title(english) } },
                    setsFailure: fails || id.setsFailure))
        }
        for (number, binding) in own.enumerated() where binding.isInPalette(state) {
            add(.key(below, number), binding.action, note: label(binding)) {
                $0[binding.title(state)]
            }
        }
        let labels = Set(own.filter(\.isInHelp).map(\.label))
        for (number, binding) in Palette.everywhere.enumerated()
        where !labels.contains(binding.label) && (!binding.isOfTour || state.tour != nil)
            && (!binding.isOfConsole && !binding.cutsNetwork || state.shop.namesConsole)
            && !(binding.cutsNetwork && state.snapshot.isOffline)
            && (!binding.resets || state.shop.isDemo || state.shop.namesConsole)
        {
            // Any other key does not work on this screen, so the line does not name it.
            let note = binding.resets && state.shop.isDemo ? binding.label : ""
            add(.everywhere(number), binding.action, fails: binding.cutsNetwork, note: note) {
                $0[binding.title(state)]
            }
        }
        for action in palette.actions {
            add(
                .perform(action), note: strings.code(of: action), command: action.command
            ) { $0.offer(action, of: palette, state) }
        }
        for fault in palette.faults {
            add(
                .fault(fault), note: strings.code(of: fault, in: palette),
                command: "download-failures"
            ) { $0.offer(fault, of: palette, state) }
        }
        for gap in palette.gaps {
            add(.missing(gap.kind), command: gap.kind.command) { $0.offer(gap.kind) }
        }
        lines.removeAll { !$0.matches(filter) }
        if let page = pageLine(palette.list.filter, filter) { lines.insert(page, at: 0) }
        lines += joinLines(palette, filter)
        return placed(lines, filter)
    }

    /// For the same texts in English; nil if they are English.
    private var englishStrings: Strings? {
        guard strings.language.code != Strings.english.language.code else { return nil }
        var english = Strings(locale: "en_US", language: "en", formatters: strings.formatters)
        english.now = strings.now
        english.namesConsole = strings.namesConsole
        english.productName = strings.productName
        return english
    }

    /// In their order, each with its row. The heading of the last group has a row of its own.
    private func placed(_ lines: [PaletteLine], _ filter: WordFilter) -> [PaletteLine] {
        func rank(_ line: PaletteLine) -> [Int] {
            [line.setsFailure ? 1 : 0, line.fit(filter), line.isGap ? 1 : 0]
        }
        var placed = lines.enumerated()
            .map { (rank: rank($0.element) + [$0.offset], line: $0.element) }
            .sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.map(\.line)
        let heading = placed.firstIndex(where: \.setsFailure)
        for index in placed.indices {
            let row = index + (placed[index].setsFailure ? 1 : 0)
            placed[index].entry.row = row
            placed[index].entry.top = index == heading ? index : row
        }
        return placed
    }

    /// Opens the page of a product whose identifier is typed, alone or after "open".
    private func pageLine(_ typed: String, _ filter: WordFilter) -> PaletteLine? {
        let word = typed.hasPrefix("open ") ? String(typed.dropFirst(5)) : typed
        let id = ProductID(word.filter { !$0.isWhitespace })
        guard state.productList.product(id) != nil || ProductList.isLikeIdentifier(word) else {
            return nil
        }
        return PaletteLine(
            entry: Entry(
                id: .everywhere(Palette.everywhere.count), action: .page(.asked(id)), row: 0),
            title: strings[.offerPage(name: state.name(of: id))], note: id.rawValue,
            alias: [filter.words.joined(separator: "-")], english: nil, setsFailure: false)
    }

    /// Adds the account that is typed after "join" to the family; without a family, this account to
    /// that organizer's.
    private func joinLines(_ palette: Palette, _ filter: WordFilter) -> [PaletteLine] {
        let words = palette.list.filter.split(separator: " ").map(String.init)
        guard words.count == 2, words[0] == "join", state.offersOperatorActions,
            (try? NameRule.check(words[1], for: "account")) != nil
        else { return [] }
        let named = AccountName(words[1])
        let family = state.console.family
        return FamilyRole.allCases.compactMap { role in
            let action = OperatorAction.family(
                .join(
                    family == nil ? state.shop.account : named,
                    organizer: family?.organizer ?? named, role: role))
            guard !palette.actions.contains(action) else { return nil }
            return PaletteLine(
                entry: Entry(id: .perform(action), action: nil, row: 0),
                title: strings.offer(action, of: palette, state), note: "",
                alias: [filter.words.joined(separator: "-")], english: nil, setsFailure: false)
        }
    }

    fileprivate mutating func drawPalette(_ palette: Palette) {
        let lines = paletteLines(palette)
        let entries = lines.map(\.entry)
        let scrolling = Palette.scrolling(palette, entries, layout)
        let first = openSheet(rows: scrolling.rows + 2)
        let left = layout.isCompact ? 0 : 1
        let after = drawFilter(":", palette.list.filter, left, first)
        drawMore(
            (entries.last?.row ?? -1) + 1 - scrolling.scroll - scrolling.rows, after: after, first)
        if lines.isEmpty { put(strings[.nothingMatches], left + 2, first + 1, theme.quiet) }
        let chosen = palette.list.chosenIndex(in: entries)
        let inSight = scrolling.scroll..<(scrolling.scroll + scrolling.rows)
        for (number, line) in lines.enumerated() {
            let row = first + 1 + line.entry.row - scrolling.scroll
            // The row above the first of the last group.
            let isFirstFailure = line.setsFailure && (number == 0 || !lines[number - 1].setsFailure)
            if isFirstFailure, inSight.contains(line.entry.row - 1) {
                put(strings[.helpFailure], left, row - 1, theme.quiet.bold)
            }
            guard inSight.contains(line.entry.row) else { continue }
            draw(line, of: palette, isChosen: number == chosen, left, row)
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
