import StoreCatalog
import StoreModel
import StoreSigning

/// Decides the answers to payments that wait: from the family organizer (Ask to Buy), the
/// customer's bank (strong customer authentication), or the customer (an interrupted purchase).
enum RequestRules {
    /// An answer to a request.
    enum Answer {
        case approve
        case decline
        case resolve
        case withdraw
    }

    /// An approved or resolved request becomes the transaction with the same number, or plans the
    /// change of plan that it asked for. The price that the customer was shown is charged, even if
    /// the price has changed since, because that price was approved. A change for the next renewal
    /// is planned only at the approved price. If the product can no longer be sold, the payment
    /// fails instead. Nil if the request was approved before and is approved again.
    ///
    /// - Throws: `requestNotPending` if the request was answered or withdrawn, or does not exist;
    ///   `notAnswerable` if another party answers it; `storeNewer`.
    static func answer(
        _ number: TransactionID, _ answer: Answer, in context: RuleContext
    ) throws(StoreError) -> Decision? {
        guard let waiting = context.snapshot.pending[number] else {
            let isAccepted =
                context.snapshot.transactions[number] != nil
                || context.snapshot.answered[number] != nil
            if isAccepted, answer == .approve || answer == .resolve { return nil }
            throw StoreError(.requestNotPending, transactionID: number)
        }
        guard answer.fits(waiting.reason) else {
            throw StoreError(
                .notAnswerable, productID: waiting.payment.productID, transactionID: number,
                found: waiting.reason.rawValue)
        }
        let refusal = answer.refusal(of: waiting.reason)
        if refusal == nil { try context.snapshot.refuseUnknownFacts(of: waiting.account) }
        let outcome: Outcome
        do throws(StoreError) {
            if let refusal {
                throw StoreError(
                    refusal, productID: waiting.payment.productID, paymentID: waiting.payment.id,
                    transactionID: number)
            }
            outcome = try accepted(waiting, in: context)
        } catch {
            outcome = Outcome(
                entries: [entry(of: waiting, .failed(waiting.payment, error), in: context)])
        }
        return Decision(reads: context.reads(waiting.account), entries: outcome.entries)
            .redeeming(outcome.selection, in: context)
    }

    /// The entries of an answered request, and the offers that it redeems.
    private struct Outcome {
        var entries: [Entry]
        var selection = OfferSelection.none
        /// Of the product at its own price.
        var billing: BillingTerms?
    }

    /// What approving the request would charge now, by the rule that approves it. Nil if it would
    /// fail.
    static func charge(
        of request: ApprovalRequest, in context: RuleContext
    ) -> ApprovalRequest.Charge? {
        guard let accepted = try? accepted(request, in: context), let billing = accepted.billing
        else { return nil }
        var charge = ApprovalRequest.Charge(
            price: Money(milliunits: 0, currency: billing.price.currency))
        var offer = accepted.selection.next
        for entry in accepted.entries {
            switch entry.fact {
            case .sold(let sale):
                charge.price = sale.price
                offer = sale.offer
            case .subscriptionChanged(let change): charge.startsAt = change.event.until
            default: break
            }
        }
        let product = context.catalog.product(request.payment.productID)
        if let period = billing.period, product?.type == .autoRenewable {
            charge.renewalPrice = billing.price
            charge.renewalPeriod = period
        }
        if let offer, let storefront = storefront(of: request.account, in: context) {
            charge.offer = product?.offer(offer.kind, offer.id)?.offer(in: storefront)
        }
        return charge
    }

    private static func storefront(
        of account: AccountName, in context: RuleContext
    ) -> Storefront? {
        context.snapshot.accounts[account].map { Storefront.find($0.territory) } ?? .usa
    }

    /// The waiting request that a payment for the same product joins. At most one payment waits for
    /// a non-consumable or a subscription. Nil for other types, which may be bought several times.
    static func waiting(
        for product: CatalogProduct, of account: AccountName, in context: RuleContext
    ) -> ApprovalRequest? {
        guard product.type == .nonConsumable || product.type == .autoRenewable else { return nil }
        return context.snapshot.waiting[account]?.first { $0.payment.productID == product.id }
    }

    static func collisions(
        on number: TransactionID, in context: RuleContext
    ) -> [CollisionKey] {
        guard let waiting = context.snapshot.pending[number] else {
            return [.transaction(number)]
        }
        let offer = waiting.payment.offer
        return [.transaction(number)]
            + Eligibility.collisions(
                on: waiting.payment.productID, of: waiting.account, in: context)
            + OfferRules.collisions(on: offer, nonce: offer?.signature?.claimedNonce)
    }

