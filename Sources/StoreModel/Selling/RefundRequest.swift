/// A customer's request for a refund that waits for the operator's answer (StoreKit:
/// `Transaction.beginRefundRequest`). A transaction has at most one that waits.
package struct RefundRequest: Codable, Hashable, Sendable {
    /// The transaction the money is asked back for.
    package var transactionID: TransactionID
    /// The account it was sold to.
    package var account: AccountName
    /// The device the request came from.
    package var device: DeviceName
    /// The product that was sold.
    package var productID: ProductID
    /// Why, as the customer chose.
    package var reason: RefundReason
    /// When it was recorded, in store time.
    package var askedAt: Timestamp

    /// Memberwise: the values are not checked.
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

/// Why a customer asks for a refund: what the App Store's refund sheet offers.
package enum RefundReason: String, Codable, Hashable, Sendable, CaseIterable {
    /// It was not meant to be bought.
    case unintended
    /// It did not work, or did not arrive.
    case broken
    /// It is not what was expected.
    case unsatisfied
    /// Any other reason.
    case other
}
