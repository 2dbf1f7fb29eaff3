package import StoreModel

/// The account's subscription in one group, from the store's answer. The device has verified its
/// signed transaction and its signed renewal info.
package struct AccountSubscription: Hashable, Sendable {
    package var groupID: SubscriptionGroupID
    package var state: RenewalState
    /// Why it will not renew without an action; nil if it will, or is over.
    package var problem: SubscriptionProblem?
    /// The id of the first transaction (StoreKit: `originalID`), which identifies the subscription.
    package var chain: TransactionID
    /// The transaction of the present or last period.
    package var transactionID: TransactionID
    /// The plan of the present or last period.
    package var productID: ProductID
    /// The start of the present or last period.
    package var begins: Timestamp
    /// The end of the present or last period; nil for a free subscription.
    package var ends: Timestamp?
    /// The price paid for the present or last period.
    package var paid: Money
    package var revokedAt: Timestamp?
    /// Whether the revocation was a refund; false if no money was returned.
    package var isRefunded: Bool
    /// Whether a family member shares the subscription. Only that member can manage it.
    package var isShared: Bool
    /// The family member who shares it; nil for the account's own subscription.
    package var sharedBy: AccountName?
    package var autoRenews: Bool
    package var nextProductID: ProductID
    /// The end of the last paid period, at which the next begins; nil if no period follows.
    package var renewsAt: Timestamp?
    /// The last paid period's end, whether or not another follows; nil for a free subscription.
    package var paidUntil: Timestamp?
    package var renewalPrice: Money?
    package var graceUntil: Timestamp?
    package var expirationReason: ExpirationReason?
    /// Whether it expired because it reached the store's limit of renewals.
    package var isAtRenewalLimit: Bool
    /// The time at which the customer first subscribed.
    package var since: Timestamp
    /// What buying each plan now does; empty if a purchase would start a new subscription.
    package var plans: [ProductID: PlanChange]
    /// The next time at which the state changes without an action; nil if there is none.
    package var changesAt: Timestamp?

    /// The number of the present period's payment in a commitment; nil without a commitment.
    package var commitment: TransactionCommitmentInfo?

    /// Returns nil for a subscription whose texts are not verified, so that no screen shows it.
    package init?(_ subscription: VerifiedSubscription) {
        guard case .success(let transaction) = subscription.transaction,
            case .success(let info) = subscription.renewalInfo
        else { return nil }
        let status = subscription.status
        groupID = status.groupID
        state = status.state
        problem = status.problem
        chain = info.originalTransactionId
        transactionID = transaction.transactionId
        productID = transaction.productId
        begins = transaction.purchaseDate
        ends = transaction.expiresDate
        paid = Money(milliunits: transaction.price, currency: transaction.currency)
        revokedAt = transaction.revocationDate
        isRefunded =
            transaction.revocationType == .full || transaction.revocationType == .prorated
        isShared = transaction.inAppOwnershipType == .familyShared
        sharedBy = status.sharedBy
        commitment = transaction.commitmentInfo
        // A commitment's payments continue; auto-renew applies to the time after it.
        let after = info.commitmentInfo
        autoRenews = (after?.commitmentAutoRenewStatus ?? info.autoRenewStatus) == 1
        nextProductID = after?.commitmentAutoRenewProductId ?? info.autoRenewProductId
        renewsAt = info.renewalDate
        paidUntil = info.renewalDate ?? status.paidUntil ?? transaction.expiresDate
        renewalPrice = info.renewalPrice.flatMap { price in
            info.currency.map { Money(milliunits: price, currency: $0) }
        }
        graceUntil = info.gracePeriodExpiresDate
        expirationReason = info.expirationIntent.flatMap { ExpirationReason(rawValue: $0) }
        isAtRenewalLimit = status.isAtRenewalLimit == true
        since = info.recentSubscriptionStartDate
        plans = Dictionary(
            status.plans.map { ($0.productID, $0) }, uniquingKeysWith: { first, _ in first })
        changesAt = status.changesAt
    }

    package var hasAccess: Bool { state.givesAccess }

    /// The account's own precedes a shared one on the screens, unless only the own one is over.
    func precedes(_ other: AccountSubscription) -> Bool {
        (rank, transactionID) > (other.rank, other.transactionID)
    }

    private var rank: Int {
        switch (isOver, isShared) {
        case (false, false): 4
        case (false, true): hasAccess ? 3 : 2
        case (true, false): 1
        case (true, true): 0
        }
    }

    /// Whether the period is over and the payment for the next one has not succeeded yet.
    package var isOverdue: Bool { state == .inGracePeriod || state == .inBillingRetryPeriod }

    /// Whether the customer should act on it. False for a shared one: only its owner can act.
    package var needsAttention: Bool {
        !isShared && (isOverdue || state == .subscribed && problem != nil)
    }

    /// Whether the subscription has ended, so that access needs a new purchase.
    package var isOver: Bool { state == .expired || state == .revoked }

    package var standing: PlanStanding {
        switch state {
        case .expired: return .expired(expirationReason, at: ends)
        case .revoked: return .revoked(at: revokedAt, isRefunded: isRefunded)
        case .inBillingRetryPeriod: return .retrying
        case .inGracePeriod: return .grace(until: graceUntil)
        case .subscribed: break
        }
        guard let end = paidUntil else { return .unending }
        switch problem {
        case .billingFailed: return .paymentFails(until: end)
        case .priceConsentNeeded: return .priceIncrease(by: end)
        case .productUnavailable: return .notForSale(until: end)
        case nil: break
        }
        let last = commitment?.commitmentExpiresDate
        guard autoRenews else { return .ends(last ?? end) }
        return nextProductID == productID
            ? .renews(end) : .changes(to: nextProductID, at: last ?? end)
    }
}

