import Basics
package import StoreModel

extension CatalogProduct {
    /// An offer of a subscription as the catalog describes it, for all accounts.
    package struct Offer: Codable, Hashable, Sendable {
        package var kind: OfferKind
        /// Unique in its product; nil for an introductory offer.
        package var id: OfferID?
        package var mode: OfferMode
        package var period: SubscriptionPeriod
        package var periodCount = 1
        /// The price of one period, or of the whole offer where it is paid up front; nil for a free
        /// trial.
        package var prices: Prices?
        /// For offer codes; nil for all.
        package var customers: Set<CodeCustomer>?
        /// Whether an eligible customer gets the introductory offer first and the code's offer
        /// after it.
        package var isStackable: Bool?
        package var codes: [OfferCode]?
        /// Nil for every customer whose subscription is over.
        package var winBack: WinBackRule?
        /// The only plan that the offer applies to; nil for every plan.
        package var billingPlan: BillingPlanType?

        /// Of one of its periods, or of the whole offer where it is paid up front. Nil if the offer
        /// has no price in the territory.
        package func price(in storefront: Storefront) -> Money? {
            guard mode != .freeTrial else {
                return Money(milliunits: 0, currency: storefront.currency)
            }
            return prices?.price(in: storefront)
        }

        /// Nil if it has no price in the territory.
        package func offer(in storefront: Storefront) -> StoreModel.Offer? {
            price(in: storefront).map {
                StoreModel.Offer(
                    kind: kind, id: id, mode: mode, period: period, periodCount: periodCount,
                    price: $0, billingPlan: billingPlan)
            }
        }

        /// A nil plan is `upFront`.
        package func isFor(_ plan: BillingPlanType?) -> Bool {
            billingPlan == nil || billingPlan == plan ?? .upFront
        }

        /// The period that one charge pays for: one period, or the whole offer.
        package var chargedPeriod: SubscriptionPeriod {
            guard mode != .payAsYouGo else { return period }
            return SubscriptionPeriod(
                unit: period.unit, value: period.value.multipliedClamped(by: periodCount))
        }
    }

    /// The customers that an offer code is for (Xcode: `eligibility`).
    package enum CodeCustomer: String, Codable, Hashable, Sendable, CaseIterable {
        /// Customers who never subscribed in the group.
        case new
        /// Customers who subscribe in the group now.
        case existing
        /// Customers who subscribed in the group before.
        case expired
    }

    /// A code that redeems an offer.
    package struct OfferCode: Codable, Hashable, Sendable {
        /// Capital letters and digits; unique in the catalog.
        package var code: String
        /// How often the code may be redeemed; nil for any number.
        package var limit: Int?
    }

    /// The customers that a win-back offer is for, and its place among the others.
    package struct WinBackRule: Codable, Hashable, Sendable {
        /// As in App Store Connect: the offers of high priority come first.
        package enum Priority: String, Codable, Sendable, CaseIterable { case high, normal }

        package var paidMonths: Int?
        package var lapsedMonthsMin: Int?
        package var lapsedMonthsMax: Int?
        /// Nil for `normal`.
        package var priority: Priority?
        /// False if no customer is eligible (Xcode: `isEligible`); nil for true.
        package var isSwitchedOn: Bool?
    }

    /// In the catalog's order.
    package var offers: [Offer] { subscription?.offers ?? [] }

    package func offer(_ kind: OfferKind, _ id: OfferID?) -> Offer? {
        offers.first { $0.kind == kind && $0.id == id }
    }
}

extension Catalog {
    /// Takes any case of letters; nil for a text that is no code.
    package func redemption(
        of text: String
    ) -> (product: CatalogProduct, offer: CatalogProduct.Offer, code: CatalogProduct.OfferCode)? {
        let wanted = text.uppercased()
        for product in products {
            for offer in product.offers {
                if let code = offer.codes?.first(where: { $0.code == wanted }) {
                    return (product, offer, code)
                }
            }
        }
        return nil
    }
}
