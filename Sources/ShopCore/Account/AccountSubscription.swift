package import StoreModel

/// The account's subscription in one group, from the store's answer, of which this device has
/// verified both texts.
package struct AccountSubscription: Hashable, Sendable {
    /// The group.
    package var groupID: SubscriptionGroupID
    /// Where it stands.
    package var state: RenewalState
    /// The reason why it will not renew unless somebody acts; nil for none.
    package var problem: SubscriptionProblem?
    /// The first transaction, which names the subscription (StoreKit: `originalID`).
    package var chain: TransactionID
    /// The transaction of the present period, or of the last one.
    package var transactionID: TransactionID
    /// The plan of that period.
    package var productID: ProductID
    /// When that period began.
    package var begins: Timestamp
    /// When that period ends; nil for a free subscription.
    package var ends: Timestamp?
    /// The price paid for that period.
    package var paid: Money
    /// When it was taken back; nil if it was not.
    package var revokedAt: Timestamp?
    /// Whether it was taken back with money given back; false where it was only revoked.
    package var isRefunded: Bool
    /// Whether a family member shares it. Its owner manages it.
    package var isShared: Bool
    /// That member; nil for the account's own.
    package var sharedBy: AccountName?
    /// Whether it renews.
    package var autoRenews: Bool
    /// The plan that it renews as.
    package var nextProductID: ProductID
    /// When the last period that was paid ends, and the next begins; nil if none follows.
    package var renewsAt: Timestamp?
    /// When the last period that was paid ends, whether or not another follows; nil for a free
    /// subscription.
    package var paidUntil: Timestamp?
    /// The price of the next period.
    package var renewalPrice: Money?
    /// When the grace period ends.
    package var graceUntil: Timestamp?
    /// Why it expired.
    package var expirationReason: ExpirationReason?
    /// Whether it expired because it had renewed as often as the store lets it.
    package var isAtRenewalLimit: Bool
    /// Since when the customer subscribes.
    package var since: Timestamp
    /// The consequences of buying each plan of the group now; empty where buying begins a new run.
    package var plans: [ProductID: PlanChange]
    /// When all this changes next by time alone.
    package var changesAt: Timestamp?

    /// Which payment of a commitment the present period is; nil for none.
    package var commitment: TransactionCommitmentInfo?

    /// Nil for a subscription whose texts are not verified: nothing is shown of it.
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
        // Payments of a commitment go on; the customer decides only about the time after it.
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

    /// Whether the customer may use it now.
    package var hasAccess: Bool { state.givesAccess }

    /// Whether the screens show it rather than another one of its group: the account's own, unless it
    /// is over and a family member shares one that is not.
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

    /// Whether its period is over and the payment for the next one has not succeeded yet.
    package var isOverdue: Bool {
        switch state {
        case .inGracePeriod, .inBillingRetryPeriod: true
        case .subscribed, .expired, .revoked: false
        }
    }

    /// Whether the customer should do something about it. Nobody but its owner can about what a family
    /// member shares.
    package var needsAttention: Bool {
        guard !isShared else { return false }
        return switch state {
        case .inGracePeriod, .inBillingRetryPeriod: true
        case .subscribed: problem != nil
        case .expired, .revoked: false
        }
    }

    /// Whether its life is over, so that it must be bought again.
    package var isOver: Bool {
        switch state {
        case .expired, .revoked: true
        case .subscribed, .inGracePeriod, .inBillingRetryPeriod: false
        }
    }

    /// Where it stands, as the screens say it.
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

/// Where a subscription stands, as the screens say it: problems before all else.
package enum PlanStanding: Hashable, Sendable {
    /// It renews then.
    case renews(Timestamp)
    /// Auto-renew is off.
    case ends(Timestamp)
    /// It changes to another plan then.
    case changes(to: ProductID, at: Timestamp)
    /// Charging for the next period fails; the present one is still paid.
    case paymentFails(until: Timestamp)
    /// The period is over and charging fails; access continues.
    case grace(until: Timestamp?)
    /// The period is over and charging fails; there is no access.
    case retrying
    /// The customer is asked to consent to a higher price; without an answer it ends then.
    case priceIncrease(by: Timestamp)
    /// The product is not for sale, so it ends then.
    case notForSale(until: Timestamp)
    /// It has ended.
    case expired(ExpirationReason?, at: Timestamp?)
    /// Its last period was taken back, with or without money.
    case revoked(at: Timestamp?, isRefunded: Bool = true)
    /// A free subscription: it has no end.
    case unending

    /// Whether buying the plan that one has would change something: turn auto-renew on, take a
    /// planned change back, or pay what failed.
    var canBuy: Bool {
        switch self {
        case .ends, .changes, .grace, .retrying, .expired, .revoked: true
        case .renews, .paymentFails, .priceIncrease, .notForSale, .unending: false
        }
    }
}

extension ShopState {
    /// The account's subscription in the group of a product; nil if it never subscribed there, or
    /// the store's answer is not known or not verified.
    package func subscription(inGroupOf product: Product) -> AccountSubscription? {
        product.subscription.flatMap { snapshot.subscriptions[$0.groupID] }
    }

    /// The account's subscription whose present or last plan is a product.
    package func subscription(of id: ProductID) -> AccountSubscription? {
        snapshot.subscriptions.values.first { $0.productID == id }
    }

    /// The consequences of buying a plan while another or the same plan of its group is active; nil
    /// for a product that is simply bought.
    package func planChange(to product: Product) -> PlanChange? {
        subscription(inGroupOf: product)?.plans[product.id]
    }

    /// The subscriptions that a person should do something about, oldest first.
    package var troubledSubscriptions: [AccountSubscription] {
        snapshot.subscriptions.values.filter(\.needsAttention).sorted { $0.chain < $1.chain }
    }

    /// The status of a plan, as far as the account's subscription in its group decides it.
    func planStatus(of product: Product) -> ProductStatus? {
        guard let subscription = subscription(inGroupOf: product), !subscription.isOver,
            subscription.standing != .unending
        else { return nil }
        // A share changes by its owner alone; other plans of the group are bought, not changed to.
        guard !subscription.isShared else {
            return subscription.productID == product.id && subscription.hasAccess
                ? .plan(subscription.standing) : nil
        }
        if subscription.productID == product.id { return .plan(subscription.standing) }
        if let change = subscription.plans[product.id] {
            return change.isPlanned ? .planned(from: change.startsAt) : .change(change)
        }
        // After its period is over another plan is simply bought.
        return subscription.state == .subscribed ? nil : .buyable(isFree: false)
    }
}
