package import StoreModel

/// The state of a subscription that its last sale does not include, as of the last entry about it.
/// Every sale resets it to `renewing`.
package struct SubscriptionState: Codable, Hashable, Sendable {
    /// Why auto-renew is off; nil while it is on, and if the customer has turned it off.
    package var offReason: AutoRenewChange.Reason?
    /// The failed charge for the next period, with its dates; nil if no charge has failed.
    package var billing: BillingIssue?
    /// The customer's answer to a higher price; nil if none was put to the customer.
    package var priceIncrease: PriceIncrease?
    /// The higher price that was put to the customer. A price that has risen again since must be
    /// told anew. Nil if the customer was told no price.
    package var toldPrice: Money?
    /// The product that the subscription renews as, if not the last period's (StoreKit:
    /// `autoRenewPreference`).
    package var nextProductID: ProductID?
    /// Why the subscription ended; nil while it has not.
    package var expired: ExpirationReason?
    /// An offer that was redeemed for the next renewal, before its first period; nil for none.
    package var nextOffer: SoldOffer?
    /// An offer of the present plan that was redeemed for the next renewal, while another plan
    /// waits or auto-renew is off. It applies again if the customer keeps the plan.
    package var offerAside: SoldOffer?
    /// Nil for the same plan.
    package var nextBillingPlan: BillingPlanType?
    /// The customer's choice for the end of the present commitment, made since the last payment;
    /// nil for none.
    package var afterCommitment: AfterCommitment?

    /// After every sale.
    package static let renewing = SubscriptionState()
}

/// A customer's answer to a higher price (StoreKit: `priceIncreaseStatus`).
package enum PriceIncrease: String, Codable, Sendable {
    /// Consent was asked for and is not answered.
    case pending
    /// The customer has consented, or was notified of a price that needs no consent.
    case agreed
}

/// A failure to charge for a subscription's next period.
package struct BillingIssue: Codable, Hashable, Sendable {
    /// When the first attempt failed.
    package var since: Timestamp
    /// The end of the grace period (App Store Server API: `gracePeriodExpiresDate`); nil while the
    /// period has not ended, and without a grace period.
    package var graceUntil: Timestamp?
    /// The end of billing retry, when the subscription expires.
    package var retryUntil: Timestamp
    /// Whether the period has ended, so that grace or billing retry has begun.
    package var isOverdue = false
    /// The number of failed attempts to charge.
    package var attempts = 1
}

/// A payment that was answered with a transaction of an earlier sale: it changed a subscription,
/// and nothing was charged.
package struct AnsweredPayment: Codable, Hashable, Sendable {
    package var payment: Payment
    package var device: DeviceName
    package var transaction: TransactionID
}

/// A change of a subscription, as recorded: the whole new state, and the event of the change.
package struct SubscriptionChange: Codable, Hashable, Sendable {
    /// What devices get for the change.
    package var event: SubscriptionEvent
    package var autoRenews: Bool
    package var state: SubscriptionState
    /// The next due item; nil once the subscription is over.
    package var next: DueItem?
    /// The payment that made the change; nil if no payment did.
    package var answered: AnsweredPayment?
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