    static func addKeys(on number: TransactionID, to lookup: inout Lookup) {
        lookup.query.pending.insert(number)
        guard let waiting = lookup.found.pending[number] else { return }
        let (payment, account) = (waiting.payment, waiting.account)
        Eligibility.addKeys(on: payment.productID, of: account, to: &lookup)
        OfferRules.addKeys(
            on: payment.offer, nonce: payment.offer?.signature?.claimedNonce,
            of: payment.productID, for: account, to: &lookup)
        if let nonce = payment.introductoryEligibility.flatMap(EligibilityClaim.nonce) {
            lookup.query.usedSignatures.insert(nonce)
        }
    }

    /// Throws the error with which the payment fails.
    private static func accepted(
        _ waiting: ApprovalRequest, in context: RuleContext
    ) throws(StoreError) -> Outcome {
        let payment = waiting.payment
        func failed(_ code: StoreError.Code) -> StoreError {
            StoreError(code, productID: payment.productID, paymentID: payment.id)
        }
        guard let product = context.catalog.product(payment.productID) else {
            throw failed(.productUnavailable)
        }
        if let reason = product.reasonNotForSale(at: context.now, in: context.environment) {
            throw StoreError(reason, productID: payment.productID, paymentID: payment.id)
        }
        var later: PlanChangeRules?
        switch Eligibility.obstacle(to: product, for: waiting.account, in: context) {
        case .owned: throw failed(.alreadyOwned)
        case .subscribed(let row, _):
            let change = PlanChangeRules(
                product: product, latest: row, context: context,
                billingPlan: payment.billingPlan)
            switch change.moment {
            case nil: throw failed(.subscriptionActive)
            // The account has this plan by now.
            case .some(.none) where payment.offer == nil: throw failed(.alreadyOwned)
            case .some(.none), .atRenewal: later = change
            case .now: break
            }
        case nil: break
        }
        let storefront = storefront(of: waiting.account, in: context)
        // The account has moved to a territory with another currency. The approved price cannot be
        // charged there.
        let sold = storefront.flatMap {
            BillingTerms(payment.billingPlan, of: product, in: $0, at: context.now)
        }
        guard var billing = sold, billing.price.currency == payment.shownPrice.currency,
            let storefront
        else {
            throw failed(sold == nil ? .notAvailableInStorefront : .priceChanged)
        }
        let price = billing.price
        let selection = try OfferRules.selection(
            payment.offer, by: payment.id, proof: .acceptedBefore, of: product,
            for: waiting.account, in: storefront, paid: billing.type, begins: later == nil,
            introductory: try OfferRules.acceptedWord(of: payment, in: context),
            context: context)
        // The approved price was that of an introductory offer, which the account has used
        // meanwhile.
        if selection.offer == nil, payment.shownPrice != price,
            product.offer(.introductory, nil)?.price(in: storefront) == payment.shownPrice,
            selection.next?.price != payment.shownPrice
        {
            throw failed(.ineligibleForOffer)
        }
        if let later {
            // The renewal will charge the present price, so no other price can be approved.
            guard [price, selection.next?.price].contains(payment.shownPrice) else {
                throw failed(.priceChanged)
            }
            let answered = later.answered(payment, on: waiting.device)
            guard let entry = later.later(selection.next, answered, request: waiting.number)
            else { throw failed(.alreadyOwned) }
            return Outcome(entries: [entry], selection: selection, billing: billing)
        }
        let ordinary = billing
        billing.price = payment.shownPrice
        let sale = PurchaseRules.sale(
            of: product, for: payment, billing, selection,
            account: waiting.account, territory: storefront.countryCode, in: context)
        let endings = PlanChangeRules.endings(
            before: product, for: waiting.account, in: context)
        return Outcome(
            entries: endings + [entry(of: waiting, .sold(sale), in: context)],
            selection: selection, billing: ordinary)
    }

    private static func entry(
        of waiting: ApprovalRequest, _ fact: Entry.Fact, in context: RuleContext
    ) -> Entry {
        context.entry(
            fact, of: waiting.account, by: waiting.device, number: .existing(waiting.number))
    }
}

extension RequestRules.Answer {
    /// The error with which the payment fails; nil if the answer accepts it.
    fileprivate func refusal(of reason: RequestReason) -> StoreError.Code? {
        switch self {
        case .approve, .resolve: nil
        case .decline: reason == .authentication ? .paymentDeclined : .approvalDeclined
        case .withdraw: .requestWithdrawn
        }
    }

    /// The customer may withdraw any request.
    fileprivate func fits(_ reason: RequestReason) -> Bool {
        switch self {
        case .approve, .decline: reason != .interrupted
        case .resolve: reason == .interrupted
        case .withdraw: true
        }
    }
}
