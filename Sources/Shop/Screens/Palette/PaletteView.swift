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
        return Scrolling(palette.list, entries(on: canvas), rows: rows(canvas.layout))
    }

    /// All down to the message, for any number of lines.
    fileprivate static func rows(_ layout: Layout) -> Int { max(1, layout.size.rows - 5) }

    /// The actions of every screen, for screens whose own bindings lack them.
    fileprivate static let everywhere: [KeyBinding] =
        [
            .restore, updateAll, openTrials, openServer, cutNetwork, cutForAWhile,
            cutDuringPurchase, slowNetwork,
            .openConsole, .reset, .pointer, .help, .quit,
        ] + Tour.keys + pageButtons

    /// Only an operator's palette offers these; on the customer's screens no key causes them.
    private static let cutNetwork = KeyBinding("", [], .network(.toggled)) { _ in
        .keyNetwork(turnsOn: false)
    }
    private static let slowNetwork = KeyBinding("", [], .network(.slowed)) {
        .offerNetworkDelay(isSlow: $0.snapshot.networkDelay != nil)
    }
    private static let cutForAWhile = KeyBinding("", [], .network(.cutForAWhile)) { _ in
        .offerNetworkCut(seconds: NetworkAction.whileSeconds)
    }
    private static let cutDuringPurchase = KeyBinding("", [], .network(.cutDuringPurchase)) { _ in
        .offerNetworkCutNext
    }

    /// It has no key: the console's keys are all taken by what a tester does with it.
    private static let openTrials = KeyBinding("", [], .trials(.opened)) { _ in .keyTrials }

    /// It has no key, for the same reason.
    private static let openServer = KeyBinding("", [], .server(.opened)) { _ in .keyServer }

    /// The buttons of a page that have no key; a refund is named also where none can be asked for.
    private static let pageButtons: [KeyBinding] = [
        pageButton(.read, .keyRead), pageButton(.receipt, .keyReceipt),
        pageButton(.requestRefund, .keyRequestRefund),
    ]

    private static func pageButton(_ button: PageButton, _ title: KeyText) -> KeyBinding {
        KeyBinding(
            "", [], .page(.chosen(button)),
            isUseful: { state in
                guard let product = state.selectedProduct else { return false }
                return state.pageButtons(for: product).contains(button)
                    || button == .requestRefund && state.latestTransaction(of: product.id) == nil
            }
        ) { _ in title }
    }

    /// It has no key: the download key updates one product.
    private static let updateAll = KeyBinding("", [], .library(.allUpdated)) { _ in .keyUpdateAll }
}

extension KeyBinding {
    private var ofComponent: (any ComponentAction)? {
        if case .component(let action) = action { action } else { nil }
    }
    fileprivate var isOfTour: Bool { ofComponent is TourAction }
    fileprivate var isOfPage: Bool { ofComponent is PageAction }
    fileprivate var isOfServer: Bool { ofComponent is ServerAction }
    fileprivate var resets: Bool { ofComponent is ResetAction }
    /// Whether the action makes the network fail now or at a chosen moment.
    fileprivate var cutsNetwork: Bool {
        switch ofComponent as? NetworkAction {
        case .toggled?, .cutForAWhile?, .cutDuringPurchase?, .slowed?: true
        case .turnedOn?, nil: false
        }
    }
}

/// A line of the palette.
struct PaletteLine: Sendable {
    /// The sections of an unfiltered palette, from the top.
    enum Section: Int, Sendable { case selection, screen, groups, refused }

    var entry: Entry
    /// Drawn above the line, which is the first of its section.
    var heading: String?
    /// The words for the effect of the key or action.
    let title: String
    /// The line's key, number or code, at the right edge; empty if the line has none.
    let note: String
    /// Why it has no effect now; nil if it has one.
    let refusal: EntryRefusal?
    let section: Section
    let group: PaletteGroup?
    /// Whether it makes calls, downloads or renewals fail. A filter lists these below all others.
    let setsFailure: Bool
    /// The names of its command, and other words that people look for.
    fileprivate let alias: [String]
    /// What a filter looks in: title, note and alias, and the title in English.
    fileprivate let searched: [String]

    func matches(_ filter: WordFilter) -> Bool { filter.matches(searched) }

