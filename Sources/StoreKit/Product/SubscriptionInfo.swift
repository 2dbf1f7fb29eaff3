#if os(Linux)
public import Foundation
import StoreDevice
package import StoreModel

/// `Product.SubscriptionInfo`.
public typealias SubscriptionInfo = Product.SubscriptionInfo
/// `Product.SubscriptionPeriod`.
public typealias SubscriptionPeriod = Product.SubscriptionPeriod

extension Product {
    /// The terms of a subscription that renews by itself.
    public struct SubscriptionInfo: Equatable, Hashable, Sendable {
        package let model: StoreModel.SubscriptionInfo
        let period: StoreModel.SubscriptionPeriod
        /// Of the product.
        let price: Money
        let priceLocale: String

        /// A free subscription has no period, and so no information of this kind.
        init?(_ model: StoreModel.SubscriptionInfo, of product: StoreModel.Product) {
            guard let period = model.period else { return nil }
            self.model = model
            self.period = period
            price = product.price
            priceLocale = product.priceLocale
        }

        /// The group, of which an account holds one subscription at a time.
        public var subscriptionGroupID: String { model.groupID.rawValue }
        /// In the account's language.
        public var groupDisplayName: String { model.groupName }
        /// Within the group; 1 is the highest.
        public var groupLevel: Int { model.level }
        /// The time until it renews.
        public var subscriptionPeriod: SubscriptionPeriod { SubscriptionPeriod(period) }
        /// The offer for new subscribers; nil for none.
        public var introductoryOffer: SubscriptionOffer? { offers(.introductory).first }
        /// The offers that the app signs.
        public var promotionalOffers: [SubscriptionOffer] { offers(.promotional) }
        /// The offers for former subscribers.
        public var winBackOffers: [SubscriptionOffer] { offers(.winBack) }

        private func offers(_ kind: OfferKind) -> [SubscriptionOffer] {
            model.offers.filter { $0.kind == kind }
                .map { SubscriptionOffer($0, priceLocale: priceLocale) }
        }

        /// Whether the account can have the introductory offer, as of now.
        public var isEligibleForIntroOffer: Bool {
            get async { await Self.isEligibleForIntroOffer(for: subscriptionGroupID) }
        }

        /// Whether the account can have an introductory offer of the group, as of now.
        public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
            guard let session = try? await AppStoreProcess.current(),
                let products = try? await session.device.products(nil).value.products
            else { return false }
            return products.contains {
                $0.subscription?.groupID.rawValue == groupID
                    && $0.subscription?.isEligibleForIntroOffer == true
            }
        }

        /// How a subscription is paid.
        public struct BillingPlanType: RawRepresentable, Equatable, Hashable, Sendable {
            /// As in signed payloads.
            public let rawValue: String
            /// Any text.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// In monthly payments, to all of which the customer commits.
            public static let monthly = Self(rawValue: StoreModel.BillingPlanType.monthly.rawValue)
            /// Each period at its beginning.
            public static let upFront = Self(rawValue: StoreModel.BillingPlanType.upFront.rawValue)
        }

        /// The period that one payment pays for.
        public typealias BillingPeriod = SubscriptionPeriod

        /// The ways to pay for the subscription, in the catalog's order; at least one.
        public var pricingTerms: [PricingTerms] {
            let plans =
                model.billingPlans.isEmpty
                ? [BillingPlan(type: .upFront, price: price, period: period)] : model.billingPlans
            return plans.map { PricingTerms($0, of: self) }
        }

        /// The payments that a customer commits to.
        public struct CommitmentInfo: Equatable, Hashable, Sendable {
            /// Of all payments.
            public let price: Decimal
            /// `price` as text, with its currency.
            public let displayPrice: String
            /// Paid by all payments.
            public let period: SubscriptionPeriod
        }

        /// One way to pay for a subscription.
        public struct PricingTerms: Equatable, Hashable, Sendable {
            /// Named in the purchase by `PurchaseOption.billingPlanType`.
            public let billingPlanType: BillingPlanType
            /// Of one payment.
            public let billingPrice: Decimal
            /// `billingPrice` as text, with its currency.
            public let billingDisplayPrice: String
            /// The period that one payment pays for.
            public let billingPeriod: BillingPeriod
            /// The commitment; of a plan without one, its only payment.
            public let commitmentInfo: CommitmentInfo
            /// The offers that go with this plan.
            public let subscriptionOffers: [Product.SubscriptionOffer]

            /// The plan's offers of a type.
            public subscript(
                offers type: Product.SubscriptionOffer.OfferType
            ) -> [Product.SubscriptionOffer] {
                subscriptionOffers.filter { $0.type == type }
            }

            init(_ plan: BillingPlan, of info: Product.SubscriptionInfo) {
                let locale = Locale(identifier: info.priceLocale)
                billingPlanType = BillingPlanType(rawValue: plan.type.rawValue)
                billingPrice = plan.price.amount
                billingDisplayPrice = plan.price.formatted(locale: locale)
                billingPeriod = SubscriptionPeriod(plan.period)
                let whole = plan.commitment?.price ?? plan.price
                commitmentInfo = CommitmentInfo(
                    price: whole.amount, displayPrice: whole.formatted(locale: locale),
                    period: plan.commitment == nil ? billingPeriod : info.subscriptionPeriod)
                subscriptionOffers = info.model.offers.filter {
                    $0.billingPlan == nil || $0.billingPlan == plan.type
                }.map { Product.SubscriptionOffer($0, priceLocale: info.priceLocale) }
            }
        }
    }
}
#endif
