package import StoreModel

/// A payment under way in the shop, until its sale has arrived or its outcome needs no wait.
package struct PurchaseInFlight: Hashable, Sendable {
    /// Joins the store's answer and the observer's updates.
    package var progress: PurchaseProgress
    /// Whether it changes a plan later and charges nothing now: then no sale is announced.
    var isLater = false

    /// A payment that was just sent: nothing is known about it yet.
    package init(payment: PaymentID, isLater: Bool = false) {
        progress = PurchaseProgress(payment, waitingFor: .arrival)
        self.isLater = isLater
    }

    /// The payment's id, made before anything was sent.
    package var payment: PaymentID { progress.payment }
}
