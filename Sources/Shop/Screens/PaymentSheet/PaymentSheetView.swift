import ShopText
import StoreModel
import Terminal

extension PaymentSheet: ComponentView {
    static let helpTitle: KeyText? = .helpSheet

    static let keys: [KeyBinding] =
        [
            KeyBinding("Enter", [.enter], .confirmed) { _ in .keyActivate },
            KeyBinding("Esc", [.escape, .character("q")], .wentBack) { _ in .keyCancel },
            KeyBinding("←→", [], told: [.left, .right], .choiceMoved(1)) { _ in .keyChoose },
            KeyBinding(
                "+ -", [.character("+"), .character("=")], names: [.up],
                .paymentSheet(.quantityChanged(1)),
                isUseful: {
                    $0.paymentSheet.map { $0.canChangeQuantity || $0.canChooseTerms } == true
                }
            ) { state in state.paymentSheet?.canChooseTerms == true ? .keyTerms : .keyQuantity },
            KeyBinding(
                "", [.character("-")], names: [.down], .paymentSheet(.quantityChanged(-1)),
                isUseful: { _ in false }
            ) { _ in .keyQuantity },
            KeyBinding(
                "", [.backspace], .paymentSheet(.digitErased), isUseful: { _ in false }
            ) { _ in .keyQuantity },
            .left, .right, .next, .previous, .help,
        ] + digits

    private static let digits: [KeyBinding] = (0...9).map { digit in
        KeyBinding(
            // The label of one digit names them all.
            digit == 1 ? "0-9" : "", [.character(Character("\(digit)"))],
            .paymentSheet(.digitTyped(digit)), isUseful: { _ in false }
        ) { _ in .keyTypeQuantity }
    }

    static func draw(on canvas: inout Canvas) {
        if let sheet = canvas.state.paymentSheet { canvas.drawPaymentSheet(sheet) }
    }

    static func rows(_ sheet: Sheet, on canvas: Canvas) -> Int {
        guard case .payment(let payment) = sheet else { return 0 }
        return canvas.paymentRows(payment)
    }
}

/// A fact without a name uses the whole row.
private typealias PaymentFact = (name: String, value: String, style: Style)

extension Canvas {
    fileprivate mutating func drawPaymentSheet(_ payment: PaymentSheet) {
        let product = payment.product
        let isCompact = layout.isCompact
        let left = isCompact ? 1 : 3
        let most = layout.isLinear ? layout.columns : 78
        let end = min(layout.columns - (isCompact ? 0 : 1), most)
        var row = openSheet(rows: paymentRows(payment))
        var cost = strings.price(of: product, quantity: payment.quantity)
        if let period = product.subscription?.period { cost += " " + strings.perPeriod(period) }
        let style = payment.hasPriceChanged ? theme.bad.bold : theme.strong
        let costStart = putRight(cost, before: end, row, style, from: left)
        let item = strings.items(payment.quantity, product.displayName)
        put(item, left, row, theme.strong, before: costStart - 2)
        row += 1
        if !isCompact {
            var noteEnd = end
            if payment.quantity > 1 {
                let each = strings[
                    .each(payment.quantity, price: strings.price(Price(of: product)))]
                noteEnd = putRight(each, before: end, row, theme.quiet, from: left) - 2
            }
            put(strings.gain(payment, state), left, row, theme.quiet, before: noteEnd)
            row += 2
        }
        for fact in paymentFacts(payment) {
            let column = fact.name.isEmpty ? left : left + 13
            put(fact.name, left, row, theme.quiet, before: left + 12)
            put(fact.value, column, row, fact.style, before: layout.columns)
            row += 1
        }
        if !isCompact { row += 1 }
        let labels = paymentLabels(payment)
        let last = buttons(
            labels, chosen: payment.isConfirmChosen ? 1 : 0, column: paymentButtonsStart, row: row,
            end: layout.columns, action: { .paymentSheet(.pressed(button: $0)) })
        guard !isCompact, !layout.isLinear, !payment.isConfirmChosen, last == row + 1 else {
            return
        }
        let used = labels.reduce(paymentButtonsStart) { $0 + columns($1) + 7 }
        putRight(strings[.cancelIsChosen], before: end, row, theme.quiet, from: used)
    }

