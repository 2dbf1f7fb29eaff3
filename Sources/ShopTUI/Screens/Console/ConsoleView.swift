import ShopCore
import ShopText
import StoreModel
import Terminal

/// The operator's console.
enum ConsoleView: ComponentView {
    static let helpTitle: ScreenText? = .helpConsole

    static let keys: [KeyBinding] =
        [
            KeyBinding(
                "a", [.character("a")], .console(.requestApproved),
                isUseful: { $0.chosenRequest != nil }
            ) { _ in .keyApprove },
            KeyBinding(
                "d", [.character("d")], .console(.requestDeclined),
                isUseful: { $0.chosenRequest != nil }
            ) { _ in .keyDecline },
            KeyBinding(
                "o", [.character("o"), .escape, .backspace], .consoleToggled
            ) { _ in .keyShop },
            KeyBinding("t", [.character("t")], .console(.askToBuyToggled)) { _ in
                .keyAskToBuy
            },
            KeyBinding("f", [.character("f")], .console(.failureSheetOpened)) { _ in
                .keyFailNext
            },
            KeyBinding(
                "x", [.character("x")], .console(.failuresCleared), isUseful: { !$0.faults.isEmpty }
            ) { _ in .keyClearFailures },
            KeyBinding("p", [.character("p")], .console(.paymentsToggled)) { _ in
                .keyPayments
            },
            .palette, .quit, .pointer, .next, .previous,
        ] + KeyBinding.moves() + KeyBinding.views + [.help]

    static func draw(on canvas: inout Canvas) { canvas.drawConsole() }

    static func scrolling(on canvas: Canvas) -> Scrolling {
        let area = canvas.layout.console
        let fixed = fixedRows(canvas.state, columns: area.columns + 1)
        return Scrolling(rows: max(1, area.rows - fixed))
    }

    static let requestsMax = 5

    /// The rows of everything but the log's lines.
    private static func fixedRows(_ state: ShopState, columns: Int) -> Int {
        let waiting = max(1, min(requestsMax, state.console.requests.count))
        // In fewer than 60 columns the three switches may need a row each.
        return 4 + waiting + (columns < 60 ? 3 : 2)
    }
}

extension Canvas {
    private var consoleEnd: Int { layout.console.column + layout.console.columns }
    private var consoleBottom: Int { layout.console.row + layout.console.rows }
    private var isConsoleNarrow: Bool { layout.console.columns < 59 || layout.isCompact }

    /// Draws the console: switches, approval requests, and the log of the store's events.
    mutating func drawConsole() {
        let left = layout.console.column + (layout.panes < 3 ? layout.margin : 0)
        var row = layout.console.row
        row = drawSwitches(left, row) + 1
        row = drawRequests(left, row) + 1
        drawEvents(left, row)
    }

    private mutating func drawSwitches(_ left: Int, _ first: Int) -> Int {
        let settings = state.settings
        let on = wording[.on]
        let off = wording[.off]
        var at = left
        let fault = state.faults.first.map { "\($0.error)" }
        let parts: [(String, String, String, Style)] = [
            (
                "t", wording[.askToBuy], settings?.askToBuy == true ? on : off,
                settings?.askToBuy == true ? theme.waiting : .plain
            ),
            (
                "p", wording[.payments],
                state.canMakePayments ? wording[.allowed] : wording[.forbidden],
                state.canMakePayments ? .plain : theme.bad
            ),
            (
                "f", wording[.nextPurchase],
                fault.map { wording[.failsWith(error: $0)] } ?? wording[.succeeds],
                fault == nil ? .plain : theme.bad
            ),
        ]
        var row = first
        for (key, name, value, style) in parts {
            let width = columns("\(key) \(name): \(value)")
            if at + width > consoleEnd, at > left {
                row += 1
                at = left
            }
            at = put(key, at, row, theme.accent)
            at = put(" \(name): ", at, row, theme.quiet)
            at = put(value, at, row, style) + 3
        }
        return row + 1
    }

    private mutating func drawRequests(_ left: Int, _ first: Int) -> Int {
        var row = heading(
            wording[.approvals],
            wording[.approvalKeys], left, first)
        guard !state.console.requests.isEmpty else {
            put(wording[.noRequests], left + 2, row, theme.quiet)
            return row + 1
        }
        let shown = min(ConsoleView.requestsMax, state.console.requests.count)
        let start = min(
            max(0, state.console.chosenRequest - shown + 1), state.console.requests.count - shown)
        for number in start..<(start + shown) {
            let request = state.console.requests[number]
            let isChosen = number == state.console.chosenRequest
            if isChosen {
                put(glyphs.marker, left, row, theme.accent)
                if state.focus == .console { frame.cursor = Position(column: left + 2, row: row) }
            }
            var at = put(strings.formatters.time(request.askedAt), left + 2, row, theme.quiet) + 2
            let product = state.productList.product(request.payment.productID)
            let price = Price(
                money: request.payment.shownPrice.multiplied(by: request.payment.quantity),
                locale: product?.priceLocale ?? state.shop.locale)
            let name = product?.displayName ?? request.payment.productID.rawValue
            let asker = isConsoleNarrow ? "\(request.account): " : ""
            at = put(
                "\(asker)\(name), \(strings.price(price))", at, row,
                isChosen ? theme.strong : .plain,
                before: consoleEnd - (isConsoleNarrow ? 0 : 20))
            let who = "\(request.account) \(glyphs.dot) \(request.device)"
            if !isConsoleNarrow {
                putRight(who, before: consoleEnd, row, theme.quiet, from: at + 2)
            }
            row += 1
        }
        return row
    }

    private mutating func drawEvents(_ left: Int, _ first: Int) {
        // No heading without room for a line below it.
        guard first + 2 < consoleBottom + 1 else { return }
        let count = state.console.eventCount
        var row = heading(
            wording[.events],
            wording[.eventsSinceOpening(count)], left, first)
        let room = consoleBottom - row
        guard room > 0 else { return }
        if state.console.events.isEmpty {
            put(
                wording[.noEvents], left + 2,
                row, theme.quiet)
        }
        let scroll = min(state.console.eventScroll, max(0, state.console.events.count - room))
        for event in state.console.events.dropFirst(scroll).prefix(room) {
            var at = put(strings.formatters.time(event.at), left + 2, row, theme.quiet) + 2
            let (kind, text, style) = wording.event(event, state, theme)
            put(kind, at, row, style, before: at + 11)
            at += isConsoleNarrow ? 10 : 12
            let end = consoleEnd - (isConsoleNarrow ? 0 : 12)
            put(text, at, row, .plain, before: end)
            if !isConsoleNarrow, let account = event.account {
                putRight(account.rawValue, before: consoleEnd, row, theme.quiet, from: end + 1)
            }
            row += 1
        }
    }

    private mutating func heading(_ name: String, _ note: String, _ left: Int, _ row: Int) -> Int {
        let at = put(name, left, row, theme.quiet.bold)
        putRight(note, before: consoleEnd, row, theme.quiet, from: at + 2)
        return row + 1
    }
}
