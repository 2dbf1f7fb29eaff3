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

extension ShopState {
    /// What Esc does in a log that has marks or a filter; nil if it has neither.
    var clearsLog: KeyText? {
        guard let log = focusedLog else { return nil }
        return !log.marked.isEmpty ? .keyUnmark : log.isFiltered ? .keyClearSearch : nil
    }
}

/// The keys of a screen with an event log.
extension KeyBinding {
    static let search = KeyBinding(.search, .searchOpened, .keyFilter)
    static let cycleGroup = KeyBinding(.kinds, .eventLog(.groupCycled), .keyKinds)
    static let inspect = KeyBinding(
        "Enter", [.enter], .confirmed, isUseful: { $0.selectedItem != nil }
    ) { _ in .keyInspect }
    static let copyIdentifier = KeyBinding(
        .copy, .eventLog(.identifierCopied), .keyCopyIdentifier,
        isUseful: { $0.selectedItem != nil })
    static let copySignedText = KeyBinding(
        .copySigned, .eventLog(.signedTextCopied), .keyCopySigned,
        isUseful: { state in
            if case .line(let line)? = state.selectedItem { line.transaction != nil } else { false }
        })
    // The operator's keys for the marked sales, otherwise for the selected one.
    static let refund = ofSales(.refund, .refund)
    static let renew = ofSales(.renew, .renew)
    static let expire = ofSales(.expire, .expire)
    static let delete = ofSales(.deleteSale, .delete)

    private static func ofSales(_ name: KeyName, _ kind: OperatorAction.Kind) -> KeyBinding {
        KeyBinding(
            name, .console(.salesChosen(kind)),
            isUseful: { $0.mayPerform(kind) && !$0.sales(for: kind).isEmpty }
        ) { _ in .keyOperate(kind) }
    }

    static let mark = KeyBinding(
        .mark, .eventLog(.marked), isUseful: { $0.mayMark }
    ) { _ in .keyMark }
    static let claim = KeyBinding(
        .claim, .eventLog(.saleClaimed), .keyClaim, isUseful: { $0.claimableSale != nil })
}

extension Canvas {
    /// The filter, otherwise the number of events; offline, with the age of the events.
    func note(on log: EventLog) -> String {
        // Offline, the account's events are as old as the store's last answer.
        let asOf = log.asOf ?? (log.scope == .account ? state.accountAsOf : nil)
        let age = asOf.map { strings[.offlineAsOf(strings.instant($0))] }
        let order = log.isComplete ? log.sort.map { strings.title(of: $0) } : nil
        let marked = log.markedLines.count
        let arranged =
            (order.map { [strings[.sortedBy($0)]] } ?? [])
            + (marked > 0 ? [strings[.markedLines(marked)]] : [])
        guard !log.isTyping, !log.isFiltered else {
            let text = log.text + (log.isTyping ? "_" : "")
            let group = log.group == .all ? nil : strings.group(log.group)
            // The hint names the fields of the filter until the first character is typed.
            let fields = LogFilter.fields(in: log.scope).map(\.typed).joined(separator: " ")
            let hint = log.isTyping && log.text.isEmpty ? fields : nil
            return
                (arranged + [group, text.isEmpty ? nil : "/" + text, hint, age].compactMap(\.self))
                .joined(separator: "  ")
        }
        let all = log.isComplete ? strings[.eventCount(log.lines.count)] : strings[.eventsOfAllTime]
        return (arranged + [age ?? all]).joined(separator: "  ")
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
        var end = area.column + area.columns
        guard area.rows > 0 else { return }
        guard !log.lines.isEmpty else {
            let problem =
                log.filterProblem.map { strings.problem($0, of: log, state) }
                ?? log.failure.map { strings.line($0, of: nil) }
            if let problem {
                let lines = measure.wrap(problem, columns: max(2, area.columns - 2))
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
        let window = log.window(room: area.rows, showsSelection: showsSelection)
        if window.hasArrows { end -= 2 }
        let shown = log.lines[window.shown]
        let times = shown.map { strings.lineTime($0.happenedAt) }
        let isNarrow = area.columns < 64
        let accounts = shown.map { line in
            guard !isNarrow, showsAccounts, case .event(let event) = line else { return "" }
            return event.account?.rawValue ?? ""
        }
        let accountColumns = min(12, accounts.map { columns($0) }.max() ?? 0)
        let timeColumns = times.map { columns($0) }.max() ?? 8
        let kindStart = area.column + 2 + timeColumns + (isNarrow ? 1 : 2)
        // The longest kind in Japanese has six wide characters.
        let start = kindStart + (isNarrow ? 10 : strings.language.needsUnicode ? 12 : 11) + 1
        let textEnd = end - (accountColumns > 0 ? accountColumns + 2 : 0)
        let selectedRow = showsSelection ? log.selectedRow : nil
        drawRows(
            window, in: area, hasFocus: hasFocus, indent: 2,
            // Of a log that is not loaded to its end, the number of older lines is unknown.
            words: { canvas, hidden in
                log.isComplete || hidden.lowerBound == 0 ? canvas.strings[.more(hidden.count)] : ""
            }
        ) { canvas, number, row in
            let line = log.lines[number]
            let isSelected = number == selectedRow
            if isSelected { canvas.drawMarker(area.column, row, hasFocus: hasFocus) }
            if log.marked.contains(line.id) {
                canvas.put("*", area.column + 1, row, canvas.theme.accent)
            }
            let offset = number - window.shown.lowerBound
            canvas.put(times[offset], area.column + 2, row, canvas.theme.quiet, before: end)
            let text = canvas.strings.line(line, canvas.state, canvas.theme)
            canvas.put(text.kind, kindStart, row, text.style, before: min(start - 1, end))
            canvas.put(text, start, row, isSelected ? canvas.theme.strong : .plain, before: textEnd)
            canvas.putRight(
                accounts[offset], before: end, row, canvas.theme.quiet, from: textEnd + 2)
            canvas.target(.eventLog(.pointed(row: number)), area.column, row, to: end)
        }
    }

    /// The mark of a selected line, with the cursor on its text where the keys act on it.
    mutating func drawMarker(_ column: Int, _ row: Int, hasFocus: Bool, text: Int? = nil) {
        put(glyphs.marker, column, row, hasFocus ? theme.accent : theme.quiet)
        if hasFocus { frame.cursor = Position(column: text ?? column + 2, row: row) }
    }
}
