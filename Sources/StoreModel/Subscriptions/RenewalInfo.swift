package import Foundation

/// The payload of renewal info: the next step of a subscription (StoreKit:
/// `Product.SubscriptionInfo.RenewalInfo`; App Store Server API: `JWSRenewalInfoDecodedPayload`).
/// Untrusted: the type does not prove a signature. Names and units are Apple's; a nil field does
/// not apply.
package struct RenewalInfoPayload: Codable, Hashable, Sendable {
    package var appAccountToken: UUID?
    /// An identifier of the account in this app, the same as in its transactions.
    package var appTransactionId: String?
    package var autoRenewProductId: ProductID
    /// 1 if it renews, 0 if not.
    package var autoRenewStatus: Int
    /// After the present commitment; nil for a subscription without one.
    package var commitmentInfo: RenewalCommitmentInfo?
    /// ISO 4217.
    package var currency: String?
    /// Base64 of the SHA-384 of nonce and device identifier: the device it was signed for
    /// (StoreKit: `deviceVerification`).
    package var deviceVerification: String?
    package var deviceVerificationNonce: UUID?
    /// The best first; nil for none.
    package var eligibleWinBackOfferIds: [String]?
    package var environment: StoreEnvironment
    /// The raw value of `ExpirationReason`.
    package var expirationIntent: Int?
    package var gracePeriodExpiresDate: Timestamp?
    /// Whether the period is over and the store still tries to charge for the next one.
    package var isInBillingRetryPeriod: Bool?
    /// `OfferMode`.
    package var offerDiscountType: String?
    package var offerIdentifier: String?
    /// ISO 8601.
    package var offerPeriod: String?
    /// 1 introductory, 2 promotional, 3 code, 4 win-back: the offer of the next period; nil if none
    /// applies to it.
    package var offerType: Int?
    package var originalTransactionId: TransactionID
    /// Whether the customer has consented to a higher price: 0 not yet, 1 yes.
    package var priceIncreaseStatus: Int?
    /// The product of the present period, or of the last one.
    package var productId: ProductID
    /// The beginning of the subscription, not counting breaks of 60 days or less.
    package var recentSubscriptionStartDate: Timestamp
    /// The billing plan of the next period; nil if none follows, and for a product without billing
    /// plans.
    package var renewalBillingPlanType: String?
    /// When the last period that was sold ends, and the next begins.
    package var renewalDate: Timestamp?
    /// Of the next period, in milliunits of `currency`.
    package var renewalPrice: Int64?
    /// When the store signed it. The certificates must be valid at this date.
    package var signedDate: Timestamp
}

extension RenewalInfoPayload {
    package init(
        originalTransactionId: TransactionID, productId: ProductID, autoRenewProductId: ProductID,
        autoRenewStatus: Int, recentSubscriptionStartDate: Timestamp, environment: StoreEnvironment,
        signedDate: Timestamp
    ) {
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.autoRenewProductId = autoRenewProductId
        self.autoRenewStatus = autoRenewStatus
        self.recentSubscriptionStartDate = recentSubscriptionStartDate
        self.environment = environment
        self.signedDate = signedDate
    }
}
