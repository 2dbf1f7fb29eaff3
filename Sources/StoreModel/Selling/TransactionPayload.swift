package import Foundation

/// The payload of a signed transaction (App Store Server API: `JWSTransactionDecodedPayload`).
/// Untrusted: the type does not prove a signature. On a device only a `Transaction`, which the
/// verifier makes, may unlock anything.
///
/// Names and units of the fields are Apple's; a nil field does not apply. `environment` and
/// `offerDiscountType` keep values this program does not know; an unknown value of an enum field
/// fails to decode.
package struct TransactionPayload: Codable, Hashable, Sendable {
    package var appAccountToken: UUID?
    /// A digest that identifies the account in this app, equal in all its transactions; not the
    /// account's name.
    package var appTransactionId: String?
    /// The digest of the app's name for its user, if the payment had one (StoreKit 1:
    /// `SKPayment.applicationUsername`). Apple's payloads have no such field.
    package var applicationUsernameHash: String?
    /// `BILLED_UPFRONT` or `MONTHLY`; nil for a product without billing plans.
    package var billingPlanType: String?
    package var bundleId: String
    package var commitmentInfo: TransactionCommitmentInfo?
    /// ISO 4217.
    package var currency: String
    /// Base64 of the SHA-384 of nonce and device identifier: the device it was signed for
    /// (StoreKit: `deviceVerification`). Nil if it was signed for the operator.
    package var deviceVerification: String?
    /// The nonce in `deviceVerification` (StoreKit: `deviceVerificationNonce`).
    package var deviceVerificationNonce: UUID?
    package var environment: StoreEnvironment
    /// When the period ends; nil for everything but auto-renewable subscriptions, and for a free
    /// one.
    package var expiresDate: Timestamp?
    package var inAppOwnershipType = Ownership.purchased
    /// Set if the person upgraded to another subscription.
    package var isUpgraded: Bool?
    /// `OfferMode`.
    package var offerDiscountType: String?
    /// Nil for an introductory offer.
    package var offerIdentifier: String?
    /// ISO 8601.
    package var offerPeriod: String?
    /// 1 introductory, 2 promotional, 3 code, 4 win-back; nil where no offer applied.
    package var offerType: Int?
    package var originalPurchaseDate: Timestamp
    /// The first transaction of a chain, such as a subscription; the transaction itself if it is
    /// the first.
    package var originalTransactionId: TransactionID
    /// Charged for the whole quantity, in milliunits of `currency`.
    package var price: Int64
    package var productId: ProductID
    /// When the store charged for it; for a renewal, when its period begins.
    package var purchaseDate: Timestamp
    package var quantity: Int
    /// When it was refunded or revoked; nil if it was not.
    package var revocationDate: Timestamp?
    /// How much of it is revoked, in thousandths of a percent: 100,000 is all.
    package var revocationPercentage: Int?
    /// 0 other, 1 an issue with the app; the raw value of `RevocationReason`.
    package var revocationReason: Int?
    /// The kind of refund, or `family` for a share that ended; nil if no money was returned for a
    /// purchase of the account's own.
    package var revocationType: RevocationType?
    /// When the store signed it. The certificates must be valid at this date.
    package var signedDate: Timestamp
    /// ISO 3166-1 alpha-3.
    package var storefront: String
    /// Apple's number of that territory.
    package var storefrontId: String
    package var subscriptionGroupIdentifier: SubscriptionGroupID?
    /// Unique in the store.
    package var transactionId: TransactionID
    package var transactionReason = Reason.purchase
    /// At the sale.
    package var type: ProductType
    /// Identifies one period's purchase across devices; set for auto-renewable subscriptions.
    package var webOrderLineItemId: String?

    /// The kind of refund, or the end of a family share.
    package enum RevocationType: String, Codable, Sendable {
        case full = "REFUND_FULL"
        case prorated = "REFUND_PRORATED"
        case family = "FAMILY_REVOKE"
    }

    /// Whether the account bought the product or a family member shares it (StoreKit:
    /// `Transaction.OwnershipType`).
    package enum Ownership: String, Codable, Sendable {
        case purchased = "PURCHASED"
        case familyShared = "FAMILY_SHARED"
    }

    /// Why the store charged: a purchase or a renewal (StoreKit: `Transaction.Reason`).
    package enum Reason: String, Codable, Sendable {
        case purchase = "PURCHASE"
        case renewal = "RENEWAL"
    }
}

extension TransactionPayload {
    /// How much of what it granted is taken back.
    package var takenBack: Share {
        revocationDate == nil ? .none : revocationPercentage.map { Share(millipercent: $0) } ?? .all
    }

    package init(
        transactionId: TransactionID, originalTransactionId: TransactionID, bundleId: String,
        productId: ProductID, type: ProductType, purchaseDate: Timestamp,
        originalPurchaseDate: Timestamp, quantity: Int, environment: StoreEnvironment,
        storefront: String, storefrontId: String, price: Int64, currency: String,
        signedDate: Timestamp
    ) {
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.bundleId = bundleId
        self.productId = productId
        self.type = type
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.quantity = quantity
        self.environment = environment
        self.storefront = storefront
        self.storefrontId = storefrontId
        self.price = price
        self.currency = currency
        self.signedDate = signedDate
    }
}
