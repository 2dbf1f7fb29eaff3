package import StoreModel

/// A payment under way in the shop. It ends when its sale has arrived, or with an outcome after
/// which no sale follows.
package struct PurchaseInFlight: Hashable, Sendable {
    package var progress: PurchaseProgress
    /// The payment changes a plan later and charges nothing now: then no sale is announced.
    var isLater = false

    /// A payment that was just sent and has no answer yet.
    package init(payment: PaymentID, isLater: Bool = false) {
        progress = PurchaseProgress(payment, waitingFor: .arrival)
        self.isLater = isLater
    }

    /// The client makes it before the payment is sent.
    package var payment: PaymentID { progress.payment }
}
