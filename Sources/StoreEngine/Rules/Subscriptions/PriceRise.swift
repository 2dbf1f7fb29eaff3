import StoreCatalog
import StoreModel

/// A price of a plan that is higher than the one its subscriber last paid or was promised. Nobody
/// is charged a higher price without being told: the store shows it from 10 days before the
/// renewal, and records that it told the customer before it charges (App Store Connect: "Manage
/// pricing for auto-renewable subscriptions").
struct PriceRise {
    var from: Money
    var to: Money
    /// Whether the subscription ends unless the customer consents. Otherwise a notice is enough.
    var needsConsent: Bool

    /// Before the customer answers: a notice counts as consent.
    var answer: PriceIncrease { needsConsent ? .pending : .agreed }

    /// Nil if the next period costs no more, if the customer knows no price of it
    /// (`BillingTerms.knownPrice`), and after a commitment, which has a price of its own.
    ///
    /// - Parameters:
    ///   - billing: the product's present terms.
    ///   - instant: the time of the charge.
    init?(
        after sale: Sale, to billing: BillingTerms, of product: CatalogProduct,
        in storefront: Storefront, at instant: Timestamp
    ) {
        guard sale.commitment == nil,
            let known = billing.knownPrice(of: product, in: storefront, after: sale),
            billing.price.milliunits > known.milliunits
        else { return nil }
        from = known
        to = billing.price
        // A second rise within a year needs consent, however small it is.
        let wasRaisedThisYear = sale.raisedAt.map { raised in
            let day = sale.term.map { $0.rate.dayMilliseconds(of: $0.period) } ?? 86_400_000
            return instant.milliseconds(since: raised) < 365 * day
        }
        needsConsent =
            wasRaisedThisYear == true || Self.isOverLimits(from: from, to: to, product)
    }

    /// More than half of the price, and more than $5, or $50 for a period of a year.
    private static func isOverLimits(
        from: Money, to: Money, _ product: CatalogProduct
    ) -> Bool {
        let rise = to.milliunits - from.milliunits
        guard rise > from.milliunits / 2 else { return false }
        let dollars = product.subscription?.period?.unit == .year ? yearlyLimit : limit
        // A catalog has no exchange rates: what the plan costs in dollars stands for one.
        guard let price = product.price(in: .usa), price.milliunits > 0 else { return true }
        let local = Double(dollars) * Double(to.milliunits) / Double(price.milliunits)
        return Double(rise) > local
    }

    /// In milliunits of a US dollar.
    private static let limit: Int64 = 5_000
    private static let yearlyLimit: Int64 = 50_000
}
