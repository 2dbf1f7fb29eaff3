import ShopText
import StoreModel
import Terminal

/// The log draws the line.
extension LogFilterLine: ComponentView {
    static let helpTitle: KeyText? = .helpFilter

    static let keys = KeyBinding.whileFiltering

    static func draw(on canvas: inout Canvas) {}

    static func scrolling(on canvas: Canvas) -> Scrolling {
        canvas.state.navigation.view == .history
            ? HistoryScreen.scrolling(on: canvas) : ConsoleScreen.scrolling(on: canvas)
    }

    static func typed(_ text: String) -> ShopAction? { .eventLog(.filterTyped(text)) }
    static var erased: ShopAction? { .eventLog(.filterErased) }
}

/// The keys of a screen with an event log.
extension KeyBinding {
    static let search = KeyBinding("/", [.character("/")], .searchOpened) { _ in .keyFilter }
    static let cycleGroup = KeyBinding("e", [.character("e")], .eventLog(.groupCycled)) { _ in
        .keyKinds
    }
    static let inspect = KeyBinding(
        "Enter", [.enter], .confirmed, isUseful: { $0.selectedItem != nil }
    ) { _ in .keyInspect }
    static let copyIdentifier = KeyBinding(
        "y", [.character("y")], .eventLog(.identifierCopied),
        isUseful: { $0.selectedItem != nil }
    ) { _ in .keyCopyIdentifier }
    static let copySignedText = KeyBinding(
        "v", [.character("v")], .eventLog(.signedTextCopied),
        isUseful: { state in
            if case .line(let line)? = state.selectedItem { line.transaction != nil } else { false }
        }
    ) { _ in .keyCopySigned }
    static let claim = KeyBinding(
        "T", [.character("T")], .eventLog(.saleClaimed), isUseful: { $0.claimableSale != nil }
    ) { _ in .keyClaim }
}

extension Canvas {
    /// The filter, otherwise the number of events; offline, with the age of the events.
    func note(on log: EventLog) -> String {
        // Offline, the account's events are as old as the store's last answer.
        let asOf = log.asOf ?? (log.scope == .account ? state.accountAsOf : nil)
        let age = asOf.map { strings[.offlineAsOf(strings.instant($0))] }
        guard !log.isTyping, !log.isFiltered else {
            let text = log.text + (log.isTyping ? "_" : "")
            let group = log.group == .all ? nil : strings.group(log.group)
            // The hint names the fields of the filter until the first character is typed.
            let fields = LogFilter.fields(in: log.scope).map(\.typed).joined(separator: " ")
            let hint = log.isTyping && log.text.isEmpty ? fields : nil
            return [group, text.isEmpty ? nil : "/" + text, hint, age].compactMap(\.self)
                .joined(separator: "  ")
        }
        if let age { return age }
        return log.isComplete
            ? strings[.eventCount(log.lines.count)] : strings[.eventsOfAllTime]
    }

    /// Where subject and note do not fit, the subject is cut: numbers are compared by digits.
    mutating func put(
        _ line: LogLineText, _ column: Int, _ row: Int, _ style: Style, before end: Int
    ) {
        let (room, note) = (end - column, columns(line.note) + 1)
        guard !line.note.isEmpty, columns(line.text) > room, note + 6 <= room else {
            put(line.text, column, row, style, before: end)
            return
        }
        let last = put(line.subject, column, row, style, before: end - note)
        put(line.note, last + 1, row, style, before: end)
    }

    /// `hasFocus` tells whether the keys act on this log; then the cursor is on its selected line.
    mutating func drawLines(
        of log: EventLog, in area: Area, showsSelection: Bool, hasFocus: Bool,
        showsAccounts: Bool
    ) {
        let end = area.column + area.columns
        guard area.rows > 0 else { return }
        guard !log.lines.isEmpty else {
            if let problem = log.filterProblem {
                let text = strings.problem(problem, of: log, state)
                let lines = measure.wrap(text, columns: max(2, area.columns - 2))
                for (offset, line) in lines.prefix(area.rows).enumerated() {
                    frame.put(
                        line, column: area.column + 2, row: area.row + offset, style: theme.bad,
                        before: end)
                }
                return
            }
            if let failure = log.failure {
                let lines = measure.wrap(
                    strings.line(failure, of: nil), columns: max(2, area.columns - 2))
                for (offset, line) in lines.prefix(area.rows).enumerated() {
                    frame.put(
                        line, column: area.column + 2, row: area.row + offset, style: theme.bad,
                        before: end)
                }
                return
            }
            let text: LogText =
                !log.isLoaded || log.isReading
                ? .readingEvents
                : !log.isFiltered
                    ? .noEvents : log.isComplete ? .noEventMatches : .noEventMatchesYet
            put(strings[text], area.column + 2, area.row, theme.quiet, before: end)
            return
        }
        let first = log.firstVisibleRow(of: area.rows, showsSelection: showsSelection)
        let shown = log.lines[first...].prefix(area.rows)
        let times = shown.map { strings.lineTime($0.happenedAt) }
        let timeColumns = times.map { columns($0) }.max() ?? 8
        let isNarrow = area.columns < 64
        let selectedRow = log.selectedRow
        for (offset, line) in shown.enumerated() {
            let row = area.row + offset
            let number = first + offset
            let isSelected = showsSelection && number == selectedRow
            if isSelected {
                put(glyphs.marker, area.column, row, hasFocus ? theme.accent : theme.quiet)
                if hasFocus { frame.cursor = Position(column: area.column + 2, row: row) }
            }
            put(times[offset], area.column + 2, row, theme.quiet, before: end)
            let text = strings.line(line, state, theme)
            var at = area.column + 2 + timeColumns + (isNarrow ? 1 : 2)
            // The longest kind in Japanese has six wide characters.
            let kindColumns = isNarrow ? 10 : strings.language.needsUnicode ? 12 : 11
            put(text.kind, at, row, text.style, before: min(at + kindColumns, end))
            at += kindColumns + 1
            var hasAccount = false
            if !isNarrow, showsAccounts, case .event(let event) = line {
                hasAccount = event.account != nil
            }
            let textEnd = end - (hasAccount ? 14 : 0)
            put(text, at, row, isSelected ? theme.strong : .plain, before: textEnd)
            if !isNarrow, showsAccounts, case .event(let event) = line, let account = event.account
            {
                putRight(account.rawValue, before: end, row, theme.quiet, from: textEnd + 1)
            }
            target(.eventLog(.pointed(row: number)), area.column, row, to: end)
        }
    }
}
