import Basics
import StoreModel

/// The products that the device delivers, as the store last described them. The observer empties
/// the cache when the catalog or the account changes.
final class ProductCache: Sendable {
    private let store: any Store
    /// A nil value means that the store has no such product.
    private let known = Memo<ProductID, Product?>(limit: DeviceLimits.cachedProductsMax)

    init(store: any Store) { self.store = store }

    /// The products with these identifiers, from the cache or else from the store. Those that the
    /// catalog does not have are left out.
    func products(_ ids: Set<ProductID>) async throws(StoreError) -> [ProductID: Product] {
        var found: [ProductID: Product] = [:]
        var unknown: [ProductID] = []
        for id in ids {
            if let answer = known[id] { found[id] = answer } else { unknown.append(id) }
        }
        guard !unknown.isEmpty else { return found }
        let answer = try await store.products(unknown.sorted())
        // A product that is not for sale now may be by a date, without a new catalog.
        if answer.changesAt == nil {
            for id in answer.invalidProductIDs { known[id] = .some(nil) }
        }
        for product in answer.products {
            // A product with issues is not kept: each new issue changes it for its subscribers.
            if product.issues == nil { known[product.id] = product }
            found[product.id] = product
        }
        return found
    }

    func forget() { known.forgetAll() }
}
