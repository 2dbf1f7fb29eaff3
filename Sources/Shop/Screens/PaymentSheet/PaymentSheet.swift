import ShopText
package import StoreModel

/// The confirmation before a payment. Cancel is chosen at first.
package struct PaymentSheet: Hashable, Sendable {
    /// With the price that is shown.
    package var product: Product
    /// From 1 to 10.
    package var quantity = 1
    /// Whether `quantity` was typed, so that the next digit is appended to it.
    var isTyping = false
    /// Whether the button that pays is chosen, not Cancel.
    package var isConfirmChosen = false
    /// Whether the price has changed while the sheet was open.
    package var hasPriceChanged = false
    /// From the store's last answer; nil if the purchase changes no subscription.
    package var change: PlanChange?
    /// The usual ones first; empty for a product that is not a plan.
    package var terms: [PurchaseTerms] = []
    /// Nil for the usual terms.
    var chosen: PurchaseTerms?
    /// The store's answer about the product's offers; nil before it has arrived.
    var answers: [OfferAnswer]?
    /// The code that is being redeemed; nil for none.
    package var redemption: CodeRedemption?
    /// What an app asks to have confirmed, as it is; nil for a purchase in the shop.
    package var asked: Payment?

    package var chosenTerms: PurchaseTerms { chosen ?? terms.first ?? PurchaseTerms() }

    package var termsNumber: Int { terms.firstIndex(of: chosenTerms) ?? 0 }

    package var canChooseTerms: Bool { terms.count > 1 }

    /// The shown price of a single product, paid now unless nothing is charged now.
    package var price: Money { chosenTerms.price(of: product) }

    /// Whether the payment only changes a plan at a later date and charges nothing now.
    package var isLater: Bool { change.map { !$0.isAtOnce } ?? false }
    /// Whether the account keeps its plan, and only the billing plan changes with the next renewal.
    package var changesBillingPlan: Bool {
        guard let change, change.kind == .present, let plan = chosenTerms.billingPlan?.type
        else { return false }
        return plan != change.billingPlan ?? .upFront
    }
    /// If the account asks to buy. Keeping the present plan and billing plan needs no approval.
    package var needsApproval: Bool {
        change.map { $0.kind != .present || chosenTerms.offer != nil || changesBillingPlan }
            ?? true
    }

    /// Whether the quantity can be more than 1: only for consumables.
    package var canChangeQuantity: Bool {
        product.type == .consumable && asked == nil
    }
}

/// The actions of the payment sheet.
package enum PaymentSheetAction: ComponentAction, Hashable {
    /// Changes the quantity by this number; for a plan, chooses the next or previous terms.
    case quantityChanged(Int)
    /// A digit of the quantity: typed after another it makes a number of two digits.
    case digitTyped(Int)
    /// Backspace: the last digit of the quantity.
    case digitErased
    /// A click on a button: 0 cancels, 1 confirms.
    case pressed(button: Int)
    /// The answer to `ShopEffect.findOffers`, for the sheet, the page and a subscription.
    case offersArrived(ProductID, [OfferAnswer])

    package func reduce(_ shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        if case .offersArrived(let product, let answers) = self {
            return shop.takeOffers(answers, of: product)
        }
        guard shop.focus == .paymentSheet, let sheet = shop.paymentSheet else { return [] }
        return switch self {
        case .quantityChanged(let step): shop.changeQuantity(step)
        case .digitTyped(let digit): shop.typeQuantity(digit)
        case .digitErased: shop.eraseQuantity()
        case .pressed(button: 1): shop.pay(sheet, moment)
        case .pressed: PaymentSheet.goBack(in: &shop, moment)
        case .offersArrived: []
        }
    }
}

extension ShopAction {
    package static func paymentSheet(_ action: PaymentSheetAction) -> ShopAction {
        .component(action)
    }
}

extension PaymentSheet: ShopComponent {
    static func move(_ movement: Movement, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        switch movement {
        case .up: shop.changeQuantity(1)
        case .down: shop.changeQuantity(-1)
        case .pageUp, .pageDown, .first, .last, .rows: []
        }
    }

