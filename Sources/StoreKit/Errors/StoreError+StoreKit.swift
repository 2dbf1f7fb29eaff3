#if os(Linux)
import Foundation
package import StoreModel

/// The error of the store behind `StoreKitError.systemError`, with the store's own code.
struct StoreFailure: CustomNSError {
    let error: StoreError

    static var errorDomain: String { "StorefrontErrorDomain" }
    var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: error.inWords] }
}

extension StoreError {
    /// The error that StoreKit throws in its place: `Product.PurchaseError` or `StoreKitError`.
    package var inStoreKit: any Error {
        simulated ?? Self.purchaseErrors[code] ?? storeKitError
    }

    /// The facts, for a developer.
    package var inWords: String {
        let expected = expected.map { "expected \($0.text)" }
        return [code.rawValue, subject, found?.text, expected, cause].compactMap(\.self)
            .joined(separator: ": ")
    }

    /// The subject of a fault is its call.
    private var simulated: (any Error)? {
        subject.flatMap { Fault.Call(rawValue: $0) }
            .flatMap { AppStoreProcess.openSession?.simulatedError(of: $0, code) }
    }

    /// For calls that throw no `Product.PurchaseError`.
    var storeKitError: StoreKitError {
        if let error = simulated as? StoreKitError { return error }
        return switch code {
        case .userCancelled, .notSignedIn: .userCancelled
        case .networkError: .networkError(URLError(.notConnectedToInternet))
        case .notAvailableInStorefront: .notAvailableInStorefront
        case .notEntitled: .notEntitled
        case .unsupported: .unsupported
        case .unknown, .paymentDeclined, .paymentInvalid, .approvalDeclined: .unknown
        default: .systemError(StoreFailure(error: self))
        }
    }

    package var refundError: any Error {
        switch code {
        case .duplicateRequest, .alreadyRefunded: Transaction.RefundRequestError.duplicateRequest
        case .refundRequestFailed, .transactionNotFound: Transaction.RefundRequestError.failed
        default: storeKitError
        }
    }

    fileprivate static let purchaseErrors: [Code: Product.PurchaseError] = [
        .invalidQuantity: .invalidQuantity, .productUnavailable: .productUnavailable,
        .purchaseNotAllowed: .purchaseNotAllowed, .ineligibleForOffer: .ineligibleForOffer,
        .invalidOfferIdentifier: .invalidOfferIdentifier, .invalidOfferPrice: .invalidOfferPrice,
        .invalidOfferSignature: .invalidOfferSignature,
        .missingOfferParameters: .missingOfferParameters,
    ]
}

extension StoreError.Code {
    /// The code whose failure throws this error; `unknown` for one that no call throws by itself.
    package init(_ error: any Error) {
        self =
            switch error {
            case let error as Product.PurchaseError:
                StoreError.purchaseErrors.first { $0.value == error }?.key ?? .unknown
            case Transaction.RefundRequestError.duplicateRequest: .duplicateRequest
            case Transaction.RefundRequestError.failed: .refundRequestFailed
            case StoreKitError.userCancelled: .userCancelled
            case StoreKitError.networkError: .networkError
            case StoreKitError.systemError: .systemError
            case StoreKitError.notAvailableInStorefront: .notAvailableInStorefront
            case StoreKitError.notEntitled: .notEntitled
            case StoreKitError.unsupported: .unsupported
            default: .unknown
            }
    }
}

/// Asks the store of the present task, and throws what StoreKit throws in place of its error.
func throwingStoreKit<Value>(
    _ call: (AppStoreSession) async throws -> Value
) async throws -> Value {
    do { return try await call(try await AppStoreProcess.current()) } catch let error as StoreError
    { throw error.storeKitError }
}
#endif
