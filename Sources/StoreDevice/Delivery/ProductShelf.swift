import StoreModel

/// What the app knows about the products it delivers, asked from the store once a revision.
actor ProductShelf {
    private let store: any Store
    private var known: [ProductID: Product?] = [:]

    init(store: any Store) { self.store = store }

    /// The products behind some transactions; what the catalog no longer has is missing.
    func products(_ ids: Set<ProductID>) async throws(StoreError) -> [ProductID: Product] {
        let unknown = ids.filter { known[$0] == nil }
        if !unknown.isEmpty {
            let answer = try await store.products(unknown.sorted())
            for id in answer.invalidProductIDs { known[id] = .some(nil) }
            for product in answer.products { known[product.id] = product }
        }
        var found: [ProductID: Product] = [:]
        for id in ids { found[id] = known[id] ?? nil }
        return found
    }

    func forget() { known = [:] }
}
