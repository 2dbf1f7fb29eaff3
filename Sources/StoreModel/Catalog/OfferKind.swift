/// What an offer is for (StoreKit: `Product.SubscriptionOffer.OfferType`).
package enum OfferKind: String, Codable, Hashable, Sendable, CaseIterable {
    case introductory, promotional, winBack
    /// Redeemed with an offer code.
    case code
}
