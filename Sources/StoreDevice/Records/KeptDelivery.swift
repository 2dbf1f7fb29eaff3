import StoreModel

/// A delivery with what proves it.
struct KeptDelivery: Sendable {
    var record: DeliveryRecord
    /// As it arrived; to be verified again before anything is believed of the rest.
    var signed: SignedTransaction
    /// What it added to which purse.
    var unit: String?
    var amount: Int64
    /// The newest state of its transaction as it arrived; nil while it is as it was sold, and for one
    /// that was deleted.
    var revised: SignedTransaction?
    var isDeleted: Bool

    /// Between the numbers of sales that had one number and were set aside one after the other.
    static let asideStep: Int64 = 1_000_000_000_000

    /// The number the sale had, also when it was set aside as one the store does not know any more.
    var soldAs: TransactionID {
        let number = record.transactionID.number
        return TransactionID(number > 0 ? number : -number % Self.asideStep)
    }
}
