package import StoreModel

/// The terms of buying a plan: the billing plan and the offer.
package struct PurchaseTerms: Hashable, Sendable {
    /// Nil for the usual one.
    package var billingPlan: BillingPlan?
    package var offer: Offer?
    /// The code that redeems the offer; nil for an offer without a code.
    package var code: String?
    /// The introductory offer that comes before the offer of a stackable code.
    package var before: Offer?

    /// An introductory offer is never named: the store applies it to every eligible purchase.
    package var asked: PaymentOffer? {
        guard let offer, offer.kind != .introductory, let id = offer.id else { return nil }
        return PaymentOffer(kind: offer.kind, id: id, code: code)
    }

    /// Whether a payment asks for these terms.
    func are(of payment: Payment) -> Bool {
        asked == payment.offer
            && (billingPlan?.type ?? .upFront) == (payment.billingPlan ?? .upFront)
    }

    /// The price of the first period.
    package func price(of product: Product) -> Money {
        (before ?? offer)?.price ?? billingPlan?.price ?? product.price
    }
}

extension Product {
    /// Whether the product has offers for which only the store knows the account's eligibility.
    var hasOffersToAskFor: Bool {
        (subscription?.offers ?? []).contains { $0.kind == .promotional || $0.kind == .winBack }
    }
}

extension ShopState {
    /// With the introductory offer if the account is eligible; nil for what is not a plan.
    package func usualTerms(of product: Product) -> PurchaseTerms? {
        terms(of: product, answers: nil, redeeming: nil).first
    }

    /// The usual ones first. Empty for what is not a plan; `answers` is nil until the store's come.
    func terms(
        of product: Product, answers: [OfferAnswer]?, redeeming redemption: CodeRedemption?
    ) -> [PurchaseTerms] {
        guard let info = product.subscription, info.period != nil else { return [] }
        // A purchase after a failed payment makes that payment, with its offer's remaining periods.
        if let subscription = subscription(inGroupOf: product), subscription.isOverdue,
            !subscription.isShared
        {
            return [PurchaseTerms()]
        }
        let usual = info.usualBillingPlan
        let plans: [BillingPlan?] =
            info.billingPlans.count < 2 && usual != .monthly ? [nil] : info.billingPlans
        func introductory(_ plan: BillingPlan?) -> Offer? {
            info.introductoryOffer(paid: plan?.type ?? usual)
        }
        if let redemption {
            return [
                PurchaseTerms(
                    offer: redemption.offer, code: redemption.code,
                    before: redemption.isStackable ? introductory(nil) : nil)
            ]
        }
        var terms: [PurchaseTerms] = []
        for plan in plans {
            terms.append(PurchaseTerms(billingPlan: plan, offer: introductory(plan)))
            for answer in answers ?? [] where answer.refusal == nil {
                let offer = answer.offer
                let fits =
                    offer.billingPlan == nil
                    || offer.billingPlan == plan?.type ?? usual ?? .upFront
                guard fits else { continue }
                switch offer.kind {
                case .promotional, .winBack:
                    terms.append(PurchaseTerms(billingPlan: plan, offer: offer))
                case .introductory, .code: break
                }
            }
        }
        return terms
    }
}
