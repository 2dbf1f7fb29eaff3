import ShopCore
import StoreModel
import Terminal

/// Heights of the console's parts.
enum ConsoleDrawing {
    static let requestsMax = 5

    /// Rows that are not the log's.
    static func fixedRows(_ state: ShopState, columns: Int) -> Int {
        let waiting = max(1, min(requestsMax, state.console.requests.count))
        // The switches take up to three rows where columns are dear.
        return 4 + waiting + (columns < 60 ? 3 : 2)
    }
}

extension Canvas {
    /// The operator's side: switches, what waits, and everything that happens in the store.
    mutating func drawConsole() {
        let left = layout.isCompact ? 0 : 1
        var row = layout.body.row
        row = drawSwitches(left, row) + 1
        row = drawRequests(left, row) + 1
        drawEvents(left, row)
    }

    private mutating func drawSwitches(_ left: Int, _ first: Int) -> Int {
        let settings = state.settings
        let on = words.say("on", "オン")
        let off = words.say("off", "オフ")
        var at = left
        let fault = state.faults.first.map { "\($0.error)" }
        let parts: [(String, String, String, Style)] = [
            (
                "t", words.say("Ask to Buy", "承認制"), settings?.askToBuy == true ? on : off,
                settings?.askToBuy == true ? theme.waiting : .plain
            ),
            (
                "p", words.say("payments", "購入"),
                state.canMakePayments ? words.say("allowed", "許可") : words.say("not allowed", "禁止"),
                state.canMakePayments ? .plain : theme.bad
            ),
            (
                "f", words.say("next purchase", "次の購入"),
                fault.map { words.say("fails with \($0)", "失敗 (\($0))") }
                    ?? words.say("as it comes", "通常"),
                fault == nil ? .plain : theme.bad
            ),
        ]
        var row = first
        for (key, name, value, style) in parts {
            let width = columns("\(key) \(name): \(value)")
            if at + width > layout.columns, at > left {
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
            words.say("WAITING FOR YOU", "承認待ち"),
            words.say("a approve  d decline", "a 承認  d 却下"), left, first)
        guard !state.console.requests.isEmpty else {
            put(words.say("Nothing waits.", "ありません。"), left + 2, row, theme.quiet)
            return row + 1
        }
        let shown = min(ConsoleDrawing.requestsMax, state.console.requests.count)
        let start = min(
            max(0, state.console.chosenRequest - shown + 1), state.console.requests.count - shown)
        for number in start..<(start + shown) {
            let request = state.console.requests[number]
            let isChosen = number == state.console.chosenRequest
            if isChosen {
                put(glyphs.marker, left, row, theme.accent)
                if state.sheet == nil { frame.cursor = Position(column: left + 2, row: row) }
            }
            var at = put(texts.time(request.askedAt), left + 2, row, theme.quiet) + 2
            let product = state.productList.product(request.payment.productID)
            let price = Price(
                money: request.payment.shownPrice.multiplied(by: request.payment.quantity),
                locale: product?.priceLocale ?? state.shop.locale)
            let name = product?.displayName ?? request.payment.productID.rawValue
            let asker = layout.isCompact ? "\(request.account): " : ""
            at = put(
                "\(asker)\(name), \(words.price(price))", at, row, isChosen ? theme.strong : .plain,
                before: layout.columns - (layout.isCompact ? 0 : 20))
            let who = "\(request.account) \(glyphs.dot) \(request.device)"
            if !layout.isCompact {
                putRight(who, before: layout.columns, row, theme.quiet, from: at + 2)
            }
            row += 1
        }
        return row
    }

    private mutating func drawEvents(_ left: Int, _ first: Int) {
        // A heading with nothing below it says nothing.
        guard first + 2 < layout.messageRow else { return }
        let count = state.console.eventCount
        var row = heading(
            words.say("EVENTS", "イベント"),
            words.say("\(count) since this shop opened", "開いてから \(count) 件"), left, first)
        let room = layout.messageRow - 1 - row
        guard room > 0 else { return }
        if state.console.events.isEmpty {
            put(
                words.say("Nothing has happened since this shop opened.", "まだありません。"), left + 2,
                row, theme.quiet)
        }
        let scroll = min(state.console.eventScroll, max(0, state.console.events.count - room))
        for event in state.console.events.dropFirst(scroll).prefix(room) {
            var at = put(texts.time(event.at), left + 2, row, theme.quiet) + 2
            let (kind, text, style) = words.event(event, state, theme)
            put(kind, at, row, style, before: at + 11)
            at += layout.isCompact ? 10 : 12
            let end = layout.columns - (layout.isCompact ? 0 : 12)
            put(text, at, row, .plain, before: end)
            if !layout.isCompact, let account = event.account {
                putRight(account.rawValue, before: layout.columns, row, theme.quiet, from: end + 1)
            }
            row += 1
        }
    }

    private mutating func heading(_ name: String, _ note: String, _ left: Int, _ row: Int) -> Int {
        let at = put(name, left, row, theme.quiet.bold)
        putRight(note, before: layout.columns, row, theme.quiet, from: at + 2)
        return row + 1
    }
}

extension Words {
    func event(_ event: ConsoleEvent, _ state: ShopState, _ theme: Theme) -> (
        kind: String, text: String, style: Style
    ) {
        func name(_ id: ProductID?) -> String {
            guard let id else { return "?" }
            return state.productList.product(id)?.displayName ?? id.rawValue
        }
        return switch event.what {
        case .purchased(let product, let id):
            (say("purchased", "購入"), "\(name(product))  \(id)", theme.good)
        case .revised(let product, let id, let kind):
            (revision(kind), "\(name(product))  \(id)", theme.waiting)
        case .deleted(let product, let id):
            (say("deleted", "削除"), "\(name(product))  \(id)", theme.waiting)
        case .autoRenewChanged(let product, let isOn):
            (
                say("renews", "自動更新"),
                "\(name(product))  \(isOn ? say("on", "オン") : say("off", "オフ"))", .plain
            )
        case .clockSet(let state):
            (
                say("clock", "時計"),
                state.isStopped ? say("stopped", "停止") : say("running", "動作中"), .plain
            )
        case .renewalsSet(let settings):
            (say("renewals", "更新"), settings.rate.name, .plain)
        case .unknown(let kind):
            (say("unknown", "不明"), say("kind \(kind)", "種類\(kind)"), theme.bad)
        case .deferred(let product, let request):
            (say("deferred", "保留"), "\(name(product))  \(request)", theme.waiting)
        case .failed(let product, let error, _):
            (say("failed", "失敗"), "\(name(product))  \(error.code)", theme.bad)
        case .finished(let id): (say("finished", "完了"), "\(id)", .plain)
        case .claimed(let id, let device):
            (say("claimed", "引継"), say("\(id) by \(device)", "\(id) \(device)"), .plain)
        case .catalogRevised(let revision):
            (say("catalog", "カタログ"), say("revision \(revision)", "第\(revision)版"), .plain)
        case .accountChanged(let settings):
            (
                say("account", "設定"),
                say(
                    "Ask to Buy \(settings.askToBuy ? "on" : "off"), "
                        + "payments \(settings.canMakePayments ? "allowed" : "not allowed"), "
                        + settings.territory,
                    "承認制 \(settings.askToBuy ? "オン" : "オフ")、購入 "
                        + "\(settings.canMakePayments ? "許可" : "禁止")、\(settings.territory)"),
                .plain
            )
        case .faultSet(let fault):
            (
                say("fault", "障害"),
                fault.remaining == 1
                    ? say("\(fault.error) for the next purchase", "次の購入: \(fault.error)")
                    : say(
                        "\(fault.error) for the next \(fault.remaining) purchases",
                        "次の\(fault.remaining)回の購入: \(fault.error)"),
                theme.bad
            )
        case .faultCleared(let fault):
            (
                say("fault", "障害"),
                fault.remaining == 0
                    ? say("\(fault.error) is over", "\(fault.error) 終了")
                    : say(
                        "\(fault.error), \(fault.remaining) left",
                        "\(fault.error) 残り\(fault.remaining)"),
                .plain
            )
        }
    }

    private func revision(_ kind: RevisionKind) -> String {
        switch kind {
        case .refunded: say("refunded", "返金")
        case .revoked: say("revoked", "取り消し")
        case .refundReversed: say("reversed", "返金取消")
        }
    }
}
