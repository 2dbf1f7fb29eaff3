#if os(Linux)
public import Foundation
import StoreModel

extension Product.SubscriptionInfo.RenewalInfo {
    /// How the next period is paid; nil if none follows, and for a product without billing plans.
    public var renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType? {
        payload.renewalBillingPlanType.map { .init(rawValue: $0) }
    }
    /// The plan after the present commitment; nil without one.
    public var commitmentInfo: CommitmentInfo? {
        payload.commitmentInfo.map { CommitmentInfo($0, of: self) }
    }
    /// Always nil: the store sells what its catalog has.
    public var advancedCommerceInfo: AdvancedCommerceInfo? { nil }

    /// The plan after a commitment to monthly payments.
    public struct CommitmentInfo: Equatable, Hashable, Sendable {
        /// Whether the subscription renews after the commitment, whose payments go on until then.
        public let willAutoRenew: Bool
        /// The product after the commitment.
        public let autoRenewPreference: String
        /// How it is paid then; as it is paid now if nothing renews.
        public let renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType
        /// When the commitment ends; the end of the present period if nothing renews.
        public let renewalDate: Date
        /// Of the first payment after the commitment; 0 if nothing renews.
        public let renewalPrice: Decimal

        init(
            _ info: RenewalCommitmentInfo, of renewal: Product.SubscriptionInfo.RenewalInfo
        ) {
            willAutoRenew = info.commitmentAutoRenewStatus == 1
            autoRenewPreference = info.commitmentAutoRenewProductId.rawValue
            let plan = info.commitmentRenewalBillingPlanType.map {
                Product.SubscriptionInfo.BillingPlanType(rawValue: $0)
            }
            renewalBillingPlanType = plan ?? renewal.renewalBillingPlanType ?? .monthly
            renewalDate =
                info.commitmentRenewalDate?.date ?? renewal.renewalDate ?? renewal.signedDate
            renewalPrice = Decimal(info.commitmentRenewalPrice ?? 0) / 1000
        }
    }
}

extension Product.SubscriptionInfo.RenewalInfo {
    /// The `id` of `offer`.
    @available(*, deprecated, renamed: "offer.id")
    public var offerID: String? { offer?.id }
    /// The `type` of `offer`.
    @available(*, deprecated, renamed: "offer.type")
    public var offerType: Transaction.OfferType? { offer?.type }
    /// The `paymentMode` of `offer`, as in signed payloads.
    @available(*, deprecated, renamed: "offer.paymentMode.rawValue")
    public var offerPaymentModeStringRepresentation: String? { offer?.paymentMode?.rawValue }
    /// The `period` of `offer`, in ISO 8601.
    @available(*, deprecated, message: "Use offer")
    public var offerPeriodStringRepresentation: String? { payload.offerPeriod }
    /// `environment`, as in signed payloads.
    @available(*, deprecated, renamed: "environment.rawValue")
    public var environmentStringRepresentation: String { environment.rawValue }
    /// `currency`, as ISO 4217 writes it.
    @available(*, deprecated, renamed: "currency.identifier")
    public var currencyCode: String? { payload.currency }
}
#endif
