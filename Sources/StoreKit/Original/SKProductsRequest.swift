#if os(Linux)
public import Foundation
import StoreDevice
import StoreModel
import Synchronization

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