    /// How well a filter that matches the line fits it, best first: its command's name, a title
    /// of one word or a group's words, words that begin the title, words that begin words of it,
    /// words within it, or only its other words.
    fileprivate func fit(_ filter: WordFilter) -> Int {
        guard let first = filter.words.first else { return 0 }
        let name = filter.words.joined(separator: "-")
        if alias.contains(name) || title == name { return 0 }
        let title = SearchIndex.fold(title)
        let words = title.split(whereSeparator: \.isWhitespace)
        let begins = filter.words.allSatisfy { typed in words.contains { $0.hasPrefix(typed) } }
        // A group stands before its own lines, which have its word as another name.
        let isNamed = filter.words.allSatisfy { typed in words.contains { $0 == typed } }
        if section == .groups, isNamed { return 0 }
        if begins { return title.hasPrefix(first) ? 1 : 2 }
        return filter.matches([title]) ? 3 : 4
    }
}

extension Entry.ID {
    fileprivate var setsFailure: Bool {
        switch self {
        case .perform(let action): action.setsFailure
        case .missing(let kind): kind == .failNext
        case .fault(let offer): offer != .clear
        case .key, .everywhere, .group, .choice, .inPalette, .failure: false
        }
    }

    fileprivate func section(_ action: ShopAction?) -> PaletteLine.Section {
        switch self {
        case .key, .everywhere: action?.isOfSelection == true ? .selection : .screen
        case .perform(let action):
            if case .request = action.kind.subject { .screen } else { .selection }
        case .group: .groups
        case .missing, .fault, .choice, .inPalette, .failure: .screen
        }
    }
}

extension Canvas {
    /// Without a filter: what can be done with the selection, then on this screen, then the groups,
    /// and last what is refused. With one, the lines of all groups, or of the open one, that fit it
    /// best come first, also one that is refused: it then says why.
    func paletteLines(_ palette: Palette) -> [PaletteLine] {
        let filter = WordFilter(palette.list.filter)
        var lines = allPaletteLines.filter { line in
            if let group = palette.group { return line.group == group }
            return line.group == nil || !filter.words.isEmpty
        }
        lines.removeAll { !$0.matches(filter) }
        let others = typedActions(palette, isAlone: lines.isEmpty).filter { id in
            !lines.contains { $0.entry.id == id }
        }
        if !others.isEmpty {
            // Such a line says all that is typed, so it fits as the name of a command does.
            let name = filter.words.joined(separator: "-")
            lines = others.map { line($0, englishStrings, palette, typed: name) } + lines
        }
        if let typed = typedChoice(palette), !lines.contains(where: { $0.entry.id == typed }) {
            lines.append(line(typed, englishStrings, palette))
        }
        return placed(lines, filter, palette)
    }

    /// The page of a product whose identifier is typed, alone or after "open"; the family of an
    /// account that is typed after "join", or among the changes of the family alone.
    private func typedActions(_ palette: Palette, isAlone: Bool) -> [Entry.ID] {
        let words = palette.list.filter.split(whereSeparator: \.isWhitespace).map(String.init)
        let isNamed = words.count == 2
        if palette.group == nil, let word = words.last,
            words.count == 1 || isNamed && words[0] == "open",
            state.productList.product(ProductID(word)) != nil || ProductList.isLikeIdentifier(word)
        {
            return [.choice(.page(ProductID(word)))]
        }
        let isFamily = palette.group == .family
        guard let name = words.last,
            isNamed && words[0] == "join" && (isFamily || palette.group == nil)
                || words.count == 1 && isFamily && isAlone
        else { return [] }
        return joins(AccountName(name)).map { .perform($0) }
    }

    /// Adds the account to the family; without a family, this account to that organizer's.
    private func joins(_ named: AccountName) -> [OperatorAction] {
        guard state.offersOperatorActions,
            (try? NameRule.check(named.rawValue, for: "account")) != nil
        else { return [] }
        let family = state.console.family
        return FamilyRole.allCases.map { role in
            .family(
                .join(
                    family == nil ? state.shop.account : named,
                    organizer: family?.organizer ?? named, role: role))
        }
    }

