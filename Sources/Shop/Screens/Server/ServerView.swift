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
                .resend, .server(.resendChosen), .ofServer(.resend),
                isUseful: { $0.server.selectedNotification != nil && $0.server.hasAddress }),
            KeyBinding(
                .sendTest, .server(.testChosen), .ofServer(.sendTest),
                isUseful: { $0.server.hasAddress }),
            KeyBinding(.setAddress, .server(.addressChosen), .ofServer(.setAddress)),
            KeyBinding(.kinds, .server(.listCycled)) {
                $0.server.list == .requests ? .ofServer(.notifications) : .ofServer(.requests)
            },
            .back, .palette, .openConsole, sideways(.left, -1), sideways(.right, 1), .quit,
            .pointer, .next, .previous,
        ] + KeyBinding.moves() + KeyBinding.views + [.help]

    /// To the other list; among the details to the next row.
    private static func sideways(_ name: KeyName, _ step: Int) -> KeyBinding {
        KeyBinding(name, .choiceMoved(step), isUseful: { _ in false }) {
            guard !$0.server.isInspecting else { return step < 0 ? .keyUp : .keyDown }
            return $0.server.list == .requests ? .ofServer(.notifications) : .ofServer(.requests)
        }
    }

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
        KeyBinding("Enter", [.enter], .confirmed) { _ in .ofServer(.setAddress) },
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

    /// The names of both lists, and where the header has no place for it the number of unsent
    /// notifications, which is always whole: the names give way.
    private mutating func drawListNames(_ part: ServerPart) {
        let area = serverArea
        var end = area.column + area.columns
        if listsUnsent, let unsentText {
            end = putRight(" \(unsentText) ", before: end, area.row, theme.fault) - 1
        }
        var at = area.column
        for (list, text) in listNames(part, columns: end - at) where at < end {
            let isShown = list == part.list
            let last = put(
                text, at, area.row, isShown ? theme.accent : theme.quiet, before: end)
            if !isShown { target(.server(.listCycled), at, area.row, to: last) }
            at = last + Self.listNamesGap
        }
    }

    private static let listNamesGap = 3

    /// With the numbers of their rows; where these do not fit, with that of the list in sight.
    private func listNames(
        _ part: ServerPart, columns limit: Int
    ) -> [(list: ServerPart.List, text: String)] {
        func names(withBoth: Bool) -> [(list: ServerPart.List, text: String)] {
            let lists: [(ServerPart.List, KeyText, Int)] = [
                (.notifications, .ofServer(.notifications), part.notifications.count),
                (.requests, .ofServer(.requests), part.requests.count),
            ]
            return lists.map { list, title, count in
                let isCounted = count > 0 && (withBoth || list == part.list)
                return (list, strings[title].uppercased() + (isCounted ? " \(count)" : ""))
            }
        }
        let both = names(withBoth: true)
        let width = both.reduce(Self.listNamesGap) { $0 + columns($1.text) }
        return width <= limit ? both : names(withBoth: false)
    }

    private mutating func drawEmpty(_ part: ServerPart) {
        let none =
            part.list == .requests
            ? strings[ConsoleText.noRequests] : strings[.notification(.noNotifications)]
        put(
            part.error.map { strings.line($0, of: nil) }
                ?? (part.snapshot == nil ? strings[.readingEvents] : none),
            in: serverRows, part.error == nil ? theme.quiet : theme.bad)
    }

    private mutating func drawRows(of part: ServerPart) {
        let area = serverRows
        let window = part.window(room: area.rows, isMarked: state.sheet == nil)
        let end = area.column + area.columns - (window.hasArrows ? 2 : 0)
        let hasFocus = state.focus == .server && !part.isInspecting
        drawRows(window, in: area, hasFocus: hasFocus, indent: 4) { canvas, number, row in
            let isSelected = number == part.selectedRow
            if isSelected { canvas.putMarker(area.column, row, hasFocus: hasFocus) }
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
        let isShort = layout.isCompact
        switch part.list {
        case .requests:
            let request = part.requests[number]
            let time = isShort ? "" : strings.lineTime(request.at) + "  "
            let status = strings.status(of: request)
            let (sign, style) =
                request.status < 400 ? (glyphs.done, theme.good) : (glyphs.wrong, theme.bad)
            return (
                sign, time + strings.title(of: request),
                isShort ? [status] : ["\(status)  \(request.milliseconds) ms", status], style
            )
        case .notifications:
            let item = part.notifications[number]
            let time = isShort ? "" : strings.lineTime(item.notification.at) + "  "
            let states = strings.states(of: item)
            let (sign, style) = look(of: item)
            return (
                sign, time + item.notification.kind.description,
                (isShort ? [] : [strings.list(states)]) + states.prefix(1), style
            )
        }
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
        if let typed = part.address {
            // Where the address is longer than the field, its end is shown: the cursor is there.
            let prompt = strings[.addressField]
            var shown = typed
            while !shown.isEmpty, columns(prompt + shown) > layout.columns - area.column - 2 {
                shown = String(shown.dropFirst())
            }
            _ = drawFilter(prompt, shown, area.column, row, hint: strings[.addressHint])
        } else if let snapshot = part.snapshot {
            let waiting = snapshot.notifications.count { $0.next != nil }
            let text: NotificationText =
                snapshot.obstacle == .otherHost
                ? .obstacle(.otherHost, waiting: waiting)
                : .sentTo(address: snapshot.settings?.url.map { UntrustedText.clean($0) })
            let wordings = [strings[StatusText.outbox(text)], strings.short(.outbox(text))]
            put(
                choose(wordings.compactMap(\.self), columns: area.columns), area.column, row,
                theme.quiet, before: area.column + area.columns)
        }
    }

    // MARK: - The inspector

    /// In lines of at most `limit` columns; empty without a selection.
    fileprivate func inspectorLines(columns limit: Int) -> [DetailLine] {
        let part = state.server
        func lines(_ text: String, _ style: Style = .plain) -> [DetailLine] {
            measure.wrap(text, columns: limit).map { DetailLine(text: $0, style: style) }
        }
        if let request = part.selectedRequest {
            var found = lines(strings.title(of: request), theme.strong)
            found += lines(
                "\(strings.instant(request.at))  \(strings.status(of: request))  "
                    + "\(request.milliseconds) ms")
            if let refusal = request.tokenRefusal {
                found += lines(strings[ServerText.tokenRefused(refusal)])
            }
            return found
        }
        guard let item = part.selectedNotification else { return [] }
        let details = part.details?.notification == item.notification ? part.details : nil
        var found = lines(item.notification.kind.description, theme.strong)
        found += lines(strings.list(strings.states(of: item)))
        found += factLines(strings.facts(item, details), columns: limit, keepsWords: true)
        guard let details else { return found }
        let parts: [(title: String, json: [String])] = [
            (strings[LogText.payloadHeading], details.payload),
            ("signedTransactionInfo", details.transaction),
            ("signedRenewalInfo", details.renewalInfo),
        ]
        for (title, json) in parts where !json.isEmpty {
            found += [
                DetailLine(text: measure.measure(""), style: .plain),
                DetailLine(isHeading: true, text: measure.measure(title), style: theme.quiet),
            ]
            found += json.flatMap { lines($0) }
        }
        return found
    }
}

