import StoreModel
import Synchronization

/// What the app knows about the products it delivers, asked from the store once a revision.
final class ProductShelf: Sendable {
    private let store: any Store
    /// Nil inside: the store was asked and has no such product.
    private let known = Mutex<[ProductID: Product?]>([:])

    init(store: any Store) { self.store = store }

    /// The products behind some transactions; what the catalog no longer has is missing.
    func products(_ ids: Set<ProductID>) async throws(StoreError) -> [ProductID: Product] {
        let unknown = known.withLock { known in ids.filter { known[$0] == nil } }
        if !unknown.isEmpty {
            let answer = try await store.products(unknown.sorted())
            known.withLock { known in
                for id in answer.invalidProductIDs { known[id] = .some(nil) }
                for product in answer.products { known[product.id] = product }
            }
        }
        return known.withLock { known in
            var found: [ProductID: Product] = [:]
            for id in ids { found[id] = known[id] ?? nil }
            return found
        }
    }

    func forget() { known.withLock { $0 = [:] } }
}
