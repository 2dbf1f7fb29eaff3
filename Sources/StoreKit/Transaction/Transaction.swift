#if os(Linux)
public import Foundation
import StoreDevice
package import StoreModel

/// A sale, a renewal or a family member's share.
public struct Transaction: Identifiable, Hashable, Sendable, CustomDebugStringConvertible {
    package let payload: TransactionPayload
    package let signed: SignedTransaction

    package init(_ payload: TransactionPayload, signed: SignedTransaction) {
        self.payload = payload
        self.signed = signed
    }

    /// The type of `id`.
    public typealias ID = UInt64

    /// Unique in the store.
    public var id: UInt64 { UInt64(payload.transactionId) }
    /// Of the first transaction of the chain; `id` if this is the first.
    public var originalID: UInt64 { UInt64(payload.originalTransactionId) }
    /// Identifies one period of a subscription; nil for other products.
    public var webOrderLineItemID: String? { payload.webOrderLineItemId }
    /// Identifies the account in this app.
    public var appTransactionID: String { payload.appTransactionId ?? "" }
    /// Of the sold product.
    public var productID: String { payload.productId.rawValue }
    /// At the sale.
    public var productType: Product.ProductType { .init(rawValue: payload.type.rawValue) }
    /// Nil unless it is a subscription that renews by itself.
    public var subscriptionGroupID: String? { payload.subscriptionGroupIdentifier?.rawValue }
    /// Of the app.
    public var appBundleID: String { payload.bundleId }
    /// When the store charged for it, or the period began.
    public var purchaseDate: Date { payload.purchaseDate.date }
    /// Of the first transaction of the chain.
    public var originalPurchaseDate: Date { payload.originalPurchaseDate.date }
    /// When the period ends; nil for a product without periods.
    public var expirationDate: Date? { payload.expiresDate?.date }
    /// How many were sold.
    public var purchasedQuantity: Int { payload.quantity }
    /// Whether the customer has upgraded to another subscription since.
    public var isUpgraded: Bool { payload.isUpgraded ?? false }
    /// When it was refunded or revoked; nil if it was not.
    public var revocationDate: Date? { payload.revocationDate?.date }
    /// Why it was refunded or revoked; nil if it was not.
    public var revocationReason: RevocationReason? {
        payload.revocationReason.map { RevocationReason(rawValue: $0) }
    }
    /// The app's own identifier of its user, as the purchase named it.
    public var appAccountToken: UUID? { payload.appAccountToken }
    /// Whether the account or its family bought it.
    public var ownershipType: OwnershipType {
        OwnershipType(rawValue: payload.inAppOwnershipType.rawValue)
    }
    /// Where it was sold.
    public var environment: AppStore.Environment { .init(rawValue: payload.environment.rawValue) }
    /// A purchase, or a renewal.
    public var reason: Reason { Reason(rawValue: payload.transactionReason.rawValue) }
    /// The territory in which it was sold.
    public var storefront: Storefront { Storefront(id: payload.storefrontId, payload.storefront) }
    /// Charged for the whole quantity.
    public var price: Decimal? { Decimal(payload.price) / 1000 }
    /// Of `price`.
    public var currency: Locale.Currency? { Locale.Currency(payload.currency) }
    /// When the store signed it.
    public var signedDate: Date { payload.signedDate.date }
    /// The digest of nonce and device identifier.
    public var deviceVerification: Data { deviceDigest }
    /// The nonce in `deviceVerification`.
    public var deviceVerificationNonce: UUID { nonce }
    /// The JSON of the signed payload.
    public var jsonRepresentation: Data { part(1) }
    /// The offer that applied; nil without one.
    public var offer: Offer? { Offer(payload) }

    /// Acknowledges that the app has delivered what was bought. Idempotent.
    public func finish() async {
        guard let session = try? await AppStoreProcess.current() else { return }
        _ = try? await session.device.finish(payload.transactionId)
        await session.feed.catchUp()
    }

    /// The state of the subscription that it belongs to; nil for other products.
    public var subscriptionStatus: Product.SubscriptionInfo.Status? {
        get async {
            guard let group = subscriptionGroupID else { return nil }
            let statuses = try? await Product.SubscriptionInfo.status(for: group)
            return statuses?.first { $0.transaction.unsafePayloadValue.originalID == originalID }
        }
    }

    /// Number and product.
    public var debugDescription: String { "\(id) (\(productID))" }
}

extension UInt64 {
    init(_ id: TransactionID) { self = UInt64(clamping: id.number) }
}

extension TransactionID {
    package init(_ id: UInt64) { self.init(Int64(clamping: id)) }
}
#endif