    static func choose(_ step: Int, in shop: inout ShopState, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        shop.paymentSheet?.isConfirmChosen = step > 0
        return []
    }

    static func confirm(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard let sheet = shop.paymentSheet else { return [] }
        return sheet.isConfirmChosen ? shop.pay(sheet, moment) : goBack(in: &shop, moment)
    }

    static func goBack(in shop: inout ShopState, _ moment: ShopMoment) -> [ShopEffect] {
        guard let sheet = shop.paymentSheet else { return [] }
        shop.sheet = nil
        let said = StatusText.cancelled(name: sheet.product.displayName)
        if let asked = sheet.asked {
            // The app's own process records it.
            return shop.announce(said, moment) + shop.answer(asked, .cancelled)
        }
        return shop.announce(said, logging: .purchaseCancelled(sheet.product.id), moment)
    }
}

extension ShopState {
    /// Nil unless it is the open sheet.
    var paymentSheet: PaymentSheet? {
        get { if case .payment(let payment) = sheet { payment } else { nil } }
        set { sheet = newValue.map { .payment($0) } }
    }

    mutating func openPaymentSheet(_ moment: ShopMoment) -> [ShopEffect] {
        guard let product = selectedProduct else { return [] }
        return openPaymentSheet(for: product, moment)
    }

    /// - Parameter offer: the offer chosen at first; nil for the usual terms.
    mutating func openPaymentSheet(
        for product: Product, taking offer: PaymentOffer? = nil, _ moment: ShopMoment
    ) -> [ShopEffect] {
        guard sheet == nil else { return [] }
        if let reason = refusal(toBuy: product, isRedeeming: offer != nil) {
            return refuse(reason, moment)
        }
        guard snapshot.isSignedIn else { return openQuestion(.signIn(for: product.id)) }
        var payment = PaymentSheet(product: product, change: planChange(to: product))
        if let offer {
            payment.answers = subscription.offers[product.id]
            payment.chosen = terms(of: product, answers: payment.answers, redeeming: nil)
                .first { $0.asked == offer }
        }
        return buy(payment, moment)
    }

    /// At once if the account's dialogs are off: the customer has just pressed a key that buys.
    private mutating func buy(_ payment: PaymentSheet, _ moment: ShopMoment) -> [ShopEffect] {
        settings?.disablesDialogs == true ? pay(payment, moment) : show(payment)
    }

    /// For a change of plan, asks the store for the present refund.
    mutating func show(_ payment: PaymentSheet) -> [ShopEffect] {
        paymentSheet = payment
        refreshTerms()
        let isAsking = payment.product.hasOffersToAskFor && payment.redemption == nil
        return (payment.change?.isAtOnce == true ? queries.ask(.refreshAccount) : [])
            + (isAsking ? [.findOffers(payment.product.id)] : [])
    }

    mutating func redeem(_ redemption: CodeRedemption, _ moment: ShopMoment) -> [ShopEffect] {
        guard let product = productList.product(redemption.productID) else {
            return announce(
                .trouble(StoreError(.productUnavailable, productID: redemption.productID)), moment)
        }
        if let reason = refusal(toBuy: product, isRedeeming: true) {
            return refuse(reason, moment)
        }
        guard snapshot.isSignedIn else { return openQuestion(.signIn(for: nil)) }
        return buy(
            PaymentSheet(
                product: product, change: planChange(to: product), redemption: redemption), moment)
    }

    /// If the chosen terms are gone or have another price, chooses Cancel.
    fileprivate mutating func refreshTerms() {
        guard var open = paymentSheet else { return }
        let before = open.chosenTerms
        let hadTerms = !open.terms.isEmpty
        open.terms = terms(
            of: open.product, answers: open.answers, redeeming: open.redemption)
        // Without an offer, buying the present plan changes nothing, so those terms are left out.
        if isPlanAlready(open.product) { open.terms.removeAll { $0.asked == nil } }
        if let asked = open.asked { open.terms.removeAll { !$0.are(of: asked) } }
        if let chosen = open.chosen, !open.terms.contains(chosen) { open.chosen = nil }
        if hadTerms, open.chosenTerms != before { open.isConfirmChosen = false }
        paymentSheet = open
    }

