import StoreCatalog
import StoreModel

/// Decides the answers to payments that wait: by the family organizer (Ask to Buy), the customer's
/// bank (strong customer authentication), and the customer (an interrupted purchase).
enum RequestRules {
    /// An answer to a request.
    enum Answer {
        /// The organizer's or the bank's yes.
        case approve
        /// The organizer's or the bank's no.
        case decline
        /// The customer resolved the interruption of the purchase.
        case resolve
        /// The customer took the request back.
        case withdraw
    }

    /// With a yes the request becomes the transaction of the same number. The price shown when the
    /// customer asked is charged, even if it has changed since, because that price was approved. If
    /// the product can no longer be sold, the payment fails instead. Nil where it was sold before
    /// and the answer is another yes.
    ///
    /// - Throws: `requestNotPending` where it was answered or withdrawn, or there is no such
    ///   request; `notAnswerable` where somebody else answers it; `storeNewer`.
    static func answer(
        _ number: TransactionID, _ answer: Answer, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        guard let waiting = context.snapshot.pending[number] else {
            let isSold = context.snapshot.transactions[number] != nil
            if isSold, answer == .approve || answer == .resolve { return nil }
            throw StoreError(.requestNotPending, transactionID: number)
        }
        guard answer.fits(waiting.reason) else {
            throw StoreError(
                .notAnswerable, productID: waiting.payment.productID, transactionID: number,
                found: waiting.reason.rawValue)
        }
        let fact: Entry.Fact
        var endings: [Entry] = []
        switch answer {
        case .approve, .resolve:
            try context.snapshot.refuseUnknownFacts(of: waiting.account)
            fact = outcome(waiting, in: context)
            if case .sold = fact { endings = self.endings(waiting, in: context) }
        case .decline:
            fact = failure(
                waiting, waiting.reason == .authentication ? .paymentDeclined : .approvalDeclined)
        case .withdraw: fact = failure(waiting, .requestWithdrawn)
        }
        return Decision(
            reads: context.reads(waiting.account),
            entries: endings + [
                Entry(
                    account: waiting.account, device: waiting.device,
                    effectiveAt: context.now, number: .existing(waiting.number), fact: fact)
            ])
    }

    /// The entries that end the present period for the sale of a plan; empty for any other sale.
    private static func endings(_ waiting: PendingRow, in context: RuleContext) -> [Entry] {
        guard let product = context.catalog.product(waiting.payment.productID) else { return [] }
        return PlanChangeRules.endings(before: product, for: waiting.account, in: context)
    }

    /// The request of an account that keeps a payment for the same product from becoming another
    /// one: of a non-consumable and a subscription only one payment waits at a time. Nil for other
    /// types, which may be bought several times.
    static func waiting(
        for product: CatalogProduct, of account: AccountName, in context: RuleContext
    ) -> PendingRow? {
        guard product.type == .nonConsumable || product.type == .autoRenewable else { return nil }
        return context.snapshot.waiting[account]?.first { $0.payment.productID == product.id }
    }

    /// The request, and the product or group it buys in.
    static func collisions(
        on number: TransactionID, in context: RuleContext
    ) -> [CollisionKey] {
        guard let waiting = context.snapshot.pending[number] else {
            return [.transaction(number)]
        }
        return [.transaction(number)]
            + Eligibility.collisions(
                on: waiting.payment.productID, of: waiting.account, in: context)
    }

    private static func outcome(_ waiting: PendingRow, in context: RuleContext) -> Entry.Fact {
        let payment = waiting.payment
        func failed(_ code: StoreError.Code) -> Entry.Fact {
            .failed(
                payment,
                StoreError(code, productID: payment.productID, paymentID: payment.id))
        }
        guard let product = context.catalog.product(payment.productID) else {
            return failed(.productUnavailable)
        }
        if let reason = product.reasonNotForSale(at: context.now, in: context.environment) {
            return .failed(
                payment, StoreError(reason, productID: payment.productID, paymentID: payment.id))
        }
        switch Eligibility.obstacle(to: product, for: waiting.account, in: context) {
        case .owned: return failed(.alreadyOwned)
        case .subscribed(let row, _):
            let change = PlanChangeRules(
                product: product, latest: row, context: context,
                billingPlan: payment.billingPlan)
            guard case .now? = change.moment else { return failed(.subscriptionActive) }
        case nil: break
        }
        let territory =
            context.snapshot.accounts[waiting.account]?.territory ?? Storefront.usa.countryCode
        // The account has moved to a territory with another currency: what was shown and approved
        // cannot be charged there.
        let sold = Storefront.find(territory).flatMap {
            BillingTerms(payment.billingPlan, of: product, in: $0, at: context.now)
        }
        guard var billing = sold, billing.price.currency == payment.shownPrice.currency,
            let storefront = Storefront.find(territory)
        else {
            return failed(sold == nil ? .notAvailableInStorefront : .priceChanged)
        }
        let price = billing.price
        do throws(StoreError) {
            let selection = try OfferRules.selection(
                payment.offer, by: payment.id, proof: .acceptedBefore, of: product,
                for: waiting.account, in: storefront, paid: billing.type, begins: true,
                introductory: OfferRules.acceptedWord(of: payment), context: context)
            // The organizer approved the price of an introductory offer, which the account has used
            // meanwhile.
            if selection.offer == nil, payment.shownPrice != price,
                product.offer(.introductory, nil)?.price(in: storefront) == payment.shownPrice
            {
                return failed(.ineligibleForOffer)
            }
            billing.price = payment.shownPrice
            return .sold(
                PurchaseRules.sale(
                    of: product, for: payment, billing, selection,
                    account: waiting.account, territory: territory, in: context))
        } catch { return .failed(payment, error) }
    }

    private static func failure(_ waiting: PendingRow, _ code: StoreError.Code) -> Entry.Fact {
        .failed(
            waiting.payment,
            StoreError(
                code, productID: waiting.payment.productID, paymentID: waiting.payment.id,
                transactionID: waiting.number))
    }
}

extension RequestRules.Answer {
    /// Whether whoever gives this answer answers a request of this reason. The customer may take
    /// back any.
    fileprivate func fits(_ reason: RequestReason) -> Bool {
        switch self {
        case .approve, .decline: reason != .interrupted
        case .resolve: reason == .interrupted
        case .withdraw: true
        }
    }
}
