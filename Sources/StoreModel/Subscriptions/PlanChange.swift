/// The consequences of buying a plan now, in a subscription group in which the account has an
/// active subscription. The store computes them by the rules that decide the purchase; reading them
/// decides nothing.
package struct PlanChange: Codable, Hashable, Sendable {
    /// How the plan compares with the one that the account has.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// It is the plan that the account has, or has paid for from the next period on.
        case present
        /// A higher level of service.
        case upgrade
        /// A lower level of service.
        case downgrade
        /// The same level of service.
        case crossgrade
    }

    /// The plan.
    package var productID: ProductID
    /// How it compares.
    package var kind: Kind
    /// When it begins: for `present`, when its period began; for a change at once, when the answer
    /// was computed; for any other, when the last period that was sold ends.
    package var startsAt: Timestamp
    /// Whether the change takes effect, and is charged, at once. Otherwise buying it charges nothing
    /// now.
    package var isAtOnce: Bool
    /// Whether the subscription renews as this plan already, so that buying it changes nothing.
    package var isPlanned: Bool
    /// The money that a change at once would give back for the unused part of the periods that it
    /// ends, if it were made when the answer was computed; nil for a change that waits for the
    /// renewal.
    package var refund: Money?
    /// How the account pays for its plan now; nil for any other plan. Buying the plan with another
    /// billing plan is a change for the next renewal.
    package var billingPlan: BillingPlanType?

    /// Memberwise: the values are not checked.
    package init(
        productID: ProductID, kind: Kind, startsAt: Timestamp, isAtOnce: Bool = false,
        isPlanned: Bool = false, refund: Money? = nil, billingPlan: BillingPlanType? = nil
    ) {
        self.productID = productID
        self.kind = kind
        self.startsAt = startsAt
        self.isAtOnce = isAtOnce
        self.isPlanned = isPlanned
        self.refund = refund
        self.billingPlan = billingPlan
    }
}
