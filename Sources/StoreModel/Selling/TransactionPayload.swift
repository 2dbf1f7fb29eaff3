package import Foundation

/// A signed transaction as it travels: a compact JWS (RFC 7515), header, payload and signature.
/// Text anyone could have written: nothing in it may be believed before it is verified.
package struct SignedTransaction: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}

/// What a signed transaction says (App Store Server API: `JWSTransactionDecodedPayload`). Untrusted:
/// holding one proves nothing. The store fills it from its ledger; on the device only a verified
/// transaction may unlock anything.
///
/// Field names, units and absent-means-not-applicable follow Apple's payload exactly; text values
/// that have an open set keep whatever they were.
package struct TransactionPayload: Codable, Hashable, Sendable {
    package var transactionId: TransactionID
    package var originalTransactionId: TransactionID
    package var webOrderLineItemId: String?
    package var appTransactionId: String?
    package var bundleId: String
    package var productId: ProductID
    package var subscriptionGroupIdentifier: SubscriptionGroupID?
    package var type: ProductType
    package var purchaseDate: Timestamp
    package var originalPurchaseDate: Timestamp
    package var expiresDate: Timestamp?
    package var quantity: Int
    package var appAccountToken: UUID?
    package var inAppOwnershipType: Ownership
    package var transactionReason: Reason
    package var isUpgraded: Bool?
    package var revocationDate: Timestamp?
    /// 0 other, 1 an issue with the app.
    package var revocationReason: Int?
    /// In thousandths of a percent; 100 000 is all of it.
    package var revocationPercentage: Int?
    package var revocationType: RevocationType?
    /// 1 introductory, 2 promotional, 3 code, 4 win-back.
    package var offerType: Int?
    package var offerIdentifier: String?
    package var offerDiscountType: String?
    /// ISO 8601 duration.
    package var offerPeriod: String?
    package var environment: StoreEnvironment
    /// ISO 3166-1 alpha-3.
    package var storefront: String
    package var storefrontId: String
    /// Milliunits of `currency` charged for the whole quantity.
    package var price: Int64
    package var currency: String
    package var signedDate: Timestamp
    /// Base64 of the SHA-384 of nonce and device (StoreKit: `deviceVerification`): whom it was
    /// signed for. Absent where no device asked.
    package var deviceVerification: String?
    package var deviceVerificationNonce: UUID?

    package enum RevocationType: String, Codable, Sendable {
        case full = "REFUND_FULL"
        case prorated = "REFUND_PRORATED"
        case family = "FAMILY_REVOKE"
    }

    package enum Ownership: String, Codable, Sendable {
        case purchased = "PURCHASED"
        case familyShared = "FAMILY_SHARED"
    }

    package enum Reason: String, Codable, Sendable {
        case purchase = "PURCHASE"
        case renewal = "RENEWAL"
    }

    package init(
        transactionId: TransactionID, originalTransactionId: TransactionID,
        webOrderLineItemId: String? = nil, appTransactionId: String? = nil, bundleId: String,
        productId: ProductID, subscriptionGroupIdentifier: SubscriptionGroupID? = nil,
        type: ProductType, purchaseDate: Timestamp, originalPurchaseDate: Timestamp,
        expiresDate: Timestamp? = nil, quantity: Int, appAccountToken: UUID? = nil,
        inAppOwnershipType: Ownership = .purchased, transactionReason: Reason = .purchase,
        isUpgraded: Bool? = nil, revocationDate: Timestamp? = nil, revocationReason: Int? = nil,
        revocationPercentage: Int? = nil,
        revocationType: RevocationType? = nil,
        offerType: Int? = nil, offerIdentifier: String? = nil, offerDiscountType: String? = nil,
        offerPeriod: String? = nil, environment: StoreEnvironment, storefront: String,
        storefrontId: String, price: Int64, currency: String, signedDate: Timestamp,
        deviceVerification: String? = nil, deviceVerificationNonce: UUID? = nil
    ) {
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.webOrderLineItemId = webOrderLineItemId
        self.appTransactionId = appTransactionId
        self.bundleId = bundleId
        self.productId = productId
        self.subscriptionGroupIdentifier = subscriptionGroupIdentifier
        self.type = type
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.expiresDate = expiresDate
        self.quantity = quantity
        self.appAccountToken = appAccountToken
        self.inAppOwnershipType = inAppOwnershipType
        self.transactionReason = transactionReason
        self.isUpgraded = isUpgraded
        self.revocationDate = revocationDate
        self.revocationReason = revocationReason
        self.revocationPercentage = revocationPercentage
        self.revocationType = revocationType
        self.offerType = offerType
        self.offerIdentifier = offerIdentifier
        self.offerDiscountType = offerDiscountType
        self.offerPeriod = offerPeriod
        self.environment = environment
        self.storefront = storefront
        self.storefrontId = storefrontId
        self.price = price
        self.currency = currency
        self.signedDate = signedDate
        self.deviceVerification = deviceVerification
        self.deviceVerificationNonce = deviceVerificationNonce
    }
}