    fileprivate mutating func takeOffers(_ answers: [OfferAnswer], of product: ProductID)
        -> [ShopEffect]
    {
        keepOffers(answers, of: product)
        keepOffersOfPage(answers, of: product)
        guard paymentSheet?.product.id == product else { return [] }
        paymentSheet?.answers = answers
        refreshTerms()
        return []
    }

    /// In a circle; chooses Cancel, so that the customer confirms the new terms.
    private mutating func changeTerms(_ step: Int) -> [ShopEffect] {
        guard let open = paymentSheet, open.canChooseTerms else { return [] }
        let count = open.terms.count
        // Up chooses the previous terms, as in a list.
        paymentSheet?.chosen = open.terms[((open.termsNumber - step) % count + count) % count]
        paymentSheet?.isConfirmChosen = false
        return []
    }

    /// If its effect differs now, chooses Cancel.
    mutating func refreshPlanOfSheet() {
        guard let open = paymentSheet else { return }
        let (before, after) = (open.change, planChange(to: open.product))
        if before?.kind != after?.kind || before?.isAtOnce != after?.isAtOnce
            || before?.isPlanned != after?.isPlanned
        {
            paymentSheet?.isConfirmChosen = false
        }
        paymentSheet?.change = after
        refreshTerms()
    }

    /// Opens page and payment sheet. If another sheet or the reader is open, the device holds the
    /// purchase (`AccountSnapshot.promoted`), and a message says so. The sheet is shown even if
    /// dialogs are off, because the customer has pressed no key here.
    mutating func continuePurchase(of product: ProductID, _ moment: ShopMoment) -> [ShopEffect] {
        let said =
            announce(.promoted(name: name(of: product)), moment) + queries.ask(.refreshAccount)
        guard isFree, let product = productList.product(product), refusal(toBuy: product) == nil
        else { return said }
        openPage(product.id)
        guard snapshot.isSignedIn else { return said + openQuestion(.signIn(for: product.id)) }
        return said + show(PaymentSheet(product: product, change: planChange(to: product)))
    }

    mutating func changeQuantity(_ step: Int) -> [ShopEffect] {
        guard let open = paymentSheet else { return [] }
        guard open.canChangeQuantity else { return changeTerms(step) }
        let range = Payment.quantities
        paymentSheet?.quantity = min(max(range.lowerBound, open.quantity + step), range.upperBound)
        paymentSheet?.isTyping = false
        return []
    }

    /// The first one replaces the quantity. A number above the maximum becomes the maximum.
    fileprivate mutating func typeQuantity(_ digit: Int) -> [ShopEffect] {
        guard let open = paymentSheet, open.canChangeQuantity else { return [] }
        let number = (open.isTyping ? open.quantity * 10 : 0) + digit
        guard number >= Payment.quantities.lowerBound else { return [] }
        paymentSheet?.quantity = min(number, Payment.quantities.upperBound)
        paymentSheet?.isTyping = true
        return []
    }

    /// Without a digit, the quantity is 1.
    fileprivate mutating func eraseQuantity() -> [ShopEffect] {
        guard let open = paymentSheet, open.canChangeQuantity else { return [] }
        let rest = open.quantity / 10
        paymentSheet?.isTyping = rest > 0
        paymentSheet?.quantity = max(rest, Payment.quantities.lowerBound)
        return []
    }

    /// If the price has changed, chooses Cancel, so that the customer never pays an unseen price.
    mutating func refreshPaymentSheet(_ moment: ShopMoment) {
        guard let before = paymentSheet else { return }
        guard let product = productList.product(before.product.id) else {
            sheet = nil
            return
        }
        paymentSheet?.product = product
        refreshTerms()
        guard let open = paymentSheet,
            before.price != open.price || before.chosenTerms.offer != open.chosenTerms.offer
        else { return }
        paymentSheet?.hasPriceChanged = true
        paymentSheet?.isConfirmChosen = false
        _ = announce(.priceChanged(name: product.displayName), moment)
    }
}
