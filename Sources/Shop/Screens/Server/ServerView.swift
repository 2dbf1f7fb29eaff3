import Basics
import Foundation
import ShopText
import StoreModel
import Terminal

extension ServerScreen: ComponentView {
    static let helpTitle: KeyText? = .helpServer

    static let keys: [KeyBinding] =
        [
            KeyBinding(
                "Enter", [.enter], .confirmed,
                isUseful: { $0.server.count > 0 && !$0.server.isInspecting }
            ) { _ in .keyInspect },
            KeyBinding(
                .resend, .server(.resendChosen), .keyResend,
                isUseful: { $0.server.selectedNotification != nil && $0.server.hasAddress }),
            KeyBinding(
                .sendTest, .server(.testChosen), .keySendTest,
                isUseful: { $0.server.hasAddress }),
            KeyBinding(.setAddress, .server(.addressChosen), .keySetAddress),
            KeyBinding(.kinds, .server(.listCycled)) {
                $0.server.list == .requests ? .keyNotifications : .keyRequests
            },
            .back, .palette, .openConsole, .left, .right, .quit, .pointer, .next, .previous,
        ] + KeyBinding.moves() + KeyBinding.views + [.help]

    static func draw(on canvas: inout Canvas) { canvas.drawServer() }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        guard canvas.state.server.isInspecting else {
            return Scrolling(rows: canvas.serverRows.rows)
        }
        let area = canvas.inspectorArea
        let count = canvas.inspectorLines(columns: area.columns).count
        return RowWindow(count: count, room: area.rows, from: canvas.state.server.scroll)
            .scrolling
    }
}

extension AddressLine: ComponentView {
    static let helpTitle: KeyText? = nil

    static let keys: [KeyBinding] = [
        KeyBinding("Enter", [.enter], .confirmed) { _ in .keySetAddress },
        KeyBinding("Esc", [.escape], .wentBack) { _ in .keyCancel },
    ]

    static func draw(on canvas: inout Canvas) {}
    static func scrolling(on canvas: Canvas) -> Scrolling { ServerScreen.scrolling(on: canvas) }
    static func typed(_ text: String) -> ShopAction? { .server(.addressTyped(text)) }
    static var erased: ShopAction? { .server(.addressErased) }
}

extension Canvas {
    /// The list, the names of both lists above it, and the address below it.
    private var serverArea: Area {
        var area = layout.body
        area.column += layout.margin
        area.columns -= layout.margin
        if layout.isBeside {
            area.columns = min(Layout.rowColumnsMax, area.columns * 56 / 100)
        } else if !layout.isLinear {
            area.columns = min(area.columns, Layout.rowColumnsMax)
        }
        return area
    }

    fileprivate var serverRows: Area {
        let area = serverArea
        return Area(
            column: area.column, row: area.row + 1, columns: area.columns,
            rows: max(1, area.rows - 2))
    }

    /// Beside the list where there is room, else in its place.
    fileprivate var inspectorArea: Area {
        guard layout.isBeside else { return linesArea }
        let column = serverArea.column + serverArea.columns + 3
        return Area(
            column: column, row: layout.body.row,
            columns: min(layout.columns - column, Layout.textColumnsMax),
            rows: layout.body.rows)
    }

    fileprivate mutating func drawServer() {
        let part = state.server
        if layout.isBeside || part.isInspecting {
            let area = inspectorArea
            draw(
                inspectorLines(columns: area.columns), in: area, scroll: part.scroll,
                hasFocus: part.isInspecting)
            if part.isInspecting {
                frame.cursor = Position(column: area.column, row: area.row)
            }
            guard layout.isBeside else { return }
            for row in area.row..<(area.row + area.rows) {
                put(glyphs.divider, area.column - 2, row, theme.quiet)
            }
        }
        drawListNames(part)
        if part.count == 0 {
            drawEmpty(part)
        } else {
            drawRows(of: part)
        }
        drawAddress(part)
    }

