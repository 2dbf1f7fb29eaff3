import ShopText
import StoreModel
import Terminal

extension ConsoleScreen: ComponentView {
    static let helpTitle: KeyText? = .helpConsole
    static let endsInRowCount = true

    static let keys: [KeyBinding] =
        first + switches + rest + KeyBinding.moves() + KeyBinding.views + [.help]

    private static let first: [KeyBinding] =
        [
            KeyBinding(
                .approve, .console(.requestApproved), .keyApprove,
                isUseful: { $0.mayAnswerSelection }),
            KeyBinding(
                .decline, .console(.requestDeclined), .keyDecline,
                isUseful: { $0.mayAnswerSelection }),
            .inspect, .unzoom, .refund, .renew, .expire, .mark, .delete,
            KeyBinding(
                .removeFailure, .console(.failureRemoved), .keyRemoveFailure,
                isUseful: { !$0.faults.isEmpty && $0.mayPerform(.clearFault) }),
            KeyBinding(.toggleConsole, also: [.back], .consoleToggled) { _ in .keyShop },
            .search, .cycleGroup,
        ]

    private static let rest: [KeyBinding] =
        [
            KeyBinding(
                .nextMatch, .console(.nextChosen), isUseful: { $0.isLogFiltered }
            ) { $0.isLogFiltered ? .keyNextMatch : .keyClockNext },
            KeyBinding(
                .clearFailures, .console(.failuresCleared), .keyClearFailures,
                isUseful: { _ in false }),
            .palette, .subscription, .copyIdentifier, .copySignedText, .claim, .quit,
            KeyBinding(
                .previousMatch, also: [.network], .console(.previousChosen),
                isUseful: { $0.isLogFiltered || $0.snapshot.isNetworkCut }
            ) { state in
                state.isLogFiltered
                    ? .keyPreviousMatch : .keyNetwork(turnsOn: state.snapshot.isNetworkCut)
            },
            .signIn, .sort, .zoom, .pointer, .next, .previous,
            KeyBinding(
                "Esc", [.escape], .wentBack, isUseful: { $0.clearsLog != nil }
            ) { $0.clearsLog ?? .keyShop },
        ]

    /// The key of the network has another meaning while a filter stands.
    private static let switches: [KeyBinding] =
        ConsoleMode.allCases.filter { $0 != .network }.map(toggle)

    private static func toggle(_ mode: ConsoleMode) -> KeyBinding {
        KeyBinding(
            mode.key, .console(.toggled(mode)),
            isUseful: { state in
                switch mode {
                case .failures: state.mayPerform(.failNext)
                case .account(.askToBuy), .account(.canMakePayments):
                    state.mayPerform(.changeAccount)
                default: false
                }
            }
        ) { _ in mode == .failures ? .keyFailNext : .mode(mode) }
    }

    static func draw(on canvas: inout Canvas) { canvas.drawConsole() }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        Scrolling(rows: max(1, canvas.consolePlan.events))
    }

    /// The most lines in sight at once, as in the next ones.
    static let requestsMax = 5
    static let refundsMax = 3
    static let notesMax = 4
    static let upcomingMax = 4
    static let faultsMax = 4
}

extension ConsoleMode {
    /// Of the switch in the console.
    fileprivate var key: KeyName {
        switch self {
        case .account(.askToBuy): .askToBuy
        case .account(.canMakePayments): .payments
        case .account(.asksBank): .bank
        case .account(.interruptsPurchases): .interruptions
        case .account(.disablesDialogs): .paymentSheets
        case .failures: .failNext
        case .downloadFaults: .downloadFailures
        case .clock: .clock
        case .network: .network
        case .slowNetwork: .slowNetwork
        case .renewals: .renewals
        }
    }
}

/// The number of rows of each section of the console. Where rows are scarce, the sections above the
/// events shrink, so that at least one event is in sight. The section with the selection keeps at
/// least one line, so that the operator sees the line that the next key acts on.
struct ConsolePlan {
    var switches: Int
    var notes: Int
    var hasGaps: Bool
    var requests: Int
    /// Below the requests, under the same heading.
    var refunds: Int
    var faults: Int
    var upcoming: Int
    /// The lines of events, without the heading.
    var events: Int
    /// With the line above them; 0 if there are no details.
    var details: Int
}

extension Canvas {
    private var consoleArea: Area { isConsolePane ? layout.console : layout.body }
    private var isConsolePane: Bool { state.navigation.view != .console }
    private var consoleEnd: Int {
        let area = consoleArea
        return area.column + (hasInspector ? area.columns * 60 / 100 : area.columns)
    }
    private var consoleLeft: Int {
        consoleArea.column + (isConsolePane ? 0 : layout.margin)
    }
    private var isConsoleNarrow: Bool {
        consoleEnd - consoleLeft < Layout.consoleColumns || layout.isCompact
    }
    /// Whether the details of the selection are drawn at the right of the console.
    private var hasInspector: Bool {
        layout.isBeside && consoleArea.columns >= Layout.besideColumns - 2
    }

