/// A customer's request for a refund that waits for the operator's answer (StoreKit:
/// `Transaction.beginRefundRequest`). A transaction has at most one that waits.
package struct RefundRequest: Codable, Hashable, Sendable {
    package var transactionID: TransactionID
    package var account: AccountName
    package var device: DeviceName
    package var productID: ProductID
    package var reason: RefundReason
    /// In store time.
    package var askedAt: Timestamp

    package init(
        transactionID: TransactionID, account: AccountName, device: DeviceName,
        productID: ProductID, reason: RefundReason, askedAt: Timestamp
    ) {
        self.transactionID = transactionID
        self.account = account
        self.device = device
        self.productID = productID
        self.reason = reason
        self.askedAt = askedAt
    }
}

/// The reasons for a refund that the App Store's refund sheet offers.
package enum RefundReason: String, Codable, Hashable, Sendable, CaseIterable {
    case unintended
    /// The product did not work, or did not arrive.
    case broken
    case unsatisfied
    case other
}
