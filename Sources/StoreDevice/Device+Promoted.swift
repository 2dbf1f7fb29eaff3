import DurableFiles
package import StoreModel

/// Promoted purchases: purchases begun outside the app (StoreKit: `PurchaseIntent`).
extension Device {
    /// The promoted purchases that this device holds; see `ShopDevice.promotedPurchases`.
    package func promotedPurchases() async throws(StoreError) -> [PromotedPurchase] {
        try await database.read { try DeviceRecords($0).promotedPurchases() }
    }

    /// Forgets the promoted purchase of a product; see `ShopDevice.dropPromoted`.
    package func dropPromoted(_ product: ProductID) async throws(StoreError) -> Bool {
        try await database.writeTogether { try DeviceRecords($0).dropPromoted(product) }
    }
}