    private var paymentButtonsStart: Int { layout.isCompact ? 0 : 2 }

    private func paymentLabels(_ payment: PaymentSheet) -> [String] {
        if let change = payment.change, payment.isLater {
            if payment.chosenTerms.offer != nil { return [strings[.cancel], strings[.takeOffer]] }
            return [
                strings[.cancel],
                payment.changesBillingPlan
                    ? strings[.changePlan] : strings.laterChange(change, state),
            ]
        }
        let price = Price(
            money: payment.price.multiplied(by: payment.quantity),
            locale: payment.product.priceLocale)
        return [
            strings[.cancel],
            strings.buy(
                on: payment.chosenTerms, for: price, isAsking: state.settings?.askToBuy == true),
        ]
    }

    fileprivate func paymentRows(_ payment: PaymentSheet) -> Int {
        let buttons = buttonRows(
            paymentLabels(payment), column: paymentButtonsStart, end: layout.columns)
        return paymentFacts(payment).count + buttons + (layout.isCompact ? 2 : 5)
    }

    private func paymentFacts(_ payment: PaymentSheet) -> [PaymentFact] {
        var facts: [PaymentFact] = []
        if payment.hasPriceChanged {
            facts.append(("", strings[.thePriceHasChanged], theme.bad))
        }
        if payment.asked != nil {
            facts.append((strings[.askedByFact], strings[.anAppHere], theme.waiting))
        }
        if let owner = state.sharedBy(payment.product.id) {
            let note = strings[
                layout.isCompact
                    ? .sharedAlreadyShort(account: owner.rawValue)
                    : .sharedAlreadyNote(account: owner.rawValue)]
            facts.append((strings[.family], note, theme.waiting))
        }
        if payment.canChangeQuantity {
            let hint = layout.isLinear ? strings[.linearQuantity] : strings[.quantityKeys]
            let keys = layout.isCompact ? "" : "   " + hint
            let number = "\(glyphs.less) \(payment.quantity) \(glyphs.more)"
            facts.append((strings[.quantity], number + keys, .plain))
        }
        facts += termsFacts(payment)
        if let change = payment.change { facts += planFacts(change, payment) }
        facts.append(
            (strings[.pays], "\(state.shop.account) \(glyphs.dot) \(state.shop.device)", .plain))
        if state.settings?.askToBuy == true, payment.needsApproval {
            let asked =
                layout.isCompact
                ? strings[.organizerMustApproveShort] : strings[.organizerMustApprove]
            facts.append((strings[.approval], asked, theme.waiting))
        }
        let environment = state.shop.environment
        facts.append(
            (
                "", strings.moneyNote(environment, isShort: layout.isCompact),
                environment == .production ? theme.bad : theme.quiet
            ))
        return facts
    }

