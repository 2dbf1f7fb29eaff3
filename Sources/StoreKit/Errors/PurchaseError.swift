#if os(Linux)
public import Foundation

extension Product {
    /// Why a purchase was refused. Nothing was charged.
    @nonexhaustive public enum PurchaseError: LocalizedError, Hashable, Sendable {
        /// The quantity is not possible for this product.
        case invalidQuantity
        /// The store does not sell the product now.
        case productUnavailable
        /// The account may not make payments.
        case purchaseNotAllowed
        /// The account cannot have the offer.
        case ineligibleForOffer
        /// There is no such offer.
        case invalidOfferIdentifier
        /// The offer's price is not valid any more.
        case invalidOfferPrice
        /// The offer's signature is not valid.
        case invalidOfferSignature
        /// The offer was named without all of its parameters.
        case missingOfferParameters
        /// A payment method must be bound first.
        case paymentMethodBindingConfigurationRequired

        /// The refusal in a sentence.
        public var errorDescription: String? {
            switch self {
            case .invalidQuantity: "This quantity cannot be bought."
            case .productUnavailable: "The product is not available."
            case .purchaseNotAllowed: "This account may not make purchases."
            case .ineligibleForOffer: "The account is not eligible for the offer."
            case .invalidOfferIdentifier: "There is no such offer."
            case .invalidOfferPrice: "The offer's price is not valid any more."
            case .invalidOfferSignature: "The offer's signature is not valid."
            case .missingOfferParameters: "The offer lacks parameters."
            case .paymentMethodBindingConfigurationRequired: "A payment method must be bound first."
            }
        }

        /// That no money was taken.
        public var failureReason: String? { "Nothing was charged." }

        /// Advice for the customer.
        public var recoverySuggestion: String? {
            "Change the purchase, or load the products again."
        }
    }
}

/// Why a request that the app's server signed was refused: here by `Product.PurchaseError` only.
public struct InvalidRequestError: Error {
    /// The refusal's number.
    public let code: Int64
    /// For the developer.
    public let message: String
}
#endif
