/// A payment that changed a subscription without a charge.
package struct AnsweredRequest: Codable, Hashable, Sendable {
    package var paymentID: PaymentID
    package var productID: ProductID
    /// Nil if the payment did not wait.
    package var request: TransactionID?
    /// Of the present period; the store returns it for the payment.
    package var transaction: TransactionID

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
        /// `reason` says why.
        case expired
        /// The first attempt to charge for the next period failed, before the present one ends
        /// (`until`).
        case billingFailed
        /// The period is over and charging fails; access continues until `until` (StoreKit:
        /// `inGracePeriod`).
        case graceBegan
        /// The grace period is over; the store tries to charge until `until`.
        case graceEnded
        /// The period is over and charging fails; access ends, and the store tries to charge until
        /// `until` (StoreKit: `inBillingRetryPeriod`).
        case billingRetryBegan
        /// A later attempt to charge failed too.
        case billingRetryFailed
        /// StoreKit: `priceIncreaseStatus` `pending`.
        case priceIncreaseAsked
        /// StoreKit: `agreed`.
        case priceIncreaseAgreed
        /// The store notified the customer of a higher price that needs no consent (StoreKit:
        /// `agreed`); it is charged from the renewal at `until`.
        case priceIncreaseNotified
        /// The subscription changes to `nextProductID` at its next renewal, at `until` (StoreKit:
        /// `autoRenewPreference`).
        case planChangePlanned
        case planChangeTakenBack
        /// The customer redeemed an offer that begins with the next renewal, at `until`.
        case offerRedeemed
    }

    /// Decides which of the other members have a value.
    package var kind: Kind
    /// StoreKit: `originalID`.
    package var chain: TransactionID
    /// Of the last period.
    package var productID: ProductID
    /// The date that the description of the kind names; nil for a kind without one.
    package var until: Timestamp?
    /// Nil if the subscription renews as the same product.
    package var nextProductID: ProductID?
    package var reason: ExpirationReason?
    /// True if it ended because it had reached the store's limit of renewals; otherwise nil.
    package var isAtRenewalLimit: Bool?
    /// The billing plan after a planned change; nil if the customer chose none.
    package var nextBillingPlan: BillingPlanType?
    /// True if the planned change is to a lower level; otherwise nil.
    package var isDowngrade: Bool?
    /// The payment that asked for the change; nil without one.
    package var answers: AnsweredRequest?

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

extension SubscriptionEvent {
    package init(kind: Kind, chain: TransactionID, productID: ProductID) {
        self.kind = kind
        self.chain = chain
        self.productID = productID
    }
}