extension Strings {
    fileprivate func title(of request: ServerRequest) -> String {
        UntrustedText.clean("\(request.method) \(request.path)")
    }

    /// With the seven digits of an error of the API.
    fileprivate func status(of request: ServerRequest) -> String {
        "\(request.status)" + (request.errorCode.map { " \($0)" } ?? "")
    }

    /// What became of it, and when it is sent next.
    fileprivate func states(of item: OutboxItem) -> [String] {
        let state = self[.notification(.state(item.state))]
        guard let next = item.next else { return [state] }
        return [state, self[.notification(.next(date: lineTime(next)))]]
    }

    /// A label and a value each, in the order to show them.
    fileprivate func facts(
        _ item: OutboxItem, _ details: NotificationDetails?
    ) -> [(label: String, value: String)] {
        let notification = item.notification
        var facts: [(label: String, value: String)] = [
            (self[.whenFact], instant(notification.at))
        ]
        for (number, attempt) in item.attempts.enumerated() {
            let result = self[.notification(.attempt(attempt.result, status: attempt.status))]
            facts.append(
                (
                    self[ConsoleText.attempt(number + 1)],
                    "\(instant(attempt.at))  \(result)  \(attempt.milliseconds) ms"
                ))
        }
        if let product = notification.productID {
            facts.append((self[.productFact], product.rawValue))
        }
        if let transaction = notification.transaction {
            facts.append((self[LogText.transaction], transaction.description))
        }
        facts.append((self[.columnIdentifier], notification.id.uuidString.lowercased()))
        if let details {
            let verdict =
                details.problem.map {
                    self[.notVerifiedFact(reason: namesConsole ? $0.rawValue : nil)]
                } ?? self[.verifiedFact]
            facts.append((self[.signatureFact], verdict))
        }
        return facts
    }
}