    /// The offer, the billing plan, the charge now and the later charges.
    private func termsFacts(_ payment: PaymentSheet) -> [PaymentFact] {
        let product = payment.product
        let terms = payment.chosenTerms
        guard let period = product.subscription?.period,
            payment.canChooseTerms || terms.offer != nil || terms.billingPlan != nil
        else { return [] }
        var facts: [PaymentFact] = []
        let offer = terms.before ?? terms.offer
        // Terms with a given billing plan leave only the choice of an offer, or of none.
        let isPlanChosen = terms.billingPlan != nil
        var choice =
            offer.map { strings.first(of: $0, locale: product.priceLocale) }
            ?? (isPlanChosen ? paidWords(terms) : strings[.noOffer])
        if let code = terms.code, !layout.isCompact {
            choice = code + strings[.listSeparator] + choice
        }
        if payment.canChooseTerms {
            choice = "\(glyphs.less) \(choice) \(glyphs.more)"
            if !layout.isCompact {
                choice +=
                    "   " + strings[.termsOf(payment.termsNumber + 1, of: payment.terms.count)]
                if layout.isLinear { choice += "   " + strings[.linearTerms] }
            }
        }
        let name = offer == nil && isPlanChosen ? PaymentText.paidBy : .termsFact
        facts.append((strings[name], choice, theme.strong))
        if offer != nil, terms.billingPlan != nil {
            facts.append((strings[.paidBy], paidWords(terms), .plain))
        }
        func money(_ price: Money) -> String {
            strings.price(Price(money: price, locale: product.priceLocale))
        }
        if payment.change == nil {
            facts.append((strings[.chargedNow], money(payment.price), theme.strong))
        }
        let each = terms.billingPlan?.period ?? period
        let regular =
            money(terms.billingPlan?.price ?? product.price) + strings.perPeriod(each)
        if terms.before != nil, let offer = terms.offer {
            facts.append(
                (strings[.then], strings.first(of: offer, locale: product.priceLocale), .plain))
        }
        if let offer = terms.offer {
            facts.append(
                (
                    terms.before == nil ? strings[.then] : "",
                    strings[.afterLength(length: strings.length(of: offer), price: regular)],
                    .plain
                ))
        }
        if let plan = terms.billingPlan, let commitment = plan.commitment {
            facts.append(
                (
                    "",
                    strings[
                        .paymentsOf(
                            count: commitment.paymentCount, price: money(plan.price),
                            whole: money(commitment.price))], .plain
                ))
            if !layout.isCompact { facts.append(("", strings[.commitmentNote], theme.waiting)) }
        }
        return facts
    }

    private func paidWords(_ terms: PurchaseTerms) -> String {
        guard let commitment = terms.billingPlan?.commitment else { return strings[.paidUpFront] }
        return strings[.paidMonthly(count: commitment.paymentCount)]
    }

    /// The charge now, the refund, and the date of the change.
    private func planFacts(_ change: PlanChange, _ payment: PaymentSheet) -> [PaymentFact] {
        let product = payment.product
        let now = Price(money: payment.price, locale: product.priceLocale)
        guard let present = state.subscription(inGroupOf: product) else { return [] }
        let name = state.name(of: present.productID)
        if change.isAtOnce {
            let given = strings.refund(of: change, from: present, state)
            return [
                (strings[.chargedNow], strings.price(now), theme.strong),
                given.map {
                    (
                        strings[.givenBack],
                        strings[
                            layout.isCompact
                                ? .aboutPrice($0) : .givenBackOf(price: $0, name: name)],
                        .plain
                    )
                } ?? (strings[.yourPlanFact], strings[.planEndsNow(name: name)], .plain),
            ]
        }
        // The offer and the billing plan of the terms begin with the changed plan.
        let terms = payment.chosenTerms
        let next =
            terms.offer == nil && terms.billingPlan == nil
            ? strings.price(of: product) : strings.price(now)
        var facts = [(strings[.chargedNow], strings[SubscriptionText.nothingCharged], theme.strong)]
        if change.kind == .present {
            if present.autoRenews, present.nextProductID != product.id {
                let other = state.name(of: present.nextProductID)
                facts.append((strings[.takenBackFact], other, .plain))
            }
            if let end = present.paidUntil {
                let renews = strings[.renewsFor(day: strings.day(end), price: next)]
                facts.append((strings[.then], renews, .plain))
            }
            return facts
        }
        let day = strings.day(change.startsAt)
        let changed = strings[
            layout.isCompact
                ? .priceFrom(price: next, day: day)
                : .planFrom(name: product.displayName, price: next, day: day)]
        return facts + [
            (strings[.yourPlanFact], strings[.planUntil(name: name, day: day)], .plain),
            (strings[.then], changed, .plain),
        ]
    }
}

extension Canvas {
    /// The first row that the open sheet covers; nil if no sheet is open.
    var sheetTop: Int? {
        guard let sheet = state.sheet else { return nil }
        let rows = sheet.component.type.rows(sheet, on: self)
        return rows > 0 ? layout.sheet(rows: rows).row : nil
    }
}
