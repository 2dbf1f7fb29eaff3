package import ShopText
package import StoreModel

/// Buying, from the key to the payment and its outcome. Each payment gets its id before it is sent.
/// While a payment is under way, no key starts another for the same product.
extension ShopState {
    /// Nil if it can be bought. This is the shop's own check: the store decides again.
    ///
    /// - Parameters:
    ///   - status: of the product; nil if the caller does not know it.
    ///   - isRedeeming: an offer code is allowed for the account's present plan, too.
    package func refusal(
        toBuy product: Product, status: ProductStatus? = nil, isRedeeming: Bool = false
    ) -> Refusal? {
        let name = product.displayName
        guard isReady else { return .stillOpening }
        switch status ?? self.status(of: product) {
        case .buyable, .failed, .timed, .change, .included:
            return canMakePayments ? nil : .paymentsNotAllowed
        case .plan(let standing):
            // A plan shared by a family member can be bought; the payment sheet says so.
            guard standing.canBuy || isRedeeming || sharedBy(product.id) != nil else {
                return .alreadyYourPlan(name: name)
            }
            return canMakePayments ? nil : .paymentsNotAllowed
        case .planned(let instant):
            guard !isRedeeming else { return canMakePayments ? nil : .paymentsNotAllowed }
            return .alreadyPlanned(name: name, from: instant)
        case .purchasing: return .alreadyPurchasing(name: name)
        case .waitingForAnswer: return .alreadyWaiting(name: name)
        case .ownedElsewhere: return .ownedElsewhere(name: name)
        case .groupTaken(let other, _): return .groupTaken(by: self.name(of: other))
        case .notDownloaded, .owned, .current:
            // A product shared by a family member can be bought, too; the payment sheet says so.
            guard sharedBy(product.id) != nil else { return .alreadyOwned(name: name) }
            return canMakePayments ? nil : .paymentsNotAllowed
        case .downloading, .paused, .downloadFailed: return .alreadyOwned(name: name)
        }
    }

    /// Buying the present or next plan without an offer changes nothing.
    func isPlanAlready(_ product: Product) -> Bool {
        let status = status(of: product)
        if subscription(inGroupOf: product)?.isShared == true { return false }
        if case .plan(let standing) = status { return !standing.canBuy }
        if case .planned = status { return true }
        return false
    }

    mutating func pay(_ open: PaymentSheet, _ moment: ShopMoment) -> [ShopEffect] {
        sheet = nil
        if let asked = open.asked {
            return announce(.asking(name: item(of: asked)), moment) + answer(asked, .confirmed)
        }
        let product = open.product
        let terms = open.chosenTerms
        let isRedeeming = open.redemption != nil || terms.asked != nil
        if let reason = refusal(toBuy: product, isRedeeming: isRedeeming) {
            return refuse(reason, moment)
        }
        let payment = Payment(
            id: moment.paymentID, productID: product.id, quantity: open.quantity,
            shownPrice: open.isLater ? terms.billingPlan?.price ?? product.price : open.price,
            offer: terms.asked, billingPlan: terms.billingPlan?.type)
        purchasing.underWay[product.id] = PurchaseInFlight(
            payment: payment.id, isLater: open.isLater)
        purchasing.failures[product.id] = nil
        let message: StatusText =
            open.isLater
            ? .changingPlan(name: product.displayName) : .asking(name: item(of: payment))
        return announce(message, moment) + [.purchase(payment)]
    }

    // MARK: - Outcomes

    mutating func answer(
        _ payment: Payment, _ outcome: PurchaseOutcome, _ moment: ShopMoment
    ) -> [ShopEffect] {
        switch outcome {
        case .purchased(_, _, let alreadyOwned):
            // A new sale is shown as owned when its transaction arrives.
            follow(payment, .answered(outcome))
            if alreadyOwned { answerWithoutSale(payment.productID, moment) }
        case .pending(let request, let reason):
            note(deferred: payment, request: request, reason, moment)
        case .failed(let error): return fail(payment, error, moment)
        }
        return queries.ask(.refreshAccount)
    }

