#if os(Linux)
public import Foundation
import StoreModel

extension Product.SubscriptionInfo {
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
#endif
