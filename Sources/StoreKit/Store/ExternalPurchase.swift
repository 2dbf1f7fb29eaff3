#if os(Linux)
public import Foundation

// Selling outside the App Store needs Apple's permission, which no app has here: nothing of it can
// be presented or opened, and trying is refused as `StoreKitError.unsupported`.

/// Apple's notice before a purchase outside the App Store.
public enum ExternalPurchase: Sendable {
    /// How the notice was left.
    @nonexhaustive public enum NoticeResult: Hashable, Sendable {
        /// The person does not continue.
        case cancelled
        /// The person continues; the purchase is reported with the token.
        case continuedWithExternalPurchaseToken(token: String)
    }

    /// Always false.
    public static var canPresent: Bool { get async { false } }

    /// Always throws `StoreKitError.unsupported`.
    public static func presentNoticeSheet() async throws -> NoticeResult {
        throw StoreKitError.unsupported
    }
}

/// A link to a shop on the web.
public enum ExternalPurchaseLink: Sendable {
    /// Always false.
    public static var canOpen: Bool { get async { false } }
    /// Always nil.
    public static var eligibleURLs: [URL]? { get async { nil } }

    /// Always throws `StoreKitError.unsupported`.
    public static func open() async throws { throw StoreKitError.unsupported }
    /// Always throws `StoreKitError.unsupported`.
    public static func open(url: URL) async throws { throw StoreKitError.unsupported }
}

/// A link to a shop on the web, with the app's own words.
public enum ExternalPurchaseCustomLink: Sendable {
    /// How the notice was left.
    @nonexhaustive public enum NoticeResult: Hashable, Sendable {
        /// The person does not continue.
        case cancelled
        /// The person continues.
        case continued
    }

    /// Where the purchase takes place.
    @nonexhaustive public enum NoticeType: Int, Hashable, Sendable {
        /// In the app.
        case withinApp
        /// In the browser.
        case browser
    }

    /// Reports purchases.
    public struct Token: Hashable, Sendable {
        /// Base64.
        public let value: String
    }

    /// Always false.
    public static var isEligible: Bool { get async { false } }

    /// Always throws `StoreKitError.unsupported`.
    public static func showNotice(type: NoticeType) async throws -> NoticeResult {
        throw StoreKitError.unsupported
    }

    /// Always nil.
    public static func token(for tokenType: String) async throws -> Token? { nil }
}

/// A link to the account that a reader app keeps on the web.
public enum ExternalLinkAccount: Sendable {
    /// Always false.
    public static var canOpen: Bool { get async { false } }
    /// Always throws `StoreKitError.unsupported`.
    public static func open() async throws { throw StoreKitError.unsupported }
}

/// A way to pay that a partner of the App Store binds to the account.
public struct PaymentMethodBinding: Identifiable, Hashable, Sendable {
    /// Why a way to pay was not bound.
    @nonexhaustive public enum PaymentMethodBindingError: LocalizedError, Hashable, Sendable {
        /// The app or the account may not.
        case notEligible
        /// There is no such identifier.
        case invalidPinningID
        /// Any other.
        case failed

        /// The failure in a sentence.
        public var errorDescription: String? {
            switch self {
            case .notEligible: "No way to pay can be bound here."
            case .invalidPinningID: "There is no such way to pay."
            case .failed: "The way to pay was not bound."
            }
        }

        /// The account's way to pay, which has not changed.
        public var failureReason: String? { "The account pays as before." }

        /// Advice for the customer.
        public var recoverySuggestion: String? { "Buy without it." }
    }

    /// Of the way to pay.
    public let id: String

    /// Always throws `PaymentMethodBindingError.notEligible`.
    public init(id: String) async throws { throw PaymentMethodBindingError.notEligible }

    /// Binds the way to pay; it cannot be called, as nothing makes a value.
    public func bind() async throws { throw PaymentMethodBindingError.notEligible }
}
#endif
