/// The state of a subscription. The raw value is Apple's (StoreKit: `RenewalState`; App Store
/// Server API: `status`).
package enum RenewalState: Int, Codable, Sendable, CaseIterable {
    case subscribed = 1
    case expired = 2
    /// The period is over and the store tries to charge for the next one; there is no access.
    case inBillingRetryPeriod = 3
    /// The period is over and the store tries to charge for the next one; access continues.
    case inGracePeriod = 4
    case revoked = 5

    /// StoreKit's, as JSON writes it.
    package var name: String { String(describing: self) }

    package var givesAccess: Bool {
        switch self {
        case .subscribed, .inGracePeriod: true
        case .expired, .inBillingRetryPeriod, .revoked: false
        }
    }
}

/// The reason why a subscription will not renew unless the customer or the operator acts.
/// `billingFailed` is reported from 10 days before the renewal, scaled with the rate; the other
/// reasons at once.
package enum SubscriptionProblem: String, Codable, Sendable, CaseIterable {
    /// Charging for the renewal fails, or will fail.
    case billingFailed
    case priceConsentNeeded
    case productUnavailable
}

/// A subscription of an account, or one that a family member shares with it, as the store answers
/// for it (StoreKit: `Product.SubscriptionInfo.Status`). Only the signed texts prove anything.
package struct SubscriptionStatus: Codable, Hashable, Sendable {
    package var groupID: SubscriptionGroupID
    /// The first transaction of the subscription (App Store Server API: `originalTransactionId`);
    /// nil in an answer that was kept before it was told.
    package var chain: TransactionID?
    package var state: RenewalState
    /// Of the present period, or of the last one, signed for the asking device.
    package var transaction: SignedTransaction
    /// The renewal info (next product, price and date, or why it ended), signed for the asking
    /// device.
    package var renewalInfo: SignedRenewalInfo
    /// Nil for none, and for a subscription that a family member shares.
    package var problem: SubscriptionProblem?
    /// Nil for the account's own subscription.
    package var sharedBy: AccountName?
    /// The end of the last period that is paid and not revoked: the present one, or the next one,
    /// which the store charges ahead. Nil if no period is paid, and for a free subscription.
    package var paidUntil: Timestamp?
    /// True if it ended because it had reached the store's limit of renewals; otherwise nil.
    package var isAtRenewalLimit: Bool?
    /// The consequences of buying each plan of the group now, in the catalog's order. Empty if the
    /// account has no active period that it bought itself: a purchase then begins a new run.
    package var plans: [PlanChange] = []
    /// When this answer changes next by time alone, in store time; nil if it does not.
    package var changesAt: Timestamp?
}

extension SubscriptionStatus {
    package init(
        groupID: SubscriptionGroupID, state: RenewalState, transaction: SignedTransaction,
        renewalInfo: SignedRenewalInfo
    ) {
        self.groupID = groupID
        self.state = state
        self.transaction = transaction
        self.renewalInfo = renewalInfo
    }
}

/// A subscription as a device answers for it, with the texts verified for this device.
package struct VerifiedSubscription: Sendable, Hashable {
    package var status: SubscriptionStatus
    /// Or the first reason why it is not verified.
    package var transaction: Result<TransactionPayload, VerificationError>
    /// Or the first reason why it is not verified.
    package var renewalInfo: Result<RenewalInfoPayload, VerificationError>

    package init(
        status: SubscriptionStatus, transaction: Result<TransactionPayload, VerificationError>,
        renewalInfo: Result<RenewalInfoPayload, VerificationError>
    ) {
        self.status = status
        self.transaction = transaction
        self.renewalInfo = renewalInfo
    }
}
