#if os(Linux)
public import Foundation

/// An error of a call of StoreKit: what each throws that names no other.
@nonexhaustive public enum StoreKitError: LocalizedError, Sendable {
    /// A failure without a known reason.
    case unknown
    /// The person cancelled.
    case userCancelled
    /// The store could not be reached.
    case networkError(URLError)
    /// The store or the system failed; the error says how.
    case systemError(any Error)
    /// The product is not sold in the account's territory.
    case notAvailableInStorefront
    /// The account does not own what the call needs.
    case notEntitled
    /// The call is not possible here.
    case unsupported

    /// The failure in a sentence.
    public var errorDescription: String? {
        switch self {
        case .unknown: "The App Store could not complete the request."
        case .userCancelled: "The request was cancelled."
        case .networkError: "The App Store could not be reached."
        case .systemError(let error): "The store failed: \(error.localizedDescription)"
        case .notAvailableInStorefront: "The product is not available in this territory."
        case .notEntitled: "The account is not entitled to this."
        case .unsupported: "This is not supported here."
        }
    }

    /// The cause, where the store names one.
    public var failureReason: String? {
        switch self {
        case .networkError(let error): error.localizedDescription
        case .systemError(let error): error.localizedDescription
        default: nil
        }
    }

    /// Advice for the customer.
    public var recoverySuggestion: String? {
        switch self {
        case .unknown, .networkError, .systemError: "Nothing was charged. Try again."
        default: nil
        }
    }
}

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