    /// A name that a person types is a choice, too.
    private func typedChoice(_ palette: Palette) -> Entry.ID? {
        let name = palette.list.filter.split(whereSeparator: \.isWhitespace).joined()
        guard !name.isEmpty else { return nil }
        return switch palette.group {
        case .account: .choice(.account(AccountName(name)))
        case .device: .choice(.device(DeviceName(name)))
        default: nil
        }
    }

    /// Of all groups, without a filter.
    func allLines(of palette: Palette) -> [PaletteLine] {
        let below = state.screen.component
        let own = below.type.keys
        let english = englishStrings
        var lines: [PaletteLine] = []
        for (number, binding) in own.enumerated() where binding.isInPalette(state) {
            lines.append(line(.key(below, number), english, palette, binding))
        }
        let labels = Set(own.filter(\.isInHelp).map(\.label))
        for (number, binding) in Palette.everywhere.enumerated()
        where !labels.contains(binding.label) && !binding.isOfPage
            && (!binding.isOfTour || state.tour != nil)
            && (!binding.isOfServer || state.shop.hasServer)
            && (!binding.isOfConsole && !binding.cutsNetwork || state.shop.namesConsole)
            && !(binding.cutsNetwork && state.snapshot.isOffline)
            && (!binding.resets || state.shop.isDemo || state.shop.namesConsole)
        {
            lines.append(line(.everywhere(number), english, palette, binding))
        }
        let ids: [Entry.ID] =
            palette.actions.map { .perform($0) } + palette.faults.map { .fault($0) }
            + palette.gaps.map { .missing($0.kind) } + palette.choices.map { .choice($0) }
        let offered = ids.map { line($0, english, palette) }
        let groups = Set((lines + offered).compactMap(\.group))
        lines += PaletteGroup.allCases.filter(groups.contains).map {
            line(.group($0), english, palette)
        }
        lines += offered
        // After the operator's, which say more.
        let titles = own.filter { $0.isInPalette(state) }.map { $0.title(state) }
        for (number, binding) in Palette.everywhere.enumerated()
        where binding.isOfPage && binding.isUseful(state) && !titles.contains(binding.title(state))
        {
            lines.append(line(.everywhere(number), english, palette, binding))
        }
        return lines
    }

