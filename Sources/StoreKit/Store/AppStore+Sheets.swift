#if os(Linux)
import StoreDevice
import StoreModel

// Apple's functions take the scene or the view controller that shows a sheet. Linux has none: these
// do without it what the sheet does.
extension AppStore {
    /// Tells the store that the person manages subscriptions. Shows nothing: the shop of this store
    /// has a screen for it.
    @MainActor public static func showManageSubscriptions() async throws {
        try await manageSubscriptions()
    }

    /// As for all groups.
    @MainActor
    public static func showManageSubscriptions(subscriptionGroupID: String) async throws {
        try await manageSubscriptions()
    }

    /// Redeems an offer code, as the person does who enters it in Apple's sheet. The sale arrives
    /// in `Transaction.updates`.
    ///
    /// - Throws: `StoreKitError`, `Product.PurchaseError`.
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
