import Basics
import StoreModel

/// A cache of the products that the device delivers, as the store last described them. The observer
/// empties it when the catalog or the account changes.
final class ProductCache: Sendable {
    private let store: any Store
    /// A nil value means that the store has no such product.
    private let known = Memo<ProductID, Product?>(limit: DeviceLimits.cachedProductsMax)

    init(store: any Store) { self.store = store }

    /// From the cache or from the store. Identifiers that the catalog does not have are left out.
    func products(_ ids: Set<ProductID>) async throws(StoreError) -> [ProductID: Product] {
        var found: [ProductID: Product] = [:]
        var unknown: [ProductID] = []
        for id in ids {
            if let answer = known[id] { found[id] = answer } else { unknown.append(id) }
        }
        guard !unknown.isEmpty else { return found }
        let answer = try await store.products(unknown.sorted())
        // Products may come on sale at a date without a new catalog (`changesAt`). Then the missing
        // ones are not cached.
        if answer.changesAt == nil {
            for id in answer.invalidProductIDs { known[id] = .some(nil) }
        }
        for product in answer.products {
            // A product with issues is not cached: its description changes for each subscriber with
            // every new issue.
            if product.issues == nil { known[product.id] = product }
            found[product.id] = product
        }
        return found
    }

    func forget() { known.forgetAll() }
}
