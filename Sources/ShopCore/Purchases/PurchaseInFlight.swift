package import StoreModel

/// A payment under way.
package struct PurchaseInFlight: Hashable, Sendable {
    /// Its id, made before anything was sent.
    package var payment: PaymentID
    /// Whether it changes a plan later and charges nothing now: then no sale is announced.
    var isLater = false
    /// The transaction, once the store has answered that it is sold. The wait ends when it arrives.
    var soldAs: TransactionID?
}