/// The standing of a subscription, as the screens name it. Problems take precedence.
package enum PlanStanding: Hashable, Sendable {
    case renews(Timestamp)
    /// Auto-renew is off: it ends at this time.
    case ends(Timestamp)
    case changes(to: ProductID, at: Timestamp)
    /// The charge for the next period fails; the present period is still paid.
    case paymentFails(until: Timestamp)
    /// The period is over and charging fails; access continues.
    case grace(until: Timestamp?)
    /// The period is over and charging fails; there is no access.
    case retrying
    /// The customer is asked to consent to a higher price; without consent it ends at `by`.
    case priceIncrease(by: Timestamp)
    /// The product is not for sale any more, so the subscription ends at `until`.
    case notForSale(until: Timestamp)
    case expired(ExpirationReason?, at: Timestamp?)
    case revoked(at: Timestamp?, isRefunded: Bool = true)
    /// A free subscription: it has no end.
    case unending

    /// Whether buying the same plan again has an effect: it turns auto-renew on, cancels a planned
    /// change, or makes the failed payment.
    var canBuy: Bool {
        switch self {
        case .ends, .changes, .grace, .retrying, .expired, .revoked: true
        case .renews, .paymentFails, .priceIncrease, .notForSale, .unending: false
        }
    }
}

extension ShopState {
    /// Nil if the account never subscribed, or if the store's answer is missing or unverified.
    package func subscription(inGroupOf product: Product) -> AccountSubscription? {
        product.subscription.flatMap { snapshot.subscriptions[$0.groupID] }
    }

    /// The account's subscription whose present or last plan is a product.
    package func subscription(of id: ProductID) -> AccountSubscription? {
        snapshot.subscriptions.values.first { $0.productID == id }
    }

    /// Nil if the purchase changes no subscription.
    package func planChange(to product: Product) -> PlanChange? {
        subscription(inGroupOf: product)?.plans[product.id]
    }

    /// Those on which the customer should act, oldest first.
    package var troubledSubscriptions: [AccountSubscription] {
        snapshot.subscriptions.values.filter(\.needsAttention).sorted { $0.chain < $1.chain }
    }

    /// Nil unless the account's subscription in the plan's group determines the status.
    func planStatus(of product: Product) -> ProductStatus? {
        guard let subscription = subscription(inGroupOf: product), !subscription.isOver,
            subscription.standing != .unending
        else { return nil }
        // A shared subscription cannot be changed: other plans of the group are bought anew.
        guard !subscription.isShared else {
            return subscription.productID == product.id && subscription.hasAccess
                ? .plan(subscription.standing) : nil
        }
        if subscription.productID == product.id { return .plan(subscription.standing) }
        if let change = subscription.plans[product.id] {
            return change.isPlanned ? .planned(from: change.startsAt) : .change(change)
        }
        // After the period is over, another plan is bought anew instead of changed to.
        return subscription.state == .subscribed ? nil : .buyable(isFree: false)
    }
}