    private typealias ConsoleSwitch =
        (mode: ConsoleMode, name: String, value: String, at: Int, row: Int)

    /// Each at its column, in its row of the switches.
    private var switches: [ConsoleSwitch] {
        var (at, row) = (consoleLeft, 0)
        return ConsoleMode.allCases.map { mode in
            let name = " \(strings[ConsoleText.mode(mode)]): "
            let value = value(of: mode)
            let width = columns("\(strings.key(mode.key))\(name)\(value)")
            if at + width > consoleEnd, at > consoleLeft { (at, row) = (consoleLeft, row + 1) }
            defer { at += width + 3 }
            return (mode, name, value, at, row)
        }
    }

    private func value(of mode: ConsoleMode) -> String {
        let isSet = state.isSet(mode)
        return switch mode {
        case .failures where isSet: "\(state.queuedFailures)"
        case .downloadFaults where isSet: "\(state.snapshot.downloadFaults.count)"
        case .clock: strings[isSet ? .stopped : .running]
        case .renewals: state.console.renewals.map { strings.event($0) } ?? strings[.opening]
        case .account(.canMakePayments), .network: strings[isSet ? .off : .on]
        case .account, .failures, .downloadFaults, .slowNetwork: strings[isSet ? .on : .off]
        }
    }

    var consolePlan: ConsolePlan { consolePlan(below: switches) }

    private func consolePlan(below switches: [ConsoleSwitch]) -> ConsolePlan {
        let rows = consoleArea.rows
        var plan = ConsolePlan(
            switches: (switches.last?.row ?? 0) + 1,
            notes: min(ConsoleScreen.notesMax, state.consoleNotes.count), hasGaps: true,
            requests: max(
                state.console.refunds.isEmpty ? 1 : 0,
                min(ConsoleScreen.requestsMax, state.console.requests.count)),
            refunds: min(ConsoleScreen.refundsMax, state.console.refunds.count),
            faults: min(ConsoleScreen.faultsMax, state.faults.count),
            upcoming: min(ConsoleScreen.upcomingMax, state.console.upcoming.count), events: 0,
            // A console pane without the focus has no selection, so it has no details.
            details: isConsolePane && !hasInspector && hasConsoleFocus ? min(16, rows / 3) : 0)
        /// The rows of a section of `lines` lines with its heading and gap; 0 for an empty section.
        func section(_ lines: Int) -> Int {
            lines == 0 ? 0 : lines + 1 + (plan.hasGaps ? 1 : 0)
        }
        func used() -> Int {
            plan.switches + plan.notes + (plan.hasGaps ? 1 : 0)
                + section(plan.requests + plan.refunds)
                + section(plan.faults) + section(plan.upcoming) + 1 + plan.details
        }
        let eventsMin = rows >= 14 ? 4 : rows >= 8 ? 3 : 1
        if used() + eventsMin > rows { plan.details = 0 }
        if used() + eventsMin > rows { plan.hasGaps = false }
        while used() + eventsMin > rows {
            if plan.upcoming > 1 {
                plan.upcoming -= 1
            } else if plan.faults > 1 {
                plan.faults -= 1
            } else if plan.refunds > 1 {
                plan.refunds -= 1
            } else if plan.requests > 1 {
                plan.requests -= 1
            } else if plan.upcoming > 0, state.consoleSection != .upcoming {
                plan.upcoming = 0
            } else if plan.notes > (state.consoleSection == .notes ? 1 : 0) {
                plan.notes -= 1
            } else if plan.switches > 1 {
                plan.switches -= 1
            } else if plan.faults > 0, state.consoleSection != .faults {
                plan.faults = 0
            } else {
                break
            }
        }
        plan.events = max(1, rows - used())
        return plan
    }

    mutating func drawConsole() {
        let switches = switches
        let plan = consolePlan(below: switches)
        let area = consoleArea
        let gap = plan.hasGaps ? 1 : 0
        var row = area.row
        draw(switches, row, rows: plan.switches)
        row += plan.switches
        row = drawNotes(row, rows: plan.notes) + gap
        row = drawRequests(row, rows: plan.requests)
        row = drawRefunds(row, rows: plan.refunds) + gap
        if plan.faults > 0 { row = drawFaults(row, rows: plan.faults) + gap }
        if plan.upcoming > 0 { row = drawUpcoming(row, rows: plan.upcoming) + gap }
        let log = state.console.log
        row = heading(strings[.events], note(on: log), row)
        drawLines(
            of: log,
            in: Area(
                column: consoleLeft, row: row, columns: consoleEnd - consoleLeft,
                rows: min(plan.events, area.row + area.rows - row)),
            showsSelection: state.consoleSection == .events, hasFocus: hasConsoleFocus,
            showsAccounts: true)
        drawInspector(plan)
    }

