/// The purpose of an offer, which decides who is eligible for it (StoreKit:
/// `Product.SubscriptionOffer.OfferType`).
package enum OfferKind: String, Codable, Hashable, Sendable, CaseIterable {
    case introductory, promotional, winBack
    case code

    /// App Store Server API: `offerType`.
    package var number: Int {
        switch self {
        case .introductory: 1
        case .promotional: 2
        case .code: 3
        case .winBack: 4
        }
    }

    package init?(number: Int) {
        guard let kind = Self.allCases.first(where: { $0.number == number }) else { return nil }
        self = kind
    }
}

/// How an offer is paid (StoreKit: `Product.SubscriptionOffer.PaymentMode`). The raw value is
/// Apple's `offerDiscountType`.
package enum OfferMode: String, Codable, Hashable, Sendable, CaseIterable {
    /// Nothing is charged for the offer's whole length.
    case freeTrial = "FREE_TRIAL"
    /// The offer's price is charged for each of its periods.
    case payAsYouGo = "PAY_AS_YOU_GO"
    /// The offer's price is charged once for its whole length.
    case payUpFront = "PAY_UP_FRONT"
}

/// The identifier of an offer, unique among the offers of a product (StoreKit:
/// `Product.SubscriptionOffer.ID`).
package struct OfferID: TextIdentifier {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
}
