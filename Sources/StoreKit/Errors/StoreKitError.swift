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
#endif
