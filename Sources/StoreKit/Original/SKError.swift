#if os(Linux)
public import Foundation
package import StoreModel

/// The domain of StoreKit 1's errors.
public let SKErrorDomain = "SKErrorDomain"

/// An error of StoreKit 1: an `NSError` of `SKErrorDomain`, as on Apple's systems.
public struct SKError: CustomNSError, Hashable, Sendable {
    /// The kind of error, with Apple's number.
    @nonexhaustive public enum Code: Int, Sendable {
        /// A failure without a known reason.
        case unknown = 0
        /// The client may not do this.
        case clientInvalid = 1
        /// The person cancelled.
        case paymentCancelled = 2
        /// A parameter of the payment was not accepted.
        case paymentInvalid = 3
        /// The account may not make payments.
        case paymentNotAllowed = 4
        /// The store does not sell the product here.
        case storeProductNotAvailable = 5
        /// The person has not allowed the cloud service.
        case cloudServicePermissionDenied = 6
        /// The store could not be reached.
        case cloudServiceNetworkConnectionFailed = 7
        /// The person has withdrawn the cloud service.
        case cloudServiceRevoked = 8
        /// The person has not accepted the notice about privacy.
        case privacyAcknowledgementRequired = 9
        /// The app may not use `requestData`.
        case unauthorizedRequestData = 10
        /// There is no such offer.
        case invalidOfferIdentifier = 11
        /// The offer's signature is not valid.
        case invalidSignature = 12
        /// The offer was named without all of its parameters.
        case missingOfferParams = 13
        /// The offer's price is not valid any more.
        case invalidOfferPrice = 14
        /// An overlay was cancelled.
        case overlayCancelled = 15
        /// An overlay was not configured.
        case overlayInvalidConfiguration = 16
        /// An overlay did not load in time.
        case overlayTimeout = 17
        /// The account cannot have the offer.
        case ineligibleForOffer = 18
        /// Not on this platform.
        case unsupportedPlatform = 19
        /// An overlay was shown in the background.
        case overlayPresentedInBackgroundScene = 20
        /// A payment method must be bound first.
        case paymentMethodBindingConfigurationRequired = 21

        /// For `catch SKError.paymentCancelled`.
        public static func ~= (match: Code, error: any Error) -> Bool {
            (error as? SKError)?.code == match
        }
    }

    /// The kind of error.
    public let code: Code
    private let info: [String: String]

    /// Of `userInfo` only texts are kept.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        info = userInfo.compactMapValues { $0 as? String }
    }

    /// An `NSError` of another domain, or of an unknown number, becomes `unknown`.
    public init(_nsError error: NSError) {
        self = Self.made(from: error) ?? Self(.unknown, userInfo: error.userInfo)
    }

    fileprivate static func made(from error: NSError) -> SKError? {
        guard error.domain == SKErrorDomain else { return nil }
        return SKError(Code(rawValue: error.code) ?? .unknown, userInfo: error.userInfo)
    }

    /// `SKErrorDomain`.
    public static var errorDomain: String { SKErrorDomain }
    /// The number of `code`.
    public var errorCode: Int { code.rawValue }
    /// The texts that the error was made with.
    public var userInfo: [String: Any] { info }
    /// The same, for `NSError`.
    public var errorUserInfo: [String: Any] { info }

    /// A failure without a known reason.
    public static var unknown: Code { .unknown }
    /// The client may not do this.
    public static var clientInvalid: Code { .clientInvalid }
    /// The person cancelled.
    public static var paymentCancelled: Code { .paymentCancelled }
    /// A parameter of the payment was not accepted.
    public static var paymentInvalid: Code { .paymentInvalid }
    /// The account may not make payments.
    public static var paymentNotAllowed: Code { .paymentNotAllowed }
    /// The store does not sell the product here.
    public static var storeProductNotAvailable: Code { .storeProductNotAvailable }
    /// The person has not allowed the cloud service.
    public static var cloudServicePermissionDenied: Code { .cloudServicePermissionDenied }
    /// The store could not be reached.
    public static var cloudServiceNetworkConnectionFailed: Code {
        .cloudServiceNetworkConnectionFailed
    }
    /// The person has withdrawn the cloud service.
    public static var cloudServiceRevoked: Code { .cloudServiceRevoked }
    /// The person has not accepted the notice about privacy.
    public static var privacyAcknowledgementRequired: Code { .privacyAcknowledgementRequired }
    /// The app may not use `requestData`.
    public static var unauthorizedRequestData: Code { .unauthorizedRequestData }
    /// There is no such offer.
    public static var invalidOfferIdentifier: Code { .invalidOfferIdentifier }
    /// The offer's signature is not valid.
    public static var invalidSignature: Code { .invalidSignature }
    /// The offer was named without all of its parameters.
    public static var missingOfferParams: Code { .missingOfferParams }
    /// The offer's price is not valid any more.
    public static var invalidOfferPrice: Code { .invalidOfferPrice }
    /// An overlay was cancelled.
    public static var overlayCancelled: Code { .overlayCancelled }
    /// An overlay was not configured.
    public static var overlayInvalidConfiguration: Code { .overlayInvalidConfiguration }
    /// An overlay did not load in time.
    public static var overlayTimeout: Code { .overlayTimeout }
    /// The account cannot have the offer.
    public static var ineligibleForOffer: Code { .ineligibleForOffer }
    /// Not on this platform.
    public static var unsupportedPlatform: Code { .unsupportedPlatform }
    /// An overlay was shown in the background.
    public static var overlayPresentedInBackgroundScene: Code { .overlayPresentedInBackgroundScene }
    /// A payment method must be bound first.
    public static var paymentMethodBindingConfigurationRequired: Code {
        .paymentMethodBindingConfigurationRequired
    }

    /// An error of the store as StoreKit 1 names it.
    package init(_ error: StoreError) {
        let code = error.code.skError.flatMap { Code(rawValue: $0.code) } ?? .unknown
        self.init(code, userInfo: [NSLocalizedDescriptionKey: error.inWords])
    }

    /// Any error of a call as StoreKit 1 names it.
    init(failure: any Error) {
        self = (failure as? StoreError).map { SKError($0) } ?? SKError(.unknown)
    }
}

/// Lets `as? SKError` and `catch let error as SKError` find an `NSError`, as on Apple's systems.
extension SKError: _ObjectiveCBridgeable {
    /// An `NSError` with the same domain, number and texts.
    public func _bridgeToObjectiveC() -> NSError {
        NSError(domain: SKErrorDomain, code: errorCode, userInfo: errorUserInfo)
    }

    /// Nil for an error of another domain.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout SKError?) {
        result = made(from: source)
    }

    /// False for an error of another domain.
    public static func _conditionallyBridgeFromObjectiveC(
        _ source: NSError, result: inout SKError?
    ) -> Bool {
        result = made(from: source)
        return result != nil
    }

    /// `unknown` for an error of another domain.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> SKError {
        source.flatMap(made) ?? SKError(.unknown)
    }
}
#endif
