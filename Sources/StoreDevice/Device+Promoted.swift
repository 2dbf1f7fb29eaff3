import DurableFiles
package import StoreModel

/// Purchases that were begun outside the app.
extension Device {
    /// The purchases begun outside the app that this device holds; see
    /// `ShopDevice.promotedPurchases`.
    package func promotedPurchases() async throws(StoreError) -> [PromotedPurchase] {
        try await database.read { try DeviceRecords($0).promotedPurchases() }
    }

    /// Forgets one; see `ShopDevice.dropPromoted`.
    package func dropPromoted(_ product: ProductID) async throws(StoreError) -> Bool {
        try await database.writeTogether { try DeviceRecords($0).dropPromoted(product) }
    }
}
