import DurableFiles
package import StoreModel

/// Promoted purchases: purchases begun outside the app (StoreKit: `PurchaseIntent`).
extension Device {
    package func promotedPurchases() async throws(StoreError) -> [PromotedPurchase] {
        try await database.read { try DeviceRecords($0).promotedPurchases() }
    }

    package func dropPromoted(_ product: ProductID) async throws(StoreError) -> Bool {
        try await database.writeTogether { try DeviceRecords($0).dropPromoted(product) }
    }
}
