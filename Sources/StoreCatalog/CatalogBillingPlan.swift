package import StoreModel

extension CatalogProduct {
    /// A way to pay for a subscription, as the catalog describes it.
    package struct BillingPlan: Codable, Hashable, Sendable {
        package var type: BillingPlanType
        /// The price of one payment; for `upFront` the price of the product.
        package var prices: Prices
        /// The sum of all payments; nil to add them up.
        package var commitmentPrices: Prices?
        package var isEnabled = true
    }

    /// In the catalog's order; empty for a product without plans, which is paid up front.
    package func billingPlans(
        in storefront: Storefront, at instant: Timestamp
    ) -> [StoreModel.BillingPlan] {
        guard let plans = subscription?.billingPlans, let period = subscription?.period,
            let price = price(in: storefront, at: instant)
        else { return [] }
        return plans.filter(\.isEnabled).compactMap { plan in
            switch plan.type {
            case .upFront:
                return StoreModel.BillingPlan(type: .upFront, price: price, period: period)
            case .monthly:
                guard let count = period.monthlyPayments,
                    let payment = plan.prices.price(in: storefront)
                else { return nil }
                let whole =
                    plan.commitmentPrices?.price(in: storefront)
                    ?? payment.multiplied(by: count)
                return StoreModel.BillingPlan(
                    type: .monthly, price: payment,
                    period: SubscriptionPeriod(unit: .month, value: 1),
                    commitment: .init(paymentCount: count, price: whole))
            }
        }
    }
}
