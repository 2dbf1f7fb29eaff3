#if os(Linux)
import Foundation
public import StoreKit
import StoreEngine
import StoreModel

/// A failure that a test simulates.
public protocol SKTestFailure: Equatable, Sendable {}

/// The failures that each call can have.
public enum SKTestFailures {
    /// Of `Product.products(for:)`.
    @nonexhaustive public enum LoadProducts: SKTestFailure {
        /// With this error.
        case generic(StoreKitError)
    }

    /// Of `AppStore.sync()`.
    @nonexhaustive public enum AppStoreSync: SKTestFailure {
        /// With this error.
        case generic(StoreKitError)
    }

    /// Of `AppTransaction.shared` and `refresh()`.
    @nonexhaustive public enum AppTransaction: SKTestFailure {
        /// With this error.
        case generic(StoreKitError)
    }

    /// Of the sheet that manages subscriptions.
    @nonexhaustive public enum ManageSubscriptions: SKTestFailure {
        /// With this error.
        case generic(StoreKitError)
    }

    /// Of the sheet that redeems offer codes.
    @nonexhaustive public enum OfferCodeRedeem: SKTestFailure {
        /// With this error.
        case generic(StoreKitError)
    }

    /// Of `Product.SubscriptionInfo.status`.
    @nonexhaustive public enum SubscriptionStatus: SKTestFailure {
        /// With this error.
        case generic(StoreKitError)
    }

    /// Of `Product.purchase`.
    @nonexhaustive public enum Purchase: SKTestFailure {
        /// With an error of any call.
        case generic(StoreKitError)
        /// With an error of purchases.
        case purchase(StoreKit.Product.PurchaseError)
    }

    /// Of a request for a refund.
    @nonexhaustive public enum RefundRequest: SKTestFailure {
        /// With an error of any call.
        case generic(StoreKitError)
        /// With an error of refund requests.
        case refundRequest(StoreKit.Transaction.RefundRequestError)
    }

    /// Of verifying transactions.
    @nonexhaustive public enum Verification: SKTestFailure {
        /// Signed transactions fail this check.
        case verification(
            StoreKit.VerificationResult<StoreKit.Transaction>.VerificationError)
    }
}

// MARK: - In the store

/// A failure as the store knows it.
protocol StoreFailing: SKTestFailure {
    /// The error that the call throws.
    var error: any Error { get }
    var code: StoreError.Code { get }
    /// Nil for a code that is no failure of the call.
    init?(_ code: StoreError.Code)
}

/// Whether two failures throw the same error. What is behind an error of network or system is
/// compared by its number.
private func isSame(_ left: any Error, _ right: any Error) -> Bool {
    switch (left, right) {
    case (let left as StoreKit.Product.PurchaseError, let right as StoreKit.Product.PurchaseError):
        return left == right
    case (
        let left as StoreKit.Transaction.RefundRequestError,
        let right as StoreKit.Transaction.RefundRequestError
    ):
        return left == right
    case (StoreKitError.networkError(let left), StoreKitError.networkError(let right)):
        return left.code == right.code
    case (StoreKitError.systemError(let left), StoreKitError.systemError(let right)):
        let (one, other) = (left as NSError, right as NSError)
        return one.domain == other.domain && one.code == other.code
    case (let left as StoreKitError, let right as StoreKitError):
        return StoreError.Code(left) == StoreError.Code(right)
    default: return false
    }
}

/// A failure with an error of any call.
protocol GenericFailure: StoreFailing {
    static func generic(_ error: StoreKitError) -> Self
}

extension GenericFailure {
    var code: StoreError.Code { (error as? StoreKitError).map { StoreError.Code($0) } ?? .unknown }

    init?(_ code: StoreError.Code) {
        self = .generic(StoreError(code).inStoreKit as? StoreKitError ?? .unknown)
    }
}

