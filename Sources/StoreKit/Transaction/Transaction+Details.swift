#if os(Linux)
public import Foundation
import StoreModel

extension Transaction {
    /// How the subscription is paid; nil for a product without billing plans.
    public var billingPlanType: Product.SubscriptionInfo.BillingPlanType? {
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
}

extension Transaction {
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
#endif
