#if os(Linux)
public import Foundation
import StoreKit
import StoreModel

/// The domain of the errors of a test session.
public let SKTestErrorDomain = "SKTestErrorDomain"

/// An error of a test session: an `NSError` of `SKTestErrorDomain`, as on Apple's systems.
public struct SKTestError: CustomNSError, LocalizedError, Hashable, Sendable {
    /// The kind of error, with Apple's number.
    @nonexhaustive public enum Code: Int, Sendable {
        /// The store could not be opened, or failed.
        case serviceUnavailable = 0
        /// The configuration has no such product.
        case invalidProductIdentifier = 1
        /// Not possible for a product of this type.
        case invalidProductType = 2
        /// The file is not a configuration.
        case invalidURL = 3
        /// There is no such file, or several.
        case fileNotFound = 4
        /// The account has no such subscription, or it is over.
        case noSubscriptionFound = 5
        /// There is no such transaction.
        case noTransactionFound = 6
        /// Not possible for this transaction now.
        case invalidAction = 7

        /// For `catch SKTestError.noTransactionFound`.
        public static func ~= (match: Code, error: any Error) -> Bool {
            (error as? SKTestError)?.code == match
        }
    }

    /// The kind of error.
    public let code: Code
    /// The mistake, with the names that are concerned.
    public let errorDescription: String?

    init(_ code: Code, _ description: String? = nil) {
        self.code = code
        errorDescription = description
    }

    /// `SKTestErrorDomain`.
    public static var errorDomain: String { SKTestErrorDomain }
    /// The number of `code`.
    public var errorCode: Int { code.rawValue }
    /// The description, since Foundation on Linux asks a `CustomNSError` for nothing else.
    public var errorUserInfo: [String: Any] {
        errorDescription.map { [NSLocalizedDescriptionKey: $0] } ?? [:]
    }

    /// The store could not be opened, or failed.
    public static var serviceUnavailable: Code { .serviceUnavailable }
    /// The configuration has no such product.
    public static var invalidProductIdentifier: Code { .invalidProductIdentifier }
    /// Not possible for a product of this type.
    public static var invalidProductType: Code { .invalidProductType }
    /// The file is not a configuration.
    public static var invalidURL: Code { .invalidURL }
    /// There is no such file, or several.
    public static var fileNotFound: Code { .fileNotFound }
    /// The account has no such subscription, or it is over.
    public static var noSubscriptionFound: Code { .noSubscriptionFound }
    /// There is no such transaction.
    public static var noTransactionFound: Code { .noTransactionFound }
    /// Not possible for this transaction now.
    public static var invalidAction: Code { .invalidAction }

    init(_ error: StoreError) {
        self.init(Self.codes[error.code] ?? .invalidAction, error.inWords)
    }

    private static let codes: [StoreError.Code: Code] = [
        .productUnavailable: .invalidProductIdentifier, .fileUnreadable: .invalidURL,
        .noSubscription: .noSubscriptionFound, .transactionNotFound: .noTransactionFound,
        .requestNotPending: .noTransactionFound, .transactionDeleted: .noTransactionFound,
        .storeBusy: .serviceUnavailable, .storeFull: .serviceUnavailable,
        .storeReadOnly: .serviceUnavailable, .storeUnreadable: .serviceUnavailable,
        .systemError: .serviceUnavailable, .unknown: .serviceUnavailable,
    ]
}
#endif
