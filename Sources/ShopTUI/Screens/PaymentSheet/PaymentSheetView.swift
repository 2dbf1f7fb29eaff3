import ShopCore
import ShopText
import StoreModel
import Terminal

/// The confirmation before a payment.
enum PaymentSheetView: ComponentView {
    static let helpTitle: ScreenText? = .helpSheet

    static let keys: [KeyBinding] = [
        KeyBinding(
            "←→", [], .choiceMoved(1)
        ) { _ in .keyChoose },
        KeyBinding("Enter", [.enter], .confirmed) { _ in .keyActivate },
        KeyBinding("Esc", [.escape, .character("q")], .wentBack) { _ in
            .keyCancel
        },
        KeyBinding(
            "+ -", [.character("+"), .character("="), .up, .character("k")],
            .paymentSheet(.quantityChanged(1)),
            isUseful: { state in
                guard case .payment(let sheet) = state.sheet else { return false }
                return sheet.canChangeQuantity
            }
        ) { _ in .keyQuantity },
        KeyBinding(
            "", [.character("-"), .down, .character("j")], .paymentSheet(.quantityChanged(-1))
        ) { _ in .keyQuantity },
        .left, .right, .help,
    ]

    static func draw(on canvas: inout Canvas) {
        guard case .payment(let sheet) = canvas.state.sheet else { return }
        canvas.drawPaymentSheet(sheet)
    }
}

extension Canvas {
    fileprivate mutating func drawPaymentSheet(_ payment: PaymentSheet) {
        let product = payment.product
        let price = Price(of: product, quantity: payment.quantity)
        let facts = paymentFacts(payment, price)
        let isCompact = layout.isCompact
        let labels = paymentLabels(price)
        var row = openSheet(rows: paymentRows(payment))
        let left = isCompact ? 1 : 3
        let question =
            price.money.milliunits == 0
            ? wording[.getQuestion(name: product.displayName)]
            : wording[.buyQuestion(name: product.displayName)]
        put(question, left, row, theme.strong)
        row += 1
        if !isCompact {
            put(wording.type(product), left, row, theme.quiet)
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
            end: layout.columns, action: { .paymentSheet(.pressed(button: $0)) })
    }

    private var paymentButtonsStart: Int { layout.isCompact ? 0 : 2 }

    private func paymentLabels(_ price: Price) -> [String] {
        [wording[.cancel], wording.buyFor(price, isAsking: state.settings?.askToBuy == true)]
    }

    private func paymentRows(_ payment: PaymentSheet) -> Int {
        let price = Price(of: payment.product, quantity: payment.quantity)
        let buttons = buttonRows(
            paymentLabels(price), column: paymentButtonsStart, end: layout.columns)
        return paymentFacts(payment, price).count + buttons + (layout.isCompact ? 2 : 6)
    }

    /// The first row that the payment sheet covers; nil if none is open.
    var paymentTop: Int? {
        guard case .payment(let payment) = state.sheet else { return nil }
        return layout.sheet(rows: paymentRows(payment)).row
    }

    private func paymentFacts(
        _ payment: PaymentSheet, _ price: Price
    ) -> [(name: String, value: String, style: Style)] {
        let product = payment.product
        var facts: [(name: String, value: String, style: Style)] = []
        var cost = strings.price(price)
        if let period = product.subscription?.period { cost += " " + strings.perPeriod(period) }
        if payment.canChangeQuantity {
            let keys = layout.isCompact ? "" : "   " + wording[.quantityKeys]
            facts.append((wording[.quantity], "\(payment.quantity)\(keys)", .plain))
        }
        if payment.hasPriceChanged {
            cost += "   " + wording[.thePriceHasChanged]
        }
        facts.append(
            (wording[.price], cost, payment.hasPriceChanged ? theme.bad : theme.strong))
        facts.append(
            (
                wording[.pays],
                "\(state.shop.account) \(glyphs.dot) \(state.shop.device)", .plain
            ))
        let environment = state.shop.environment.rawValue
        facts.append(
            (
                wording[.environment],
                wording.moneyNote(state.shop.environment, isShort: layout.isCompact),
                environment == "Production" ? theme.bad : .plain
            ))
        let isAsking = state.settings?.askToBuy == true
        let asked =
            layout.isCompact
            ? wording[.organizerMustApproveShort] : wording[.organizerMustApprove]
        facts.append(
            (
                wording[.approval],
                isAsking ? asked : wording[.approvalNotNeeded],
                isAsking ? theme.waiting : .plain
            ))
        if let fault = state.faults.first, layout.isCompact {
            facts.append(
                (
                    wording[.failure],
                    wording[.willFailShort(error: fault.error.rawValue)], theme.bad
                ))
        } else if let fault = state.faults.first {
            facts.append(
                (
                    wording[.failure],
                    wording[.willFail(error: fault.error.rawValue)],
                    theme.bad
                ))
        }
        return facts
    }
}