    /// - Parameters:
    ///   - english: for the same texts in English; nil if they are English.
    ///   - typed: another name of the line.
    private func line(
        _ id: Entry.ID, _ english: Strings?, _ palette: Palette, _ binding: KeyBinding? = nil,
        typed: String? = nil
    ) -> PaletteLine {
        let entry = Entry(id: id, action: binding?.action, row: 0)
        let title = strings.title(of: entry, binding, palette, state)
        let command: String? =
            switch id {
            case .perform(let action): action.command
            case .missing(let kind): kind.command
            case .fault: "download-failures"
            default: binding?.action.command
            }
        let note: String =
            switch id {
            // Of the lines of every screen, only that of a demo's reset has a key on this one.
            case .key,
                .everywhere where binding?.resets == true && state.shop.isDemo:
                binding.map(label) ?? ""
            case .perform(let action): strings.code(of: action)
            case .fault(let fault): strings.code(of: fault, in: palette)
            case .choice(.page(let product)): product.rawValue
            case .choice(let choice): state.isSoNow(choice) ? strings[.isSoNow] : ""
            default: ""
            }
        let alias = [command, binding.flatMap { strings.alias(of: $0.action) }, typed]
            .compactMap(\.self)
        let texts =
            [title, note] + alias
            + [english?.title(of: entry, binding, palette, state)].compactMap(\.self)
        let cutsNetwork = binding?.cutsNetwork == true
        return PaletteLine(
            entry: entry, title: title, note: note, refusal: state.refusal(of: entry),
            section: id.section(binding?.action), group: cutsNetwork ? .network : id.group,
            setsFailure: cutsNetwork || id.setsFailure, alias: alias,
            searched: texts)
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

    /// In their order, each with its row. A heading has a row of its own.
    private func placed(
        _ lines: [PaletteLine], _ filter: WordFilter, _ palette: Palette
    ) -> [PaletteLine] {
        let isFiltered = !filter.words.isEmpty
        func section(_ line: PaletteLine) -> Int {
            if isFiltered { return line.setsFailure ? 1 : 0 }
            return (line.refusal == nil ? line.section : .refused).rawValue
        }
        func rank(_ line: PaletteLine) -> [Int] {
            [section(line)] + (isFiltered ? [line.fit(filter), line.refusal == nil ? 0 : 1] : [])
        }
        var placed = lines.enumerated()
            .map { (rank: rank($0.element) + [$0.offset], line: $0.element) }
            .sorted { $0.rank.lexicographicallyPrecedes($1.rank) }.map(\.line)
        // Rows are scarce on a compact screen.
        let headings: [String?] =
            isFiltered
            ? [nil, strings[.helpFailure]]
            : layout.isCompact
                ? [nil, nil, nil, nil]
                : [
                    palette.subject.map { strings.name(of: $0, state).uppercased() }
                        ?? strings[.theSelection],
                    palette.group == nil ? strings[.thisScreen] : nil,
                    strings[PaletteText.more], strings[PaletteText.notNow],
                ]
        var row = 0
        for index in placed.indices {
            let number = section(placed[index])
            if index == 0 || section(placed[index - 1]) != number {
                placed[index].heading = headings[number]
            }
            let top = row
            if placed[index].heading != nil { row += 1 }
            placed[index].entry.row = row
            placed[index].entry.top = top
            row += 1
        }
        return placed
    }

    fileprivate mutating func drawPalette(_ palette: Palette) {
        let lines = paletteLines(palette)
        let entries = lines.map(\.entry)
        let scrolling = Scrolling(palette.list, entries, rows: Palette.rows(layout))
        let first = openSheet(rows: scrolling.rows + 2)
        let left = layout.isCompact ? 0 : 1
        let prompt = palette.group.map { "\(strings[.group($0)]) \(glyphs.more) " }
        let takesName = [.account, .device, .family].contains(palette.group)
        let after = drawFilter(
            prompt ?? ":", palette.list.filter, left, first,
            hint: strings[takesName ? .typeAName : .typeToFilter])
        drawMore(scrolling.scrollMax - scrolling.scroll, after: after, first)
        if lines.isEmpty { put(strings[.nothingMatches], left + 2, first + 1, theme.quiet) }
        let chosen = palette.list.chosenIndex(in: entries)
        let inSight = scrolling.scroll..<(scrolling.scroll + scrolling.rows)
        for (number, line) in lines.enumerated() {
            let row = first + 1 + line.entry.row - scrolling.scroll
            if let heading = line.heading, inSight.contains(line.entry.top) {
                put(heading, left, row - 1, theme.quiet.bold)
            }
            guard inSight.contains(line.entry.row) else { continue }
            draw(line, of: palette, isChosen: number == chosen, left, row)
            if number == chosen { putCursor(on: palette.list, left + 2, row) }
        }
    }

    /// Draws the number of lines that follow, at the right end of a row; nothing if it is 0.
    mutating func drawMore(_ count: Int, after column: Int, _ row: Int) {
        guard count > 0 else { return }
        let texts = [strings[.more(count)], "\(count)"].map { glyphs.down + " " + $0 }
        let text = choose(texts, columns: layout.columns - column - 2)
        putRight(text, before: layout.columns, row, theme.quiet, from: column + 2)
    }

    private mutating func draw(
        _ line: PaletteLine, of palette: Palette, isChosen: Bool, _ left: Int, _ row: Int
    ) {
        if isChosen { put(glyphs.marker, left, row, theme.accent) }
        target(.palette(.pointed(line.entry.id)), left, row, to: layout.columns)
        let column = left + 2
        let end = layout.columns
        if palette.asking == line.entry.id {
            let answer = strings[layout.isCompact ? .enterAgainShort : .enterAgain]
            let at = putRight(answer, before: end, row, theme.strong, from: column)
            put(strings[.really(line.title)], column, row, theme.bad, before: at - 2)
            return
        }
        let note = line.refusal.map { strings.reason($0) } ?? line.note
        // The title gets the columns that the note leaves, and at least half of the columns.
        let room = max((end - column) / 2, end - column - columns(note) - 2)
        let style = line.refusal != nil ? theme.quiet : isChosen ? theme.strong : .plain
        let title = line.section == .groups ? "\(line.title) \(glyphs.more)" : line.title
        let at = put(title, column, row, style, before: column + room)
        putRight(note, before: end, row, theme.quiet, from: at + 2)
    }
}
