package import Foundation

/// The request to buy. Its id is made before it is sent; the same id sent again is the same
/// payment and answers with what became of it.
package struct Payment: Codable, Hashable, Sendable {
    package let id: PaymentID
    package var productID: ProductID
    /// 1 … 10 (StoreKit: `SKPayment.quantity`).
    package var quantity: Int
    /// The price of one, as the person saw it. If the store's price is another by now, nothing is
    /// sold and the person is asked again.
    package var shownPrice: Money
    /// The app's own stable token for its user (StoreKit: `appAccountToken`). A name never travels.
    package var appAccountToken: UUID?

    package init(
        id: PaymentID, productID: ProductID, quantity: Int = 1, shownPrice: Money,
        appAccountToken: UUID? = nil
    ) {
        self.id = id
        self.productID = productID
        self.quantity = quantity
        self.shownPrice = shownPrice
        self.appAccountToken = appAccountToken
    }

    package static let quantities = 1...10
}

/// What became of a payment so far (StoreKit: `Product.PurchaseResult`). It ends a wait, nothing
/// more: ownership changes only by events of the feed.
package enum PurchaseOutcome: Codable, Hashable, Sendable {
    /// Sold. `alreadyOwned` when the account had it before and nothing was charged.
    case purchased(SignedTransaction, id: TransactionID, alreadyOwned: Bool)
    /// Waits for somebody's approval under this number; may still succeed or be declined.
    case pending(request: TransactionID)
    /// Nothing was charged.
    case failed(StoreError)
}

/// A payment in the device's own queue (StoreKit: a transaction in `SKPaymentQueue`), written
/// before it is sent.
package struct QueuedPayment: Codable, Hashable, Sendable {
    package enum State: String, Codable, Sendable {
        /// Written, perhaps sent; the answer is not here yet.
        case purchasing
        /// Accepted, waiting for approval.
        case deferred
        /// Never sent: the process that wrote it has ended, and it is too old or too large to be sent
        /// without asking. A person sends it, by buying with its id, or drops it.
        case held
    }

    package var payment: Payment
    package var state: State
    package var queuedAt: Timestamp
    /// The approval request's number, once deferred.
    package var request: TransactionID?

    package init(
        payment: Payment, state: State, queuedAt: Timestamp, request: TransactionID? = nil
    ) {
        self.payment = payment
        self.state = state
        self.queuedAt = queuedAt
        self.request = request
    }
}
