import Foundation
import StoreKit

/// Loads what is for sale, with StoreKit 1.
public final class ProductLoader: NSObject, ObservableObject {
    @Published public private(set) var products: [SKProduct] = []
    /// Identifiers that the store does not know.
    @Published public private(set) var invalidIdentifiers: [String] = []
    @Published public private(set) var error: Error?

    private var request: SKProductsRequest?

    public func load(_ identifiers: [String]) {
        let request = SKProductsRequest(productIdentifiers: Set(identifiers))
        request.delegate = self
        self.request = request
        request.start()
    }

    public func product(_ identifier: String) -> SKProduct? {
        products.first { $0.productIdentifier == identifier }
    }
}

extension ProductLoader: SKProductsRequestDelegate {
    public func productsRequest(
        _ request: SKProductsRequest, didReceive response: SKProductsResponse
    ) {
        error = nil
        invalidIdentifiers = response.invalidProductIdentifiers
        products = response.products
    }

    public func request(_ request: SKRequest, didFailWithError error: Error) {
        self.error = error
    }
}

extension SKProduct {
    /// The price with its currency.
    public var regularPrice: String? {
        let formatter = NumberFormatter()
        formatter.numberStyle = .currency
        formatter.locale = priceLocale
        return formatter.string(from: price)
    }
}
