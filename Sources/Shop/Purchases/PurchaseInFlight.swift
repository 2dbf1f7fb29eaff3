package import StoreModel

/// A payment under way in the shop. It ends when its sale has arrived, or with an outcome after
/// which no sale follows.
package struct PurchaseInFlight: Hashable, Sendable {
    /// The state machine fed with the store's answer and the observer's updates.
    package var progress: PurchaseProgress
    /// Whether the payment only changes a plan at a later date and charges nothing now: then no
    /// sale is announced.
    var isLater = false

    /// A payment that was just sent and has no answer yet.
    package init(payment: PaymentID, isLater: Bool = false) {
        progress = PurchaseProgress(payment, waitingFor: .arrival)
        self.isLater = isLater
    }

    /// The payment's id. The client makes it before the payment is sent.
    package var payment: PaymentID { progress.payment }
}
