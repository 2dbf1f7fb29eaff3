/// An offer of a subscription as one account sees it (StoreKit: `Product.SubscriptionOffer`).
package struct Offer: Codable, Hashable, Sendable {
    package var kind: OfferKind
    /// Unique among the offers of its product; nil for an introductory offer.
    package var id: OfferID?
    package var mode: OfferMode
    package var period: SubscriptionPeriod
    /// How many periods it has: more than 1 only where each is paid for (StoreKit: `periodCount`).
    package var periodCount: Int
    /// The price of one period, or of the whole offer where it is paid up front; 0 for a free
    /// trial.
    package var price: Money
    /// The only billing plan that the offer applies to; nil for every plan.
    package var billingPlan: BillingPlanType?

    package init(
        kind: OfferKind, id: OfferID? = nil, mode: OfferMode, period: SubscriptionPeriod,
        periodCount: Int = 1, price: Money, billingPlan: BillingPlanType? = nil
    ) {
        self.billingPlan = billingPlan
        self.kind = kind
        self.id = id
        self.mode = mode
        self.period = period
        self.periodCount = periodCount
        self.price = price
    }
}

/// Why the store does not accept the signature of a promotional offer.
package enum OfferSignatureFault: String, Codable, Hashable, Sendable, CaseIterable {
    /// The signature names a key that the store does not have.
    case unknownKey
    /// The named key did not sign this app, product, offer and customer.
    case forged
    case unreadable
    /// Of another app, product, offer or customer.
    case signedForOther
    /// More than 24 hours old.
    case expired
    /// More than 24 hours ahead.
    case notYetValid
    /// Another payment has used the signature.
    case replayed
}

/// Why an account cannot have an offer.
package enum OfferRefusal: String, Codable, Hashable, Sendable, CaseIterable {
    /// The account, or a family member that shared with it, has used an introductory offer of the
    /// subscription group.
    case introductoryUsed
    /// The account never subscribed in the group, but promotional and win-back offers require it.
    case neverSubscribed
    /// The account subscribes in the group now; win-back offers are for former subscribers.
    case stillSubscribed
    /// Charging for the account's subscription fails: the account must first pay what it owes, at
    /// the subscription's own price.
    case paymentFails
    /// The code's offer excludes customers who never subscribed.
    case notForNew
    /// The account subscribes in the group now; introductory offers, and those of some codes, are
    /// for others.
    case notForExisting
    /// The code's offer excludes customers who subscribed before.
    case notForExpired
    /// The account has redeemed a code of the offer.
    case codeUsed
    /// The code has reached its limit of redemptions.
    case codeUsedUp
    case paidTooShort
    case lapsedTooShort
    case lapsedTooLong
    /// The catalog withdraws the offer from every account (Xcode: `isEligible`).
    case switchedOff
}

/// An offer with the store's answer whether an account can have it.
package struct OfferAnswer: Codable, Hashable, Sendable {
    package var offer: Offer
    package var refusal: OfferRefusal?
    /// Empty unless the offer's kind is `code`.
    package var codes: [String]

    package init(offer: Offer, refusal: OfferRefusal? = nil, codes: [String] = []) {
        self.offer = offer
        self.refusal = refusal
        self.codes = codes
    }

    /// Whether a purchase needs the app's signature of the offer (StoreKit:
    /// `PurchaseOption.promotionalOffer`).
    package var needsSignature: Bool { offer.kind == .promotional }
}

/// The product and offer that a code redeems, with the terms that a customer gets.
package struct CodeRedemption: Codable, Hashable, Sendable {
    package var productID: ProductID
    package var offer: Offer
    /// As the catalog writes it.
    package var code: String
    /// Whether an eligible account gets the introductory offer first and this offer after it.
    package var isStackable: Bool

    package init(productID: ProductID, offer: Offer, code: String, isStackable: Bool = false) {
        self.isStackable = isStackable
        self.productID = productID
        self.offer = offer
        self.code = code
    }

    /// The offer that a payment must name in order to redeem the code; nil for an offer without
    /// identifier.
    package var asked: PaymentOffer? {
        offer.id.map { PaymentOffer(kind: .code, id: $0, code: code) }
    }
}