    /// A change of plan is announced by its subscription event, not here.
    private mutating func answerWithoutSale(_ product: ProductID, _ moment: ShopMoment) {
        guard productList.product(product)?.type == .autoRenewable,
            snapshot.subscriptions.values.contains(where: { $0.plans[product] != nil })
        else {
            _ = announce(.alreadyOwned(name: name(of: product)), moment)
            return
        }
        if statusMessage?.what == .changingPlan(name: name(of: product)) {
            statusMessage = nil
            showNotice(moment)
        }
    }

    mutating func note(
        deferred payment: Payment, request: TransactionID, _ reason: RequestReason,
        _ moment: ShopMoment
    ) {
        follow(payment, .observed(.event(.deferred(payment, request: request, reason: reason))))
        // Shown as waiting until the next snapshot of the queue replaces this entry.
        if snapshot.queued[payment.productID] == nil {
            snapshot.queued[payment.productID] = QueuedPayment(
                payment: payment, state: .deferred, queuedAt: moment.now, reason: reason)
        }
        _ = announce(.pending(name: item(of: payment), reason), moment)
    }

    mutating func fail(_ payment: Payment, _ error: StoreError, _ moment: ShopMoment)
        -> [ShopEffect]
    {
        let product = payment.productID
        follow(payment, .couldNotAsk(error))
        if error.code == .userCancelled {
            return announce(.cancelled(name: name(of: product)), moment)
                + queries.ask(.refreshAccount)
        }
        // The payment may have been sold. The device sends it again with the same id; until its
        // outcome is known, the product cannot be bought a second time.
        if error.code == .outcomeUnknown {
            snapshot.queued[product] = QueuedPayment(
                payment: payment, state: .purchasing, queuedAt: moment.now)
            return announce(
                .outcomeUnknown(name: item(of: payment), error), logging: .trouble(error), moment)
        }
        purchasing.failures[product] = error
        if snapshot.queued[product]?.payment.id == payment.id { snapshot.queued[product] = nil }
        if snapshot.requests?[product]?.payment.id == payment.id {
            snapshot.requests?[product] = nil
        }
        _ = announce(.failed(name: item(of: payment), error), moment)
        // The price has changed: loads the new price for the customer's decision.
        return (error.code == .priceChanged ? queries.ask(.loadProducts) : [])
            + queries.ask(.refreshAccount)
    }

    // MARK: - Waiting

    /// May end the payment's wait. Ignores a payment that this shop did not send.
    mutating func follow(_ payment: Payment, _ input: PurchaseProgress.Input) {
        guard purchasing.underWay[payment.productID]?.payment == payment.id else { return }
        follow(payment.productID, input)
    }

    mutating func followPurchases(_ update: DeviceUpdate) {
        for product in purchasing.underWay.keys { follow(product, .observed(update)) }
    }

    /// Whether a payment for a product is under way and the account's records have neither its sale
    /// nor a later one. Records can be read before the observer's update about a delivery: then the
    /// product already counts as owned, and the later update announces the purchase.
    func awaitsSale(of product: ProductID) -> Bool {
        guard let purchase = purchasing.underWay[product] else { return false }
        guard let sold = purchase.progress.awaitedTransaction,
            let latest = snapshot.latestDelivered[product]?.transactionID
        else { return true }
        return latest < sold
    }

    private mutating func follow(_ product: ProductID, _ input: PurchaseProgress.Input) {
        guard var purchase = purchasing.underWay[product] else { return }
        // The facts are discarded: the answer or event behind this input announces them, because
        // answers and events also exist for payments of other processes.
        _ = purchase.progress.take(input)
        purchasing.underWay[product] = purchase.progress.isWaiting ? purchase : nil
    }
}
