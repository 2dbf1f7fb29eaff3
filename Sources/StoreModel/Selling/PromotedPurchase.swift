/// A purchase that the customer began outside the app and that a device holds until it is continued
/// or dropped (StoreKit: `PurchaseIntent`; StoreKit 1: a payment that `shouldAddStorePayment` holds
/// back).
package struct PromotedPurchase: Codable, Hashable, Sendable {
    /// A device holds at most one purchase of a product.
    package var productID: ProductID
    /// When this device received the event, in store time.
    package var begunAt: Timestamp

    package init(productID: ProductID, begunAt: Timestamp) {
        self.productID = productID
        self.begunAt = begunAt
    }
}
