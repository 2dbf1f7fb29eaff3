import Basics
import StoreCatalog
import StoreModel

/// How good a win-back offer is: the best is the greatest (StoreKit: `eligibleWinBackOfferIDs` has
/// the best first). The catalog's priority decides; then what the offer saves over its whole length
/// against the subscription's own price; then its length.
struct WinBackRank: Comparable {
    private let isHigh: Bool
    /// In milliunits, with 30 days to a month.
    private let saving: Double
    private let days: Int

    /// Nil if the offer, or its product, has no price in the territory.
    init?(
        _ offer: CatalogProduct.Offer, of product: CatalogProduct, in storefront: Storefront,
        at now: Timestamp
    ) {
        guard let period = product.subscription?.period,
            let regular = product.price(in: storefront, at: now),
            let price = offer.price(in: storefront)
        else { return nil }
        isHigh = offer.winBack?.priority == .high
        days = offer.period.days.multipliedClamped(by: offer.periodCount)
        let usual = Double(regular.milliunits) * Double(days) / Double(period.days)
        let charges = offer.mode == .payAsYouGo ? offer.periodCount : 1
        saving = usual - Double(price.milliunits) * Double(charges)
    }

    static func < (one: Self, other: Self) -> Bool {
        if one.isHigh != other.isHigh { return other.isHigh }
        return (one.saving, one.days) < (other.saving, other.days)
    }
}
