#if os(Linux)
import StoreModel

/// A call of StoreKit that a test can make fail.
public protocol FailableStoreKitAPI<Failure>: Sendable {
    /// The failures that the call can have.
    associatedtype Failure: SKTestFailure
}

/// A call with its name in the store.
protocol StoreCall: FailableStoreKitAPI {
    var call: Fault.Call { get }
}

/// `Product.products(for:)`.
public struct StoreKitLoadProductsAPI: FailableStoreKitAPI, StoreCall {
    public typealias Failure = SKTestFailures.LoadProducts
    var call: Fault.Call { .loadProducts }

    /// The call as `setSimulatedError(_:forAPI:)` takes it.
    public init() {}
}

/// `Product.purchase`.
public struct StoreKitPurchaseAPI: FailableStoreKitAPI, StoreCall {
    public typealias Failure = SKTestFailures.Purchase
    var call: Fault.Call { .purchase }

    /// The call as `setSimulatedError(_:forAPI:)` takes it.
    public init() {}
}

/// `AppStore.sync()`.
public struct StoreKitAppStoreSyncAPI: FailableStoreKitAPI, StoreCall {
    public typealias Failure = SKTestFailures.AppStoreSync
    var call: Fault.Call { .appStoreSync }

    /// The call as `setSimulatedError(_:forAPI:)` takes it.
    public init() {}
}

/// `AppTransaction.shared` and `refresh()`.
public struct StoreKitAppTransactionAPI: FailableStoreKitAPI, StoreCall {
    public typealias Failure = SKTestFailures.AppTransaction
    var call: Fault.Call { .appTransaction }

    /// The call as `setSimulatedError(_:forAPI:)` takes it.
    public init() {}
}

/// The sheet that manages subscriptions.
public struct StoreKitManageSubscriptionsAPI: FailableStoreKitAPI, StoreCall {
    public typealias Failure = SKTestFailures.ManageSubscriptions
    var call: Fault.Call { .manageSubscriptions }

    /// The call as `setSimulatedError(_:forAPI:)` takes it.
    public init() {}
}

/// The sheet that redeems offer codes.
public struct StoreKitOfferCodeRedeemAPI: FailableStoreKitAPI, StoreCall {
    public typealias Failure = SKTestFailures.OfferCodeRedeem
    var call: Fault.Call { .offerCodeRedeem }

    /// The call as `setSimulatedError(_:forAPI:)` takes it.
    public init() {}
}

/// A request for a refund.
public struct StoreKitRefundRequestAPI: FailableStoreKitAPI, StoreCall {
    public typealias Failure = SKTestFailures.RefundRequest
    var call: Fault.Call { .refundRequest }

    /// The call as `setSimulatedError(_:forAPI:)` takes it.
    public init() {}
}

/// `Product.SubscriptionInfo.status`.
public struct StoreKitSubscriptionStatusAPI: FailableStoreKitAPI, StoreCall {
    public typealias Failure = SKTestFailures.SubscriptionStatus
    var call: Fault.Call { .subscriptionStatus }

    /// The call as `setSimulatedError(_:forAPI:)` takes it.
    public init() {}
}

/// Verifying transactions.
public struct StoreKitVerificationAPI: FailableStoreKitAPI, StoreCall {
    public typealias Failure = SKTestFailures.Verification
    var call: Fault.Call { .verification }

    /// The call as `setSimulatedError(_:forAPI:)` takes it.
    public init() {}
}

extension FailableStoreKitAPI where Self == StoreKitLoadProductsAPI {
    /// `Product.products(for:)`.
    public static var loadProducts: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitPurchaseAPI {
    /// `Product.purchase`.
    public static var purchase: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitAppStoreSyncAPI {
    /// `AppStore.sync()`.
    public static var appStoreSync: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitAppTransactionAPI {
    /// `AppTransaction.shared` and `refresh()`.
    public static var appTransaction: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitManageSubscriptionsAPI {
    /// The sheet that manages subscriptions.
    public static var manageSubscriptions: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitOfferCodeRedeemAPI {
    /// The sheet that redeems offer codes.
    public static var offerCodeRedeem: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitRefundRequestAPI {
    /// A request for a refund.
    public static var refundRequest: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitSubscriptionStatusAPI {
    /// `Product.SubscriptionInfo.status`.
    public static var subscriptionStatus: Self { Self() }
}

extension FailableStoreKitAPI where Self == StoreKitVerificationAPI {
    /// Verifying transactions.
    public static var verification: Self { Self() }
}
#endif