    private mutating func drawListNames(_ part: ServerPart) {
        let area = serverArea
        let end = area.column + area.columns
        var at = area.column
        let lists: [(ServerPart.List, ServerText, Int)] = [
            (.notifications, .notificationsTitle, part.notifications.count),
            (.requests, .requestsTitle, part.requests.count),
        ]
        for (list, title, count) in lists {
            let text = strings[title] + (count > 0 ? " \(count)" : "")
            let isShown = list == part.list
            let last = put(text, at, area.row, isShown ? theme.accent : theme.quiet, before: end)
            if !isShown { target(.server(.listChosen(list)), at, area.row, to: last) }
            at = last + 3
        }
    }

    private mutating func drawEmpty(_ part: ServerPart) {
        let area = serverRows
        let none: ServerText =
            part.list == .notifications ? .noNotificationsYet : .noRequestsYet
        let text =
            part.error.map { strings.line($0, of: nil) }
            ?? strings[part.snapshot == nil ? ServerText.readingServer : none]
        for (offset, line) in measure.wrap(text, columns: area.columns)
            .prefix(area.rows).enumerated()
        {
            frame.put(
                line, column: area.column, row: area.row + offset,
                style: part.error == nil ? theme.quiet : theme.bad,
                before: area.column + area.columns)
        }
    }

    private mutating func drawRows(of part: ServerPart) {
        let area = serverRows
        let window = part.window(room: area.rows, isMarked: state.sheet == nil)
        let end = area.column + area.columns - (window.hasArrows ? 2 : 0)
        let hasFocus = state.focus == .server && !part.isInspecting
        drawRows(window, in: area, hasFocus: hasFocus, indent: 4) { canvas, number, row in
            let isSelected = number == part.selectedRow
            if isSelected {
                canvas.put(
                    canvas.glyphs.marker, area.column, row,
                    hasFocus ? canvas.theme.accent : canvas.theme.quiet)
                if hasFocus { canvas.frame.cursor = Position(column: area.column + 2, row: row) }
            }
            let line = canvas.serverLine(number, of: part)
            canvas.put(line.sign, area.column + 2, row, line.style)
            let room = end - area.column - 6 - canvas.columns(line.name)
            let right = canvas.putRight(
                canvas.choose(line.states, columns: room), before: end, row, line.style,
                from: area.column + area.columns / 3)
            canvas.put(
                line.name, area.column + 4, row, isSelected ? canvas.theme.strong : .plain,
                before: right - 2)
            canvas.target(.server(.pointed(row: number)), area.column, row, to: end)
        }
    }

    /// A row of the list: a sign, and what became of it at the right, from long to short.
    private func serverLine(
        _ number: Int, of part: ServerPart
    ) -> (sign: String, name: String, states: [String], style: Style) {
        func name(_ at: Timestamp, _ text: String) -> String {
            layout.isCompact ? text : "\(strings.lineTime(at))  \(text)"
        }
        switch part.list {
        case .requests:
            let request = part.requests[number]
            let time = strings.milliseconds(request.milliseconds)
            return (
                request.status < 400 ? glyphs.done : glyphs.wrong,
                name(
                    request.at, UntrustedText.clean("\(request.method) \(request.path)")),
                (layout.isCompact ? [] : ["\(request.status)  \(time)"]) + ["\(request.status)"],
                style(of: request)
            )
        case .notifications:
            let item = part.notifications[number]
            let state = strings[.notification(.state(item.state))]
            let tries = item.attempts.count > 1 ? [strings[.tries(item.attempts.count)]] : []
            let next = item.next.map { [strings[.nextAttempt(at: strings.lineTime($0))]] } ?? []
            let long = [[state] + tries + next, [state] + next].map { strings.list($0) }
            let (sign, style) = look(of: item)
            return (
                sign, name(item.notification.at, item.notification.kind.description),
                (layout.isCompact ? [] : long) + [state], style
            )
        }
    }

    private func style(of request: ServerRequest) -> Style {
        request.status < 400 ? theme.good : request.status < 500 ? theme.waiting : theme.bad
    }

    private func look(of item: OutboxItem) -> (sign: String, style: Style) {
        switch item.state {
        case .sent: (glyphs.done, theme.good)
        case .waiting: (glyphs.underWay, theme.waiting)
        case .failing, .failed: (glyphs.wrong, theme.bad)
        case .noAddress: ("", theme.quiet)
        }
    }

