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
    @nonexhaustive public enum LoadProducts: SKTestFailure, GenericFailure {
        /// With this error.
        case generic(StoreKitError)

        /// Whether both fail with the same error.
        public static func == (left: Self, right: Self) -> Bool { left.throwsAs(right) }

        var error: any Error {
            switch self {
            case .generic(let error): error
            }
        }
    }

    /// Of `AppStore.sync()`.
    @nonexhaustive public enum AppStoreSync: SKTestFailure, GenericFailure {
        /// With this error.
        case generic(StoreKitError)

        /// Whether both fail with the same error.
        public static func == (left: Self, right: Self) -> Bool { left.throwsAs(right) }

        var error: any Error {
            switch self {
            case .generic(let error): error
            }
        }
    }

    /// Of `AppTransaction.shared` and `refresh()`.
    @nonexhaustive public enum AppTransaction: SKTestFailure, GenericFailure {
        /// With this error.
        case generic(StoreKitError)

        /// Whether both fail with the same error.
        public static func == (left: Self, right: Self) -> Bool { left.throwsAs(right) }

        var error: any Error {
            switch self {
            case .generic(let error): error
            }
        }
    }

    /// Of the sheet that manages subscriptions.
    @nonexhaustive public enum ManageSubscriptions: SKTestFailure, GenericFailure {
        /// With this error.
        case generic(StoreKitError)

        /// Whether both fail with the same error.
        public static func == (left: Self, right: Self) -> Bool { left.throwsAs(right) }

        var error: any Error {
            switch self {
            case .generic(let error): error
            }
        }
    }

    /// Of the sheet that redeems offer codes.
    @nonexhaustive public enum OfferCodeRedeem: SKTestFailure, GenericFailure {
        /// With this error.
        case generic(StoreKitError)

        /// Whether both fail with the same error.
        public static func == (left: Self, right: Self) -> Bool { left.throwsAs(right) }

        var error: any Error {
            switch self {
            case .generic(let error): error
            }
        }
    }

    /// Of `Product.SubscriptionInfo.status`.
    @nonexhaustive public enum SubscriptionStatus: SKTestFailure, GenericFailure {
        /// With this error.
        case generic(StoreKitError)

        /// Whether both fail with the same error.
        public static func == (left: Self, right: Self) -> Bool { left.throwsAs(right) }

        var error: any Error {
            switch self {
            case .generic(let error): error
            }
        }
    }

    /// Of `Product.purchase`.
    @nonexhaustive public enum Purchase: SKTestFailure, GenericFailure {
        /// With an error of any call.
        case generic(StoreKitError)
        /// With an error of purchases.
        case purchase(StoreKit.Product.PurchaseError)

        /// Whether both fail with the same error.
        public static func == (left: Self, right: Self) -> Bool { left.throwsAs(right) }

        var error: any Error {
            switch self {
            case .generic(let error): error
            case .purchase(let error): error
            }
        }

        init?(_ code: StoreError.Code) {
            let error = StoreError(code).inStoreKit
            self =
                (error as? StoreKit.Product.PurchaseError).map(Self.purchase)
                ?? .generic(error as? StoreKitError ?? .unknown)
        }
    }

    /// Of a request for a refund.
    @nonexhaustive public enum RefundRequest: SKTestFailure, GenericFailure {
        /// With an error of any call.
        case generic(StoreKitError)
        /// With an error of refund requests.
        case refundRequest(StoreKit.Transaction.RefundRequestError)

        /// Whether both fail with the same error.
        public static func == (left: Self, right: Self) -> Bool { left.throwsAs(right) }

        var error: any Error {
            switch self {
            case .generic(let error): error
            case .refundRequest(let error): error
            }
        }

        init?(_ code: StoreError.Code) {
            let error = StoreError(code).refundError
            self =
                (error as? StoreKit.Transaction.RefundRequestError).map(Self.refundRequest)
                ?? .generic(error as? StoreKitError ?? .unknown)
        }
    }

    /// Of verifying transactions.
    @nonexhaustive public enum Verification: SKTestFailure {
        /// Signed transactions fail this check.
        case verification(StoreKit.VerificationResult<StoreKit.Transaction>.VerificationError)

        var error: any Error {
            switch self {
            case .verification(let error): error
            }
        }
    }
}

// MARK: - In the store

/// A failure as the store knows it.
protocol StoreFailing: SKTestFailure {
    /// What the call throws.
    var error: any Error { get }
    var code: StoreError.Code { get }
    /// Nil for a code that is no failure of the call.
    init?(_ code: StoreError.Code)
}

/// A failure with an error of any call.
protocol GenericFailure: StoreFailing {
    static func generic(_ error: StoreKitError) -> Self
}

extension GenericFailure {
    var code: StoreError.Code { StoreError.Code(error) }

    /// Whether two failures throw the same error. What is behind an error of network or system is
    /// compared by its number.
    func throwsAs(_ other: Self) -> Bool {
        let (left, right) = (cause as NSError, other.cause as NSError)
        return code == other.code && left.domain == right.domain && left.code == right.code
    }

    private var cause: any Error {
        switch error {
        case StoreKitError.networkError(let cause): cause
        case StoreKitError.systemError(let cause): cause
        default: error
        }
    }

    init?(_ code: StoreError.Code) {
        self = .generic(StoreError(code).inStoreKit as? StoreKitError ?? .unknown)
    }
}

extension SKTestFailures.Verification: StoreFailing {
    private typealias Thrown = StoreKit.VerificationResult<StoreKit.Transaction>.VerificationError

    var code: StoreError.Code {
        reportedReason == nil
            ? Fault.Call.verification.errors.first { $0.verificationError == mistake }
                ?? .invalidSignature
            : .invalidSignature
    }

    private var mistake: StoreModel.VerificationError? {
        StoreModel.VerificationError.allCases.first { self == .verification(Thrown($0)) }
    }

    /// The mistake that an app hears of where the store breaks the signature instead, because of a
    /// text with this one less could be read; nil for the mistakes that the store makes.
    var reportedReason: StoreModel.VerificationError? {
        [.invalidEncoding, .missingRequiredProperties].first { $0 == mistake }
    }

    init?(_ code: StoreError.Code) {
        guard let mistake = code.verificationError else { return nil }
        self = .verification(Thrown(mistake))
    }
}
#endif
