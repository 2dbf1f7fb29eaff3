/// A customer's request for a refund that waits for the operator's answer (StoreKit:
/// `Transaction.beginRefundRequest`). A transaction has at most one that waits.
package struct RefundRequest: Codable, Hashable, Sendable {
    package var transactionID: TransactionID
    package var account: AccountName
    package var device: DeviceName
    package var productID: ProductID
    /// The sale's, all of which is asked for; nil for one.
    package var quantity: Int?
    package var reason: RefundReason
    /// In store time.
    package var askedAt: Timestamp
    /// What the app's backend has said since. In answers to a person; nil in the store's records,
    /// and while it has said nothing.
    package var consumption: ConsumptionAnswer?

    package init(
        transactionID: TransactionID, account: AccountName, device: DeviceName,
        productID: ProductID, quantity: Int = 1, reason: RefundReason, askedAt: Timestamp
    ) {
        self.transactionID = transactionID
        self.account = account
        self.device = device
        self.productID = productID
        self.quantity = quantity > 1 ? quantity : nil
        self.reason = reason
        self.askedAt = askedAt
    }
}

extension HistoryFilter {
    /// The events that tell whether a refund waits for an answer.
    package static let refunds = HistoryFilter(
        kinds: [.refundRequested, .refundDeclined, .refunded, .revoked, .deleted])
}

extension HistoryPage {
    /// The transactions whose refund was asked for and not answered yet, according to a page of
    /// `HistoryFilter.refunds`. One that was asked for longer ago than the page reaches is missing.
    package var refundsAsked: Set<TransactionID> {
        var asked: Set<TransactionID> = []
        var answered: Set<TransactionID> = []
        for event in events {
            guard let id = event.transactionID, !answered.contains(id) else { continue }
            if event.kind == .refundRequested { asked.insert(id) }
            answered.insert(id)
        }
        return asked
    }

    /// How many events to read for `refundsAsked`.
    package static let refundEventsMax = 200
}

/// The reasons for a refund that the App Store's refund sheet offers.
package enum RefundReason: String, Codable, Hashable, Sendable, CaseIterable {
    case unintended
    /// The product did not work, or did not arrive.
    case broken
    case unsatisfied
    case other
}
