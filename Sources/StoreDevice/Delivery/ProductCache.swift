import Basics
import StoreModel

/// What the app knows about the products it delivers, asked from the store once a revision.
final class ProductCache: Sendable {
    private let store: any Store
    /// Nil inside: the store was asked and has no such product.
    private let known = Memo<ProductID, Product?>(limit: DeviceLimits.productsKept)

    init(store: any Store) { self.store = store }

    /// The products behind some transactions; what the catalog no longer has is missing.
    func products(_ ids: Set<ProductID>) async throws(StoreError) -> [ProductID: Product] {
        var found: [ProductID: Product] = [:]
        var unknown: [ProductID] = []
        for id in ids {
            if let answer = known[id] { found[id] = answer } else { unknown.append(id) }
        }
        guard !unknown.isEmpty else { return found }
        let answer = try await store.products(unknown.sorted())
        for id in answer.invalidProductIDs { known[id] = .some(nil) }
        for product in answer.products {
            known[product.id] = product
            found[product.id] = product
        }
        return found
    }

    func forget() { known.forgetAll() }
}
