package import StoreModel

/// Everything about a subscription that its last sale does not say, as of the last entry about it. A
/// new period begins with `renewing`.
package struct SubscriptionState: Codable, Hashable, Sendable {
    /// Why auto-renew is off; nil while it is on, and after a choice of the customer's.
    package var offReason: AutoRenewChange.Reason?
    /// The failed charge for the next period, with its dates; nil while nothing failed.
    package var billing: BillingIssue?
    /// Whether a higher price was put to the customer; nil if it was not.
    package var priceIncrease: PriceIncrease?
    /// The product it renews as, if that is not the last period's (StoreKit:
    /// `autoRenewPreference`).
    package var nextProductID: ProductID?
    /// Why it ended; nil until it has.
    package var expired: ExpirationReason?
    /// An offer that was redeemed for the next renewal, before its first period; nil for none.
    package var nextOffer: SoldOffer?
    /// An offer of the last period's plan that was redeemed for the next renewal, while another plan
    /// waits or auto-renew is off. It holds again once the customer keeps the plan.
    package var offerAside: SoldOffer?
    /// How the next period is paid, if that is to change; nil for the same way.
    package var nextBillingPlan: BillingPlanType?
    /// The customer's choice for the end of the present commitment, made since the last payment;
    /// nil where nothing was chosen since.
    package var afterCommitment: AfterCommitment?

    /// Memberwise.
    package init(
        offReason: AutoRenewChange.Reason? = nil, billing: BillingIssue? = nil,
        priceIncrease: PriceIncrease? = nil, nextProductID: ProductID? = nil,
        expired: ExpirationReason? = nil, nextOffer: SoldOffer? = nil,
        offerAside: SoldOffer? = nil, nextBillingPlan: BillingPlanType? = nil,
        afterCommitment: AfterCommitment? = nil
    ) {
        self.offerAside = offerAside
        self.nextBillingPlan = nextBillingPlan
        self.afterCommitment = afterCommitment
        self.offReason = offReason
        self.billing = billing
        self.priceIncrease = priceIncrease
        self.nextProductID = nextProductID
        self.expired = expired
        self.nextOffer = nextOffer
    }

    /// The state that every sale begins.
    package static let renewing = SubscriptionState()
}

/// A customer's answer to a higher price (StoreKit: `priceIncreaseStatus`).
package enum PriceIncrease: String, Codable, Sendable {
    /// Asked and not answered.
    case pending
    /// Consented, or told of a price that needs no consent.
    case agreed
}

/// A failure to charge for a subscription's next period.
package struct BillingIssue: Codable, Hashable, Sendable {
    /// When the first attempt failed.
    package var since: Timestamp
    /// The end of the grace period (App Store Server API: `gracePeriodExpiresDate`); nil before the
    /// period is over, and without a grace period.
    package var graceUntil: Timestamp?
    /// The end of billing retry; the subscription expires then.
    package var retryUntil: Timestamp
    /// Whether the period is over: grace or billing retry has begun.
    package var isOverdue: Bool
    /// Attempts that failed.
    package var attempts: Int

    /// Memberwise.
    package init(
        since: Timestamp, graceUntil: Timestamp? = nil, retryUntil: Timestamp,
        isOverdue: Bool = false, attempts: Int = 1
    ) {
        self.since = since
        self.graceUntil = graceUntil
        self.retryUntil = retryUntil
        self.isOverdue = isOverdue
        self.attempts = attempts
    }
}

/// A payment that was answered with a transaction of an earlier sale: it changed the subscription,
/// and nothing was charged.
package struct AnsweredPayment: Codable, Hashable, Sendable {
    /// The payment.
    package var payment: Payment
    /// The device that sent it.
    package var device: DeviceName
    /// The transaction that it was answered with.
    package var transaction: TransactionID

    /// Memberwise.
    package init(payment: Payment, device: DeviceName, transaction: TransactionID) {
        self.payment = payment
        self.device = device
        self.transaction = transaction
    }
}

/// A subscription changed, as it is recorded: the whole new state, and the event that led to it.
package struct SubscriptionChange: Codable, Hashable, Sendable {
    /// The change, as devices are told of it.
    package var event: SubscriptionEvent
    /// Whether it renews from now on.
    package var autoRenews: Bool
    /// The whole new state.
    package var state: SubscriptionState
    /// The next due item; nil once the subscription is over.
    package var next: DueItem?
    /// The payment that changed it; nil where none did.
    package var answered: AnsweredPayment?

    /// Memberwise.
    package init(
        event: SubscriptionEvent, autoRenews: Bool, state: SubscriptionState, next: DueItem?,
        answered: AnsweredPayment? = nil
    ) {
        self.event = event
        self.autoRenews = autoRenews
        self.state = state
        self.next = next
        self.answered = answered
    }
}

extension SubscriptionChange {
    /// The event with the payment that it answers.
    ///
    /// - Parameter request: the number under which the payment waited; nil if it did not wait.
    func event(of request: TransactionID?) -> SubscriptionEvent {
        var event = event
        event.answers = answered.map {
            AnsweredRequest(
                paymentID: $0.payment.id, productID: $0.payment.productID, request: request,
                transaction: $0.transaction)
        }
        return event
    }
}