    private var hasConsoleFocus: Bool { state.focus == .console || state.focus == .logFilter }

    private mutating func drawInspector(_ plan: ConsolePlan) {
        let area = consoleArea
        if hasInspector {
            for row in area.row..<(area.row + area.rows) {
                put(glyphs.divider, consoleEnd + 1, row, theme.quiet)
            }
            let start = consoleEnd + 3
            drawDetails(
                in: Area(
                    column: start, row: area.row, columns: area.column + area.columns - start,
                    rows: area.rows))
        } else if plan.details > 1 {
            let top = area.row + area.rows - plan.details
            rule(top, from: consoleLeft, to: consoleEnd)
            drawDetails(
                in: Area(
                    column: consoleLeft, row: top + 1, columns: consoleEnd - consoleLeft,
                    rows: plan.details - 1))
        }
    }

    private mutating func draw(_ switches: [ConsoleSwitch], _ first: Int, rows: Int) {
        for part in switches where part.row < rows {
            let row = first + part.row
            var at = put(
                strings.key(part.mode.key), part.at, row, theme.accent, before: consoleEnd)
            at = put(part.name, at, row, theme.quiet, before: consoleEnd)
            let style = state.isSet(part.mode) ? theme.bad : .plain
            at = put(part.value, at, row, style, before: consoleEnd)
            target(.console(.toggled(part.mode)), part.at, row, to: at)
        }
    }

    /// `rows` of `count` lines, with the chosen line among them.
    private func window(_ count: Int, rows: Int, around chosen: Int) -> Range<Int> {
        guard rows > 0 else { return 0..<0 }
        return RowWindow(count: count, room: rows, showing: chosen...chosen, isMarked: false).shown
    }

    /// Makes the line clickable, too. Returns whether it is selected.
    private mutating func mark(_ section: ConsolePart.Section, _ number: Int, _ row: Int) -> Bool {
        let isSelected =
            state.consoleSection == section && state.consoleRow(in: section) == number
        if isSelected { drawMarker(consoleLeft, row, hasFocus: hasConsoleFocus) }
        target(.console(.pointed(section, row: number)), consoleLeft, row, to: consoleEnd)
        return isSelected
    }

    private mutating func drawNotes(_ first: Int, rows: Int) -> Int {
        let notes = state.consoleNotes
        let chosen = state.consoleRow(in: .notes)
        for (row, number) in window(notes.count, rows: rows, around: chosen).enumerated() {
            let isChosen = mark(.notes, number, first + row)
            put(
                strings.note(notes[number]), consoleLeft + 2, first + row,
                isChosen ? theme.strong : style(of: notes[number]), before: consoleEnd)
        }
        // The notes have no heading that counts them.
        if rows > 0, notes.count > rows, !layout.isCompact {
            let hidden = strings[.more(notes.count - rows)]
            putRight("  \(hidden)", before: consoleEnd, first + rows - 1, theme.quiet)
        }
        return first + rows
    }

    private func style(of note: ConsolePart.Note) -> Style {
        switch note {
        case .family: theme.quiet
        case .notice: theme.waiting
        case .downloadFaults, .serverTrouble: theme.bad
        }
    }

    private mutating func drawRequests(_ first: Int, rows: Int) -> Int {
        let count = state.console.requests.count
        let all = count + state.console.refunds.count
        let title = strings[.approvals] + (all > 0 ? " \(all)" : "")
        var row = heading(
            title, mayAnswerRequests ? strings[.approvalKeys] : "", first,
            hints: [.requestApproved, .requestDeclined])
        guard count > 0 else {
            guard all == 0 else { return row }
            put(strings[.noRequests], consoleLeft + 2, row, theme.quiet, before: consoleEnd)
            return row + 1
        }
        for number in window(count, rows: rows, around: state.console.chosenRequest) {
            let request = state.console.requests[number]
            let payment = request.payment
            let price = strings.charge(
                of: request, locale: state.priceLocale(of: payment.productID))
            let name = strings.item(state.item(of: payment))
            let reason =
                request.reason == .askToBuy
                ? "" : strings[.listSeparator] + strings.waiting(for: request.reason)
            drawAsked(
                "\(name), \(price)\(reason)", at: request.askedAt, by: request.account,
                on: strings.list(request.devices.map(\.rawValue)),
                isChosen: mark(.requests, number, row), row)
            row += 1
        }
        return row
    }

