#if os(Linux)
import Dispatch
public import Foundation

/// Whether the App Store shows a product: `Product.PromotionInfo.Visibility` by the same numbers.
@frozen public enum SKProductStorePromotionVisibility: Int, Sendable {
    /// As App Store Connect says.
    case `default` = 0
    /// The App Store shows the product.
    case show
    /// The App Store hides the product.
    case hide
}

// `@unchecked Sendable`: it has no stored property; only a subclass could add one.
/// Chooses which products the App Store shows for the app, and in which order; the same choice as
/// `Product.PromotionInfo`'s. Completion handlers are called on the main queue.
open class SKProductStorePromotionController: NSObject, @unchecked Sendable {
    private static let shared = SKProductStorePromotionController()

    /// Chooses the same as every other one.
    public override init() { super.init() }

    /// The one controller of the process.
    open class func `default`() -> Self { unsafeDowncast(shared, to: self) }

    /// The choice for a product; `default` without one.
    open func promotionVisibility(
        for product: SKProduct
    ) async throws -> SKProductStorePromotionVisibility {
        let order = try await Product.PromotionInfo.currentOrder
        let chosen = order.first { $0.productID == product.productIdentifier }?.visibility
        return SKProductStorePromotionVisibility(rawValue: chosen?.rawValue ?? 0) ?? .default
    }

    /// Chooses whether a product is shown. Its place stays.
    open func update(
        promotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct
    ) async throws {
        let visibility = Product.PromotionInfo.Visibility(rawValue: promotionVisibility.rawValue)
        try await Product.PromotionInfo.updateProductVisibility(
            visibility ?? .appStoreConnectDefault, for: product.productIdentifier)
    }

    /// The products that were chosen so far, in their order; empty without a choice.
    open func promotionOrder() async throws -> [SKProduct] {
        let order = try await Product.PromotionInfo.currentOrder.map(\.productID)
        let products = try await Product.products(for: order)
        return order.compactMap { id in products.first { $0.id == id }.map { SKProduct($0.model) } }
    }

    /// Chooses the order. Visibilities stay.
    open func update(promotionOrder: [SKProduct]) async throws {
        try await Product.PromotionInfo.updateProductOrder(
            byID: promotionOrder.map(\.productIdentifier))
    }

    /// As `promotionVisibility(for:)`.
    open func fetchStorePromotionVisibility(
        for product: SKProduct,
        completionHandler: (@Sendable (SKProductStorePromotionVisibility, (any Error)?) -> Void)?
    ) {
        answer(with: { try await self.promotionVisibility(for: product) }) { visibility, error in
            completionHandler?(visibility ?? .default, error)
        }
    }

    /// As `update(promotionVisibility:for:)`.
    open func update(
        storePromotionVisibility: SKProductStorePromotionVisibility, for product: SKProduct,
        completionHandler: (@Sendable ((any Error)?) -> Void)?
    ) {
        answer(with: {
            try await self.update(promotionVisibility: storePromotionVisibility, for: product)
        }) { _, error in
            completionHandler?(error)
        }
    }

    /// As `promotionOrder()`.
    open func fetchStorePromotionOrder(
        completionHandler: (@Sendable ([SKProduct], (any Error)?) -> Void)?
    ) {
        answer(with: { try await self.promotionOrder() }) { products, error in
            completionHandler?(products ?? [], error)
        }
    }

    /// As `update(promotionOrder:)`.
    open func update(
        storePromotionOrder: [SKProduct], completionHandler: (@Sendable ((any Error)?) -> Void)?
    ) {
        answer(with: { try await self.update(promotionOrder: storePromotionOrder) }) { _, error in
            completionHandler?(error)
        }
    }

    private func answer<Value: Sendable>(
        with call: @escaping @Sendable () async throws -> Value,
        _ completionHandler: @escaping @Sendable (Value?, (any Error)?) -> Void
    ) {
        Task {
            do {
                let value = try await call()
                DispatchQueue.main.async { completionHandler(value, nil) }
            } catch { DispatchQueue.main.async { completionHandler(nil, error) } }
        }
    }
}
#endif