extension SKTestFailures.LoadProducts: GenericFailure {
    /// Whether both fail with the same error.
    public static func == (left: Self, right: Self) -> Bool { isSame(left.error, right.error) }

    var error: any Error {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.AppStoreSync: GenericFailure {
    /// Whether both fail with the same error.
    public static func == (left: Self, right: Self) -> Bool { isSame(left.error, right.error) }

    var error: any Error {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.AppTransaction: GenericFailure {
    /// Whether both fail with the same error.
    public static func == (left: Self, right: Self) -> Bool { isSame(left.error, right.error) }

    var error: any Error {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.ManageSubscriptions: GenericFailure {
    /// Whether both fail with the same error.
    public static func == (left: Self, right: Self) -> Bool { isSame(left.error, right.error) }

    var error: any Error {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.OfferCodeRedeem: GenericFailure {
    /// Whether both fail with the same error.
    public static func == (left: Self, right: Self) -> Bool { isSame(left.error, right.error) }

    var error: any Error {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.SubscriptionStatus: GenericFailure {
    /// Whether both fail with the same error.
    public static func == (left: Self, right: Self) -> Bool { isSame(left.error, right.error) }

    var error: any Error {
        switch self {
        case .generic(let error): error
        }
    }
}

extension SKTestFailures.Purchase: StoreFailing {
    /// Whether both fail with the same error.
    public static func == (left: Self, right: Self) -> Bool { isSame(left.error, right.error) }

    var error: any Error {
        switch self {
        case .generic(let error): error
        case .purchase(let error): error
        }
    }

    var code: StoreError.Code {
        switch self {
        case .generic(let error): StoreError.Code(error)
        case .purchase(let error): StoreError.Code(error)
        }
    }

    init?(_ code: StoreError.Code) {
        let error = StoreError(code).inStoreKit
        if let error = error as? StoreKit.Product.PurchaseError {
            self = .purchase(error)
        } else {
            self = .generic(error as? StoreKitError ?? .unknown)
        }
    }
}

extension SKTestFailures.RefundRequest: StoreFailing {
    /// Whether both fail with the same error.
    public static func == (left: Self, right: Self) -> Bool { isSame(left.error, right.error) }

    var error: any Error {
        switch self {
        case .generic(let error): error
        case .refundRequest(let error): error
        }
    }

    var code: StoreError.Code {
        switch self {
        case .generic(let error): StoreError.Code(error)
        case .refundRequest(.duplicateRequest): .duplicateRequest
        case .refundRequest: .refundRequestFailed
        }
    }

    init?(_ code: StoreError.Code) {
        switch code {
        case .duplicateRequest: self = .refundRequest(.duplicateRequest)
        case .refundRequestFailed: self = .refundRequest(.failed)
        default: self = .generic(StoreError(code).inStoreKit as? StoreKitError ?? .unknown)
        }
    }
}

extension SKTestFailures.Verification: StoreFailing {
    /// As StoreKit throws it.
    private typealias Thrown = StoreKit.VerificationResult<StoreKit.Transaction>.VerificationError

    var error: any Error {
        switch self {
        case .verification(let error): error
        }
    }

    var code: StoreError.Code {
        reportedReason == nil
            ? Fault.Call.verification.errors.first { $0.verificationError == mistake }
                ?? .invalidSignature
            : .invalidSignature
    }

    private var mistake: StoreModel.VerificationError? {
        StoreModel.VerificationError.allCases.first { self == .verification(Thrown($0)) }
    }

    /// The mistake that an app hears of where the store breaks the signature instead, because a
    /// text with this one could not be read; nil for the mistakes that the store makes.
    var reportedReason: StoreModel.VerificationError? {
        [.invalidEncoding, .missingRequiredProperties].first { $0 == mistake }
    }

    init?(_ code: StoreError.Code) {
        guard let mistake = code.verificationError else { return nil }
        self = .verification(Thrown(mistake))
    }
}
#endif
