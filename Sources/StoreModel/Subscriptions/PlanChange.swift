/// The consequences of buying a plan now, in a subscription group in which the account has an
/// active subscription. The store computes them by the rules that decide the purchase; asking for
/// them changes nothing.
package struct PlanChange: Codable, Hashable, Sendable {
    /// How the plan compares with the account's present plan.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// The account's present plan, or the plan that it has paid for from the next period on.
        case present
        /// A higher level of service.
        case upgrade
        /// A lower level of service.
        case downgrade
        /// The same level of service.
        case crossgrade
    }

    package var productID: ProductID
    package var kind: Kind
    /// When the plan begins: for `present`, when its period began; for a change at once, when the
    /// store computed this answer; for any other, when the last period that was sold ends.
    package var startsAt: Timestamp
    /// Whether the change takes effect, and is charged, at once. Otherwise buying the plan charges
    /// nothing now.
    package var isAtOnce = false
    /// Whether the subscription renews as this plan already, so that buying it changes nothing.
    package var isPlanned = false
    /// The refund for the unused part of the periods that a change at once would end, if the
    /// customer made it when the store computed this answer; nil for a change that waits for the
    /// renewal.
    package var refund: Money?
    /// The billing plan of the account's present plan; nil for any other plan. Buying the present
    /// plan with another billing plan is a change for the next renewal.
    package var billingPlan: BillingPlanType?
}

extension PlanChange {
    package init(
        productID: ProductID, kind: Kind, startsAt: Timestamp
    ) {
        self.productID = productID
        self.kind = kind
        self.startsAt = startsAt
    }
}
