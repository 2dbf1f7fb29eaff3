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
    public var offer: Offer? {
        Offer(
            payload.offerType, payload.offerIdentifier, payload.offerDiscountType,
            payload.offerPeriod)
    }

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

    /// How the subscription is paid; nil for a product without billing plans.
    public var billingPlanType: SubscriptionInfo.BillingPlanType? {
        payload.billingPlanType.map { .init(rawValue: $0) }
    }
    /// The commitment of which this is one payment; nil without one.
    public var commitmentInfo: CommitmentInfo? { payload.commitmentInfo.map { CommitmentInfo($0) } }
    /// The kind of refund, or the end of a family's share; nil if no money was returned.
    public var revocationType: RevocationType? {
        payload.revocationType.map { RevocationType($0) }
    }
    /// How much of it is revoked, of 100; nil if it is not revoked.
    public var revocationPercentage: Decimal? {
        payload.revocationPercentage.map { Decimal($0) / 1000 }
    }
    /// Always nil: the store sells what its catalog has.
    public var advancedCommerceInfo: AdvancedCommerceInfo? { nil }

    /// The commitment of a customer who pays monthly.
    public struct CommitmentInfo: Equatable, Hashable, Sendable {
        /// Within the commitment, from 1.
        public let billingPeriodNumber: UInt64
        /// How many payments it has.
        public let totalBillingPeriods: UInt64
        /// Of all payments.
        public let price: Decimal
        /// When the last of its periods ends.
        public let expirationDate: Date

        init(_ info: TransactionCommitmentInfo) {
            billingPeriodNumber = UInt64(clamping: info.billingPeriodNumber)
            totalBillingPeriods = UInt64(clamping: info.totalBillingPeriods)
            price = Decimal(info.commitmentPrice) / 1000
            expirationDate = info.commitmentExpiresDate.date
        }
    }

    /// How a purchase was taken back.
    public struct RevocationType: RawRepresentable, Equatable, Hashable, Sendable {
        /// As in signed payloads.
        public let rawValue: String
        /// Any text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// All money was returned.
        public static let fullRefund = Self(TransactionPayload.RevocationType.full)
        /// A part of the money was returned.
        public static let proratedRefund = Self(TransactionPayload.RevocationType.prorated)
        /// A family member does not share it any more.
        public static let familyRevocation = Self(TransactionPayload.RevocationType.family)

        init(_ type: TransactionPayload.RevocationType) { rawValue = type.rawValue }
    }

    /// The `type` of `offer`.
    @available(*, deprecated, renamed: "offer.type")
    public var offerType: OfferType? { offer?.type }
    /// The `id` of `offer`.
    @available(*, deprecated, renamed: "offer.id")
    public var offerID: String? { offer?.id }
    /// The `paymentMode` of `offer`, as in signed payloads.
    @available(*, deprecated, renamed: "offer.paymentMode.rawValue")
    public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }
    /// The `period` of `offer`, in ISO 8601.
    @available(*, deprecated, message: "Use offer")
    public var offerPeriodStringRepresentation: String? { payload.offerPeriod }
    /// `environment`, as in signed payloads.
    @available(*, deprecated, renamed: "environment.rawValue")
    public var environmentStringRepresentation: String { environment.rawValue }
    /// `reason`, as in signed payloads.
    @available(*, deprecated, renamed: "reason.rawValue")
    public var reasonStringRepresentation: String { reason.rawValue }
    /// `revocationType`, as in signed payloads.
    @available(*, deprecated, renamed: "revocationType.rawValue")
    public var revocationTypeStringRepresentation: String? { revocationType?.rawValue }
    /// `currency`, as ISO 4217 writes it.
    @available(*, deprecated, renamed: "currency.identifier")
    public var currencyCode: String? { payload.currency }
    /// The `countryCode` of `storefront`.
    @available(*, deprecated, renamed: "storefront.countryCode")
    public var storefrontCountryCode: String { payload.storefront }
}

extension UnsignedInteger {
    package init(_ id: TransactionID) { self.init(clamping: id.number) }
}

extension TransactionID {
    package init(_ id: some UnsignedInteger) { self.init(Int64(clamping: id)) }
}
#endif
