import ShopCore
import StoreModel
import Terminal

extension Canvas {
    /// A question, from below, over its own rows: what it is about stays in sight.
    mutating func drawSheet(_ sheet: Sheet) {
        switch sheet {
        case .payment(let payment): drawPaymentSheet(payment)
        case .fault(let fault): drawFaultSheet(fault)
        }
    }

    /// Empties the rows of a sheet and draws its upper edge. Returns the first row inside.
    private mutating func openSheet(rows: Int) -> Int {
        let area = layout.sheet(rows: rows)
        frame.clear(area)
        rule(area.row)
        return area.row + 1
    }

    private mutating func drawPaymentSheet(_ payment: PaymentSheet) {
        let product = payment.product
        let price = Price(of: product, quantity: payment.quantity)
        let facts = paymentFacts(payment, price)
        let isCompact = layout.isCompact
        let labels = paymentLabels(price)
        var row = openSheet(rows: paymentRows(payment))
        let left = isCompact ? 1 : 3
        let question =
            price.money.milliunits == 0
            ? words.say("Get \(product.displayName)?", "\(product.displayName)を入手しますか?")
            : words.say("Buy \(product.displayName)?", "\(product.displayName)を購入しますか?")
        put(question, left, row, theme.strong)
        row += 1
        if !isCompact {
            put(words.whatItIs(product), left, row, theme.quiet)
            row += 2
        }
        let column = left + (isCompact ? 13 : 14)
        for fact in facts {
            put(fact.name, left, row, theme.quiet, before: column - 1)
            put(fact.value, column, row, fact.style)
            row += 1
        }
        if !isCompact { row += 1 }
        _ = buttons(
            labels, chosen: payment.isConfirmChosen ? 1 : 0, column: paymentButtonsStart, row: row,
            end: layout.columns, action: { .buttonPointed($0) })
    }

    private var paymentButtonsStart: Int { layout.isCompact ? 0 : 2 }

    private func paymentLabels(_ price: Price) -> [String] {
        [words.cancel, words.buyFor(price, isAsking: state.settings?.askToBuy == true)]
    }

    private func paymentRows(_ payment: PaymentSheet) -> Int {
        let price = Price(of: payment.product, quantity: payment.quantity)
        let buttons = buttonRows(
            paymentLabels(price), column: paymentButtonsStart, end: layout.columns)
        return paymentFacts(payment, price).count + buttons + (layout.isCompact ? 2 : 6)
    }

    /// The first row a payment sheet covers; nil where there is none.
    var paymentTop: Int? {
        guard case .payment(let payment) = state.sheet else { return nil }
        return layout.sheet(rows: paymentRows(payment)).row
    }

    private func paymentFacts(
        _ payment: PaymentSheet, _ price: Price
    ) -> [(name: String, value: String, style: Style)] {
        let product = payment.product
        var facts: [(name: String, value: String, style: Style)] = []
        var cost = words.price(price)
        if let period = product.subscription?.period { cost += " " + words.period(period) }
        if payment.canChangeQuantity {
            let keys = layout.isCompact ? "" : "   " + words.say("+ and - change it", "+ と - で変更")
            facts.append((words.say("Quantity", "数量"), "\(payment.quantity)\(keys)", .plain))
        }
        if payment.hasPriceChanged {
            cost += "   " + words.say("the price has changed", "価格が変わりました")
        }
        facts.append(
            (words.say("Price", "価格"), cost, payment.hasPriceChanged ? theme.bad : theme.strong))
        facts.append(
            (
                words.say("Account", "アカウント"),
                "\(state.shop.account) \(glyphs.dot) \(state.shop.device)", .plain
            ))
        let environment = state.shop.environment.rawValue
        facts.append(
            (
                words.say("Environment", "環境"),
                words.moneyNote(state.shop.environment, isShort: layout.isCompact),
                environment == "Production" ? theme.bad : .plain
            ))
        let isAsking = state.settings?.askToBuy == true
        let asked =
            layout.isCompact
            ? words.say("the organizer is asked", "管理者に確認します")
            : words.say("Ask to Buy is on: the organizer is asked first", "オン: 管理者に確認します")
        facts.append(
            (
                words.say("Approval", "承認"),
                isAsking ? asked : words.say("not needed", "不要"),
                isAsking ? theme.waiting : .plain
            ))
        if let fault = state.faults.first, layout.isCompact {
            facts.append(
                (
                    words.say("Fault", "障害設定"),
                    words.say("fails: \(fault.error)", "失敗: \(fault.error)"), theme.bad
                ))
        } else if let fault = state.faults.first {
            facts.append(
                (
                    words.say("Fault", "障害設定"),
                    words.say("the next purchase fails: \(fault.error)", "次の購入は失敗: \(fault.error)"),
                    theme.bad
                ))
        }
        return facts
    }

    private mutating func drawFaultSheet(_ fault: FaultSheet) {
        let choices = FaultSheet.choices
        let shown = min(choices.count, max(3, layout.size.rows - 8))
        var row = openSheet(rows: shown + 3)
        let left = layout.isCompact ? 1 : 3
        put(words.say("The next purchase fails with:", "次の購入の失敗:"), left, row, theme.strong)
        row += 1
        let first = min(max(0, fault.chosen - shown / 2), choices.count - shown)
        for number in first..<(first + shown) {
            let isChosen = number == fault.chosen
            if isChosen {
                put(glyphs.marker, left - 1, row, theme.accent)
                frame.cursor = Position(column: left + 1, row: row)
            }
            put(choices[number].rawValue, left + 1, row, isChosen ? theme.strong : .plain)
            row += 1
        }
    }
}
