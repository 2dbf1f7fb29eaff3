import StoreModel

/// A recorded delivery with the signed texts that prove it.
struct KeptDelivery: Sendable {
    var record: DeliveryRecord
    /// Verified again before the row is trusted.
    var signed: SignedTransaction
    /// Nil if the product is not a consumable.
    var unit: String?
    var amount: Int64
    /// The signed text of the transaction's newest state; nil if the transaction has not changed
    /// since its sale, or was deleted.
    var revised: SignedTransaction?
    var isDeleted: Bool
    /// Whether this program wrote the delivery's state (`DeliverySeal`): void or not, and the
    /// newest revision.
    var isGenuine: Bool

    /// The distance between the negative numbers that `Device.acceptStore` gives to several lost
    /// sales with the same original number.
    static let asideStep: Int64 = 1_000_000_000_000

    /// The transaction number that the store gave the sale, also for a delivery that
    /// `Device.acceptStore` renumbered.
    var soldAs: TransactionID {
        let number = record.transactionID.number
        return TransactionID(number > 0 ? number : -(number % Self.asideStep))
    }
}
