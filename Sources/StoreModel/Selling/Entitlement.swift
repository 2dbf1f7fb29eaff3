/// An account's right to use a product at one instant (StoreKit:
/// `Transaction.currentEntitlements`). Always computed from transactions and that instant; no flag
/// such as "is premium" is stored. Consumables are never entitlements.
package struct Entitlement: Codable, Hashable, Sendable {
    /// Signed for the asking device.
    package var transaction: SignedTransaction
    package var transactionID: TransactionID
    package var productID: ProductID
    /// At the sale.
    package var type: ProductType
    /// When access ends. Nil for purchases without an end, and for non-renewing subscriptions,
    /// whose end the app computes itself.
    package var until: Timestamp?
    /// Whether the subscription renews at `until`; nil for other products, and for a free
    /// subscription, which never ends. A family share renews if its owner's subscription does.
    package var renews: Bool?
    /// Proves the entitlement in the grace period of a failed payment, when the transaction's
    /// `expiresDate` has passed. Signed for the asking device; nil otherwise.
    package var renewalInfo: SignedRenewalInfo?

    package init(
        transaction: SignedTransaction, transactionID: TransactionID, productID: ProductID,
        type: ProductType, until: Timestamp? = nil, renews: Bool? = nil,
        renewalInfo: SignedRenewalInfo? = nil
    ) {
        self.transaction = transaction
        self.transactionID = transactionID
        self.productID = productID
        self.type = type
        self.until = until
        self.renews = renews
        self.renewalInfo = renewalInfo
    }
}