    private mutating func drawRefunds(_ first: Int, rows: Int) -> Int {
        let refunds = state.console.refunds
        let chosen = state.consoleRow(in: .refunds)
        for (row, number) in window(refunds.count, rows: rows, around: chosen).enumerated() {
            let refund = refunds[number]
            drawAsked(
                strings[.refundOf(name: strings.item(state.item(of: refund)))], at: refund.askedAt,
                by: refund.account, on: refund.device.rawValue,
                isChosen: mark(.refunds, number, first + row), first + row)
        }
        return first + rows
    }

    /// The asking account is at the right, in a narrow console before the text of the request.
    private mutating func drawAsked(
        _ text: String, at instant: Timestamp, by account: AccountName, on devices: String,
        isChosen: Bool, _ row: Int
    ) {
        let who = "\(account) \(glyphs.dot) \(devices)"
        let start = put(strings.lineTime(instant), consoleLeft + 2, row, theme.quiet) + 2
        let end = put(
            (isConsoleNarrow ? "\(account): " : "") + text, start, row,
            isChosen ? theme.strong : .plain,
            before: consoleEnd - (isConsoleNarrow ? 0 : max(20, columns(who) + 2)))
        if !isConsoleNarrow { putRight(who, before: consoleEnd, row, theme.quiet, from: end + 2) }
    }

    /// False while the selected request may not be answered from this console.
    private var mayAnswerRequests: Bool {
        state.chosenRequest == nil && state.chosenRefund == nil || state.mayAnswerSelection
    }

    private mutating func drawFaults(_ first: Int, rows: Int) -> Int {
        let faults = state.faults
        var row = heading(
            "\(strings[.failuresHeading]) \(faults.count)",
            state.mayPerform(.failNext) ? strings[.failureKeys] : "", first,
            hints: [.toggled(.failures), .failureRemoved, .failuresCleared])
        for number in window(faults.count, rows: rows, around: state.consoleRow(in: .faults)) {
            let fault = faults[number]
            let isChosen = mark(.faults, number, row)
            let isNext = faults.first { $0.call == fault.call }?.id == fault.id
            let times = strings[.failureTimes(fault.remaining, isNext: isNext)]
            var at = put(times, consoleLeft + 2, row, theme.quiet, before: consoleEnd) + 2
            if !isConsoleNarrow { at = max(at, consoleLeft + 14) }
            at = put(strings[.callName(fault.call)], at, row, .plain, before: consoleEnd) + 2
            let last = put(
                fault.error.rawValue + strings.timing(of: fault), at, row,
                isChosen ? theme.bad.bold : theme.bad, before: consoleEnd)
            if !isConsoleNarrow {
                put(
                    strings.failure(fault.error, of: fault.call, state), last + 2, row,
                    theme.quiet, before: consoleEnd)
            }
            row += 1
        }
        return row
    }

    private mutating func drawUpcoming(_ first: Int, rows: Int) -> Int {
        let count = state.console.upcoming.count
        var row = heading(
            strings[.nextOnTheClock] + (count > rows ? " \(count)" : ""),
            state.mayPerform(.clock)
                ? strings[.clockKeys(isStopped: state.console.clock?.isStopped == true)] : "",
            first, hints: [.clockMovedToNext, .toggled(.clock)])
        let items = state.console.upcoming
        for number in window(items.count, rows: rows, around: state.consoleRow(in: .upcoming)) {
            let item = items[number]
            let isChosen = mark(.upcoming, number, row)
            let seconds = max(0, item.at.milliseconds(since: state.now) / 1000)
            let time = strings[.inTime(strings.roughly(seconds: seconds))]
            let at = put(time, consoleLeft + 2, row, theme.quiet, before: consoleEnd) + 2
            let next =
                put(
                    strings[.upcomingKind(item.kind)], max(at, consoleLeft + 14), row, .plain,
                    before: consoleEnd) + 2
            put(
                "\(state.name(of: item.productID))  \(item.account)", next, row,
                isChosen ? theme.strong : .plain, before: consoleEnd)
            row += 1
        }
        return row
    }

    /// Returns the row after the heading.
    ///
    /// - Parameter hints: the actions of clicks on the note's parts, which are two columns apart.
    private mutating func heading(
        _ name: String, _ note: String, _ row: Int, hints: [ConsoleAction] = []
    ) -> Int {
        let at = put(name, consoleLeft, row, theme.quiet.bold, before: consoleEnd)
        let start = min(at + 2, consoleEnd)
        var column = putRight(note, before: consoleEnd, row, theme.quiet, from: start)
        // A note that was cut may lack its last hint, so no part of it is clickable.
        guard columns(note) <= consoleEnd - start else { return row + 1 }
        for (hint, action) in zip(note.split(separator: "  "), hints) {
            let end = column + columns(String(hint))
            target(.console(action), column, row, to: end)
            column = end + 2
        }
        return row + 1
    }
}
