#if os(Linux)
import Dispatch
public import Foundation

/// Whether the app may use a person's music library.
@nonexhaustive public enum SKCloudServiceAuthorizationStatus: Int, Sendable {
    /// The app has not asked the person.
    case notDetermined = 0
    /// The person has refused.
    case denied
    /// This device has none, as always here.
    case restricted
    /// The person has agreed.
    case authorized
}

/// The rights of an app in a person's music library.
public struct SKCloudServiceCapability: OptionSet, Sendable {
    /// As Apple numbers them.
    public let rawValue: UInt
    /// Any number.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Play music of the catalog.
    public static let musicCatalogPlayback = Self(rawValue: 1 << 0)
    /// Offer a subscription.
    public static let musicCatalogSubscriptionEligible = Self(rawValue: 1 << 1)
    /// Add to the library.
    public static let addToCloudMusicLibrary = Self(rawValue: 1 << 8)
}

/// Apple's music service, which does not exist here: every request fails with
/// `SKError.cloudServicePermissionDenied`. Completion handlers are called on the main queue.
open class SKCloudServiceController: NSObject {
    /// Of no service.
    public override init() { super.init() }

    /// Restricted.
    open class func authorizationStatus() -> SKCloudServiceAuthorizationStatus { .restricted }

    /// Answers that it is restricted.
    open class func requestAuthorization(
        _ completionHandler: @escaping @Sendable (SKCloudServiceAuthorizationStatus) -> Void
    ) {
        DispatchQueue.main.async { completionHandler(.restricted) }
    }

    /// Fails.
    open func requestCapabilities(
        completionHandler: @escaping @Sendable (SKCloudServiceCapability, (any Error)?) -> Void
    ) {
        DispatchQueue.main.async { completionHandler([], Self.refusal) }
    }

    /// Fails.
    open func requestStorefrontCountryCode(
        completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void
    ) {
        DispatchQueue.main.async { completionHandler(nil, Self.refusal) }
    }

    /// Fails.
    open func requestStorefrontIdentifier(
        completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void
    ) {
        DispatchQueue.main.async { completionHandler(nil, Self.refusal) }
    }

    /// Fails.
    open func requestUserToken(
        forDeveloperToken developerToken: String,
        completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void
    ) {
        DispatchQueue.main.async { completionHandler(nil, Self.refusal) }
    }

    private static var refusal: SKError { SKError(.cloudServicePermissionDenied) }
}

/// Asks for reviews on the App Store, of which this store has none.
open class SKStoreReviewController: NSObject {
    /// Asks nobody.
    open class func requestReview() {}
}
#endif
