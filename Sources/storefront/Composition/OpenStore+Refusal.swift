import Basics
import StoreCatalog
import StoreEngine
import StoreModel

extension OpenStore {
    /// Why the store does not sell a product here; for an unknown identifier, with the most similar
    /// one that the catalog has as `expected`.
    func refusal(of id: ProductID) async throws(StoreError) -> StoreError {
        // The catalog in force may differ from the file: an operator publishes and takes off sale.
        let products = try await engine.catalogInForce().catalog.products
        let all = products.map(\.id.rawValue)
        if let product = products.first(where: { $0.id == id }),
            let reason = product.reasonNotForSale(at: now, in: session.identity.environment)
        {
            return StoreError(reason, productID: id)
        }
        if all.contains(id.rawValue) {
            let territory = try await session.settings().territory
            return StoreError(.notAvailableInStorefront, productID: id, found: territory)
        }
        return StoreError(
            .productUnavailable, productID: id,
            expected: SpellingSuggestion.nearest(to: id.rawValue, among: all))
    }
}