    private mutating func drawAddress(_ part: ServerPart) {
        let area = serverArea
        let row = area.row + area.rows - 1
        let end = area.column + area.columns
        if let typed = part.address {
            // Where the address is longer than the field, its end is shown: the cursor is there.
            let prompt = strings[.addressField]
            var shown = typed
            while !shown.isEmpty, columns(prompt + shown) > layout.columns - area.column - 2 {
                shown = String(shown.dropFirst())
            }
            _ = drawFilter(prompt, shown, area.column, row, hint: strings[.addressHint])
            return
        }
        guard let snapshot = part.snapshot else { return }
        let address = snapshot.settings?.url
        let text: ServerText =
            if let address, snapshot.obstacle == .otherHost {
                .ofOtherHost(address: UntrustedText.clean(address))
            } else {
                .sentTo(address: address.map { UntrustedText.clean($0) })
            }
        put(strings[text], area.column, row, theme.quiet, before: end)
    }

    // MARK: - The inspector

    /// In lines of at most `limit` columns; empty without a selection.
    fileprivate func inspectorLines(columns limit: Int) -> [DetailLine] {
        let part = state.server
        if let request = part.selectedRequest {
            let title = UntrustedText.clean("\(request.method) \(request.path)")
            return titleLines(title, columns: limit)
                + factLines(
                    [
                        (strings[.whenFact], strings.instant(request.at)),
                        (strings[.statusFact], "\(request.status)"),
                        (strings[.timeFact], strings.milliseconds(request.milliseconds)),
                    ], columns: limit)
        }
        guard let item = part.selectedNotification else { return [] }
        var facts = strings.facts(item)
        let details = part.details?.notification == item.notification ? part.details : nil
        if let details {
            let verdict =
                details.problem.map {
                    strings[.notVerifiedFact(reason: strings.namesConsole ? $0.rawValue : nil)]
                } ?? strings[.verifiedFact]
            facts.append((strings[.signatureFact], verdict))
        }
        return titleLines(item.notification.kind.description, columns: limit)
            + factLines(facts, columns: limit)
            + partLines(.payloadPart, details?.payload, columns: limit)
            + partLines(.transactionPart, details?.transaction, columns: limit)
            + partLines(.renewalPart, details?.renewalInfo, columns: limit)
    }

    private var emptyLine: DetailLine { DetailLine(text: measure.measure(""), style: .plain) }

    private func titleLines(_ title: String, columns limit: Int) -> [DetailLine] {
        measure.wrap(title, columns: limit).map { DetailLine(text: $0, style: theme.strong) }
            + (layout.isCompact ? [] : [emptyLine])
    }

    private func partLines(
        _ title: ServerText, _ lines: [String]?, columns limit: Int
    ) -> [DetailLine] {
        guard let lines, !lines.isEmpty else { return [] }
        let heading = DetailLine(
            isHeading: true, text: measure.measure(strings[title]), style: theme.quiet)
        return [emptyLine, heading]
            + lines.flatMap { line in
                measure.wrap(line, columns: limit).map { DetailLine(text: $0, style: .plain) }
            }
    }
}

extension Strings {
    fileprivate func milliseconds(_ time: Double) -> String {
        self[.milliseconds(Int(exactly: time).map { "\($0)" } ?? "\(time)")]
    }

    /// A label and a value each, in the order to show them.
    fileprivate func facts(_ item: OutboxItem) -> [(label: String, value: String)] {
        let notification = item.notification
        var facts: [(label: String, value: String)] = [
            (self[.whenFact], instant(notification.at)),
            (self[.stateFact], self[.notification(.state(item.state))]),
        ]
        for (number, attempt) in item.attempts.enumerated() {
            let parts = [
                instant(attempt.at), attempt.result.rawValue, attempt.status.map { "\($0)" } ?? "",
                milliseconds(Double(attempt.milliseconds)),
            ]
            facts.append(
                (
                    self[.attemptFact(number + 1)],
                    parts.filter { !$0.isEmpty }.joined(separator: "  ")
                ))
        }
        if let next = item.next { facts.append((self[.nextFact], instant(next))) }
        if let product = notification.productID {
            facts.append((self[.productFact], product.rawValue))
        }
        if let transaction = notification.transaction {
            facts.append((self[LogText.transaction], transaction.description))
        }
        facts.append((self[.uuidFact], notification.id.uuidString.lowercased()))
        return facts
    }
}
