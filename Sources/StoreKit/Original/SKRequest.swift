#if os(Linux)
import Dispatch
public import Foundation
import StoreDevice
import StoreModel
import Synchronization

/// Hears how a request ended. Called on the main queue.
public protocol SKRequestDelegate: NSObjectProtocol {
    /// The request has succeeded.
    func requestDidFinish(_ request: SKRequest)
    /// The request has failed.
    func request(_ request: SKRequest, didFailWithError error: any Error)
}

extension SKRequestDelegate {
    /// Does nothing.
    public func requestDidFinish(_ request: SKRequest) {}
    /// Does nothing.
    public func request(_ request: SKRequest, didFailWithError error: any Error) {}
}

/// Gives requests a `delegate`, which `SKProductsRequest` has of another type.
public protocol SKDelegatedRequest: AnyObject {}

extension SKDelegatedRequest where Self: SKRequest {
    /// Hears how the request ended. Not owned.
    public var delegate: (any SKRequestDelegate)? {
        get { receiver.withLock { $0 }?.object as? any SKRequestDelegate }
        set {
            let chosen = newValue.map { AppObject($0) }
            receiver.withLock { $0 = chosen }
        }
    }
}

// `@unchecked Sendable`: all state is in a mutex and an atomic.
/// A request for products or a receipt. It lives until it has ended.
open class SKRequest: NSObject, SKDelegatedRequest, @unchecked Sendable {
    let receiver = Mutex<AppObject?>(nil)
    /// How often it was started or cancelled: what an earlier start found is not told any more.
    private let turn = Atomic(0)

    /// A request for nothing: for the subclasses of tests.
    public override init() { super.init() }

    /// Sends the request. The delegate hears of the answer.
    open func start() {
        let turn = turn.add(1, ordering: .sequentiallyConsistent).newValue
        Task {
            let tell = await ask()
            DispatchQueue.main.async {
                if self.turn.load(ordering: .sequentiallyConsistent) == turn { tell() }
            }
        }
    }

    /// Drops the request: the delegate hears nothing any more.
    open func cancel() { turn.add(1, ordering: .sequentiallyConsistent) }

    /// Asks the store, and returns what tells the delegate of the answer.
    func ask() async -> @Sendable () -> Void {
        return { self.delegate?.requestDidFinish(self) }
    }

    func failed(_ error: any Error) -> @Sendable () -> Void {
        let failure = SKError(failure: error)
        return { self.delegate?.request(self, didFailWithError: failure) }
    }
}

// `@unchecked Sendable`: the stored property never changes.
/// A request for a new receipt, which replaces the one on this device (`StoreKitHost.receiptURL`).
open class SKReceiptRefreshRequest: SKRequest, @unchecked Sendable {
    private let asked: [String: Any]?

    /// - Parameter properties: what the receipt says for tests (`SKReceiptPropertyIsExpired`
    ///   and others); nil for a receipt as the store makes it.
    public init(receiptProperties properties: [String: Any]?) {
        asked = properties
        super.init()
    }

    /// For a receipt as the store makes it.
    public override init() {
        asked = nil
        super.init()
    }

    /// The marks of a receipt for tests; nil for a receipt as the store makes it.
    open var receiptProperties: [String: Any]? { asked }

    override func ask() async -> @Sendable () -> Void {
        let options = ReceiptOptions(
            isExpired: isAsked(SKReceiptPropertyIsExpired),
            isRevoked: isAsked(SKReceiptPropertyIsRevoked),
            isVolumePurchase: isAsked(SKReceiptPropertyIsVolumePurchase))
        do {
            let session = try await AppStoreProcess.current()
            _ = try await session.device.refreshReceipt(options)
            return await super.ask()
        } catch { return failed(error) }
    }

    private func isAsked(_ property: String) -> Bool {
        let value = receiptProperties?[property]
        return value as? Bool ?? (value as? NSNumber)?.boolValue ?? false
    }
}

/// A key of `SKReceiptRefreshRequest.receiptProperties`: whether the receipt is expired.
public let SKReceiptPropertyIsExpired = "expired"
/// A key of `SKReceiptRefreshRequest.receiptProperties`: whether the receipt is revoked.
public let SKReceiptPropertyIsRevoked = "revoked"
/// A key of `SKReceiptRefreshRequest.receiptProperties`: whether it is of a volume purchase.
public let SKReceiptPropertyIsVolumePurchase = "vpp"

/// Ends the app because its receipt is not valid, with the status 173 that macOS knows.
public func SKTerminateForInvalidReceipt() { exit(173) }

/// Hears which products a request has found. Called on the main queue.
public protocol SKProductsRequestDelegate: SKRequestDelegate {
    /// The store has answered; `requestDidFinish(_:)` follows.
    func productsRequest(_ request: SKProductsRequest, didReceive response: SKProductsResponse)
}

// `@unchecked Sendable`: the stored property never changes.
/// A request for products by their identifiers.
open class SKProductsRequest: SKRequest, @unchecked Sendable {
    private let identifiers: [String]

    /// For the products of these identifiers.
    public init(productIdentifiers: Set<String>) {
        identifiers = productIdentifiers.sorted()
        super.init()
    }

    /// For no product.
    public override init() {
        identifiers = []
        super.init()
    }

    /// Hears which products were found. Not owned.
    open var delegate: (any SKProductsRequestDelegate)? {
        get { receiver.withLock { $0 }?.object as? any SKProductsRequestDelegate }
        set {
            let chosen = newValue.map { AppObject($0) }
            receiver.withLock { $0 = chosen }
        }
    }

    override func ask() async -> @Sendable () -> Void {
        do {
            let session = try await AppStoreProcess.current()
            let found = try await session.device.products(identifiers.map { ProductID($0) }).value
            let finish = await super.ask()
            return {
                self.delegate?.productsRequest(self, didReceive: SKProductsResponse(found))
                finish()
            }
        } catch { return failed(error) }
    }
}

// `@unchecked Sendable`: as `SKProduct`.
/// The answer to a request for products.
open class SKProductsResponse: NSObject, @unchecked Sendable {
    private var answer: (products: [SKProduct], invalid: [String]) = ([], [])

    /// Without a product: for the subclasses of tests.
    public override init() { super.init() }

    convenience init(_ response: ProductsResponse) {
        self.init()
        answer = (
            response.products.map { SKProduct($0) }, response.invalidProductIDs.map(\.rawValue)
        )
    }

    /// Those that are for sale, in the catalog's order.
    open var products: [SKProduct] { answer.products }
    /// Identifiers that are unknown, or not sold to this account now.
    open var invalidProductIdentifiers: [String] { answer.invalid }
}
#endif
