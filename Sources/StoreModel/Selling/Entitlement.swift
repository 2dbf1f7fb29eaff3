/// What an account may use at one instant (StoreKit: `Transaction.currentEntitlements`). Always
/// derived from transactions with the instant passed in; nobody stores "is premium". Consumables
/// are never entitlements.
package struct Entitlement: Codable, Hashable, Sendable {
    package var transaction: SignedTransaction
    package var transactionID: TransactionID
    package var productID: ProductID
    package var type: ProductType
    /// Access ends here; nil for what was bought for good, and for non-renewing subscriptions,
    /// whose end the app reckons itself.
    package var until: Timestamp?
    /// Whether it renews at `until` by itself; nil for what is no auto-renewable subscription, and for
    /// a free one, which never ends.
    package var renews: Bool?

    package init(
        transaction: SignedTransaction, transactionID: TransactionID, productID: ProductID,
        type: ProductType, until: Timestamp? = nil, renews: Bool? = nil
    ) {
        self.transaction = transaction
        self.transactionID = transactionID
        self.productID = productID
        self.type = type
        self.until = until
        self.renews = renews
    }
}
