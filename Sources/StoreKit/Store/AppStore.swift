#if os(Linux)
public import Foundation
import StoreDevice
import StoreModel
import StoreSigning

/// The App Store, as this app reaches it.
public enum AppStore: Sendable {
    /// Brings the account's past purchases to this device.
    public static func sync() async throws {
        try await throwingStoreKit { session in
            _ = try await session.device.restore()
            await session.feed.catchUp()
        }
    }

    /// Whether the account may make payments; true while the store is not open yet.
    public static var canMakePayments: Bool {
        guard let session = AppStoreProcess.openSession else { return true }
        let settings = try? Blocking.run { try await session.device.accountSettings().value }
        return settings?.canMakePayments ?? true
    }

    /// The identifier in `deviceVerification`; nil while the store is not open yet.
    public static var deviceVerificationID: UUID? {
        guard let session = AppStoreProcess.openSession else { return nil }
        return DeviceVerification(
            bundleID: session.store.identity.bundleID, account: session.store.account,
            device: session.store.device
        ).identifier
    }

    /// Where a store sells.
    public struct Environment: RawRepresentable, Equatable, Hashable, Sendable {
        /// As in signed payloads.
        public let rawValue: String
        /// Any text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// To customers.
        public static let production = Self(rawValue: StoreEnvironment.production.rawValue)
        /// To testers.
        public static let sandbox = Self(rawValue: StoreEnvironment.sandbox.rawValue)
        /// To tests on the developer's machine.
        public static let xcode = Self(rawValue: StoreEnvironment.xcode.rawValue)
    }

    /// A platform that apps run on.
    public struct Platform: RawRepresentable, Equatable, Hashable, Sendable {
        /// The platform's name.
        public let rawValue: String
        /// Any text.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// iPhone, iPad, and Apple Watch.
        public static let iOS = Self(rawValue: "iOS")
        /// Mac.
        public static let macOS = Self(rawValue: "macOS")
        /// Apple TV.
        public static let tvOS = Self(rawValue: "tvOS")
        /// Apple Vision Pro.
        public static let visionOS = Self(rawValue: "visionOS")
    }

    /// Always nil: no one rates the apps of this store.
    public static var ageRatingCode: Int? { get async { nil } }

    // Apple's take the scene or view controller that shows a sheet: these do what the sheet does.

    /// Tells the store that the person manages subscriptions, in the shop: this shows nothing.
    @MainActor public static func showManageSubscriptions() async throws {
        try await manageSubscriptions()
    }

    /// As for all groups.
    @MainActor
    public static func showManageSubscriptions(subscriptionGroupID: String) async throws {
        try await manageSubscriptions()
    }

    /// Redeems an offer code, as the person does in Apple's sheet; the sale is in
    /// `Transaction.updates`. Throws `Product.PurchaseError`, too.
    @MainActor public static func presentOfferCodeRedeemSheet(code: String) async throws {
        try await redeem(code)
    }

    /// Does nothing: no one reviews the apps of this store.
    @MainActor public static func requestReview() {}

    private nonisolated static func manageSubscriptions() async throws {
        try await throwingStoreKit { try await $0.store.manageSubscriptions() }
    }

    private nonisolated static func redeem(_ code: String) async throws {
        do throws(StoreError) {
            let session = try await AppStoreProcess.current()
            let redemption = try await session.store.redemption(of: code)
            let found = try await session.device.products([redemption.productID]).value
            guard let product = found.products.first else {
                throw StoreError(.productUnavailable, productID: redemption.productID)
            }
            var purchase = AppPurchase(of: product)
            purchase.offer = redemption.asked
            guard await PurchaseConfirmation.allows(purchase, in: session) else {
                throw StoreError(.userCancelled)
            }
            if case .failed(let error) = try await session.device.buy(
                purchase.payment(at: session.now))
            {
                throw error
            }
            await session.catchUp()
        } catch { throw error.inStoreKit }
    }
}

/// An advertisement that the App Store can show inside an app.
public struct AppStoreMerchandisingKind: Sendable {
    private let groupID: String

    /// The subscriptions of a bundle.
    public static func subscriptionBundle(_ groupID: String) -> AppStoreMerchandisingKind {
        AppStoreMerchandisingKind(groupID: groupID)
    }

    /// How it was left.
    @nonexhaustive public enum PresentationResult: Sendable {
        /// Closed.
        case dismissed
        /// With a purchase.
        case purchaseCompleted(Product.PurchaseResult)
    }
}
#endif
