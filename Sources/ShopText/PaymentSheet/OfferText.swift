package import StoreModel

/// Offers, and whether the account can take them.
package enum OfferText: Hashable, Sendable {
    case offerFree(length: String), offerPerPeriod(price: String, length: String)
    case offerUpFront(price: String, Int, SubscriptionPeriod.Unit)
    case offerThen(first: String, price: String), offerName(OfferKind), offerMode(OfferMode)
    case offerRefused(OfferRefusal), offerAvailable, offerWithCode, offerAfterPayment
}
