/// A payment that changed a subscription without a charge.
package struct AnsweredRequest: Codable, Hashable, Sendable {
    /// The payment.
    package var paymentID: PaymentID
    /// The product that it is for.
    package var productID: ProductID
    /// The number under which it waited; nil if it did not wait.
    package var request: TransactionID?
    /// The transaction that it is answered with, of the present period.
    package var transaction: TransactionID

    /// Memberwise.
    package init(
        paymentID: PaymentID, productID: ProductID, request: TransactionID?,
        transaction: TransactionID
    ) {
        self.paymentID = paymentID
        self.productID = productID
        self.request = request
        self.transaction = transaction
    }
}

/// A change of a subscription as a whole. Changes of single transactions are the events `sold` and
/// `revised`.
package struct SubscriptionEvent: Codable, Hashable, Sendable {
    /// The kind of change. The raw value is its name in JSON.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// The subscription ended; `reason` says why.
        case expired
        /// The first attempt to charge for the next period failed, before the present one ends
        /// (`until`).
        case billingFailed
        /// The period is over and charging fails; access continues until `until` (StoreKit:
        /// `inGracePeriod`).
        case graceBegan
        /// The grace period is over; charging is tried again until `until`.
        case graceEnded
        /// The period is over and charging fails; access ends, and charging is tried again until
        /// `until` (StoreKit: `inBillingRetryPeriod`).
        case billingRetryBegan
        /// A later attempt to charge failed too.
        case billingRetryFailed
        /// The customer is asked to consent to a higher price (StoreKit: `priceIncreaseStatus`
        /// `pending`).
        case priceIncreaseAsked
        /// The customer consented to the higher price (StoreKit: `agreed`).
        case priceIncreaseAgreed
        /// The customer is told of a higher price that needs no consent (StoreKit: `agreed`); it is
        /// charged from the renewal at `until`.
        case priceIncreaseNotified
        /// The subscription changes to `nextProductID` at its next renewal, at `until` (StoreKit:
        /// `autoRenewPreference`).
        case planChangePlanned
        /// The planned change of plan was taken back.
        case planChangeTakenBack
        /// An offer was redeemed that begins with the next renewal, at `until`.
        case offerRedeemed
    }

    /// The kind of change; it says which of the other members have a value.
    package var kind: Kind
    /// The first transaction of the subscription (StoreKit: `originalID`).
    package var chain: TransactionID
    /// The product of its last period.
    package var productID: ProductID
    /// The instant that matters next, as each kind says.
    package var until: Timestamp?
    /// The product it renews as, if that is another one.
    package var nextProductID: ProductID?
    /// Why it ended.
    package var reason: ExpirationReason?
    /// True where it ended because it had renewed as often as the store lets it; otherwise nil.
    package var isAtRenewalLimit: Bool?
    /// Of a planned change: how the plan is paid then; nil where that was not asked for.
    package var nextBillingPlan: BillingPlanType?
    /// The payment that it answers; nil where none asked for the change.
    package var answers: AnsweredRequest?

    /// Memberwise: the values are not checked.
    package init(
        kind: Kind, chain: TransactionID, productID: ProductID, until: Timestamp? = nil,
        nextProductID: ProductID? = nil, reason: ExpirationReason? = nil,
        isAtRenewalLimit: Bool? = nil, nextBillingPlan: BillingPlanType? = nil
    ) {
        self.kind = kind
        self.chain = chain
        self.productID = productID
        self.until = until
        self.nextProductID = nextProductID
        self.reason = reason
        self.isAtRenewalLimit = isAtRenewalLimit
        self.nextBillingPlan = nextBillingPlan
    }

    /// The kind of the event in a history.
    package var eventKind: EventKind {
        switch kind {
        case .expired: .expired
        case .billingFailed, .graceBegan, .graceEnded, .billingRetryBegan, .billingRetryFailed:
            .billingFailed
        case .priceIncreaseAsked, .priceIncreaseAgreed, .priceIncreaseNotified: .priceIncrease
        case .planChangePlanned, .planChangeTakenBack: .planChange
        case .offerRedeemed: .offerRedeemed
        }
    }
}
