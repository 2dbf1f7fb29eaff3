#if os(Linux)
public import Foundation
package import StoreModel

/// `Product.SubscriptionInfo.RenewalInfo`.
public typealias SubscriptionRenewalInfo = Product.SubscriptionInfo.RenewalInfo

extension Product.SubscriptionInfo {
    /// The next renewal of a subscription, or the reason of its end.
    public struct RenewalInfo: Hashable, Sendable, CustomDebugStringConvertible {
        package let payload: RenewalInfoPayload
        package let signed: SignedRenewalInfo

        package init(_ payload: RenewalInfoPayload, signed: SignedRenewalInfo) {
            self.payload = payload
            self.signed = signed
        }

        /// Of the first transaction of the chain.
        public var originalTransactionID: UInt64 { UInt64(payload.originalTransactionId) }
        /// The product of the present period, or of the last one.
        public var currentProductID: String { payload.productId.rawValue }
        /// Whether it renews.
        public var willAutoRenew: Bool { payload.autoRenewStatus == 1 }
        /// The product that it renews to; nil if it does not renew.
        public var autoRenewPreference: String? {
            willAutoRenew ? payload.autoRenewProductId.rawValue : nil
        }
        /// Why it expired, or will; nil if it renews.
        public var expirationReason: ExpirationReason? {
            payload.expirationIntent.map { ExpirationReason(rawValue: $0) }
        }
        /// When access ends although a payment failed; nil outside a grace period.
        public var gracePeriodExpirationDate: Date? { payload.gracePeriodExpiresDate?.date }
        /// Whether the store still tries to charge for a renewal.
        public var isInBillingRetry: Bool { payload.isInBillingRetryPeriod ?? false }
        /// Whether the customer has consented to a higher price.
        public var priceIncreaseStatus: PriceIncreaseStatus {
            switch payload.priceIncreaseStatus {
            case 0: .pending
            case 1: .agreed
            default: .noIncreasePending
            }
        }
        /// When the next period begins; nil if none does.
        public var renewalDate: Date? { payload.renewalDate?.date }
        /// Of the next period.
        public var renewalPrice: Decimal? { payload.renewalPrice.map { Decimal($0) / 1000 } }
        /// Of `renewalPrice`.
        public var currency: Locale.Currency? { payload.currency.map { Locale.Currency($0) } }
        /// The offers that would win the customer back, the best first.
        public var eligibleWinBackOfferIDs: [String] { payload.eligibleWinBackOfferIds ?? [] }
        /// The offer of the next period; nil if none applies.
        public var offer: Transaction.Offer? {
            Transaction.Offer(
                payload.offerType, payload.offerIdentifier, payload.offerDiscountType,
                payload.offerPeriod)
        }
        /// The beginning of the subscription, without counting short breaks.
        public var recentSubscriptionStartDate: Date { payload.recentSubscriptionStartDate.date }
        /// The app's own identifier of its user.
        public var appAccountToken: UUID? { payload.appAccountToken }
        /// Identifies the account in this app.
        public var appTransactionID: String { payload.appTransactionId ?? "" }
        /// Where it was sold.
        public var environment: AppStore.Environment {
            .init(rawValue: payload.environment.rawValue)
        }
        /// When the store signed it.
        public var signedDate: Date { payload.signedDate.date }
        /// The digest of nonce and device identifier.
        public var deviceVerification: Data { deviceDigest }
        /// The nonce in `deviceVerification`.
        public var deviceVerificationNonce: UUID { nonce }
        /// The JSON of the signed payload.
        public var jsonRepresentation: Data { part(1) }

        /// Whether the customer has consented to a higher price.
        @frozen public enum PriceIncreaseStatus: Equatable, Hashable, Sendable, BitwiseCopyable {
            /// No consent was asked for.
            case noIncreasePending
            /// Asked, and not answered.
            case pending
            /// Consented, or notified of a price that needs no consent.
            case agreed

            /// In words.
            public var localizedDescription: String {
                switch self {
                case .noIncreasePending: "No Increase Pending"
                case .pending: "Pending"
                case .agreed: "Agreed"
                }
            }
        }

        /// Why a subscription expired.
        public struct ExpirationReason: RawRepresentable, Equatable, Hashable, Sendable {
            /// As in signed payloads.
            public let rawValue: Int
            /// Any number.
            public init(rawValue: Int) { self.rawValue = rawValue }

            /// The customer turned off auto-renew.
            public static let autoRenewDisabled = Self(.autoRenewDisabled)
            /// The renewal could not be charged.
            public static let billingError = Self(.billingError)
            /// The customer did not consent to a higher price.
            public static let didNotConsentToPriceIncrease = Self(.didNotConsentToPriceIncrease)
            /// The product was not for sale any more.
            public static let productUnavailable = Self(.productUnavailable)
            /// Any other.
            public static let unknown = Self(.other)

            private init(_ reason: StoreModel.ExpirationReason) { rawValue = reason.rawValue }

            /// In words.
            public var localizedDescription: String {
                switch self {
                case .autoRenewDisabled: "Auto-Renew Disabled"
                case .billingError: "Billing Error"
                case .didNotConsentToPriceIncrease: "No Consent to Price Increase"
                case .productUnavailable: "Product Unavailable"
                default: "Unknown"
                }
            }
        }

        /// Product and what it renews to.
        public var debugDescription: String {
            "\(currentProductID) -> \(autoRenewPreference ?? "ends")"
        }

        /// How the next period is paid; nil if none follows, and without billing plans.
        public var renewalBillingPlanType: BillingPlanType? {
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
            /// Whether it renews after the commitment, whose payments go on until then.
            public let willAutoRenew: Bool
            /// The product after the commitment.
            public let autoRenewPreference: String
            /// How it is paid then; as it is paid now if nothing renews.
            public let renewalBillingPlanType: BillingPlanType
            /// When the commitment ends; the end of the present period if nothing renews.
            public let renewalDate: Date
            /// Of the first payment after the commitment; 0 if nothing renews.
            public let renewalPrice: Decimal

            init(_ info: RenewalCommitmentInfo, of renewal: RenewalInfo) {
                willAutoRenew = info.commitmentAutoRenewStatus == 1
                autoRenewPreference = info.commitmentAutoRenewProductId.rawValue
                let plan = info.commitmentRenewalBillingPlanType
                    .map { BillingPlanType(rawValue: $0) }
                renewalBillingPlanType = plan ?? renewal.renewalBillingPlanType ?? .monthly
                renewalDate =
                    info.commitmentRenewalDate?.date ?? renewal.renewalDate ?? renewal.signedDate
                renewalPrice = Decimal(info.commitmentRenewalPrice ?? 0) / 1000
            }
        }

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
}
#endif
