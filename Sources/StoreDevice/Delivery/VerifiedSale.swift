import StoreModel
import StoreSigning

/// A verified sale on its way into the device's records.
struct VerifiedSale: Sendable {
    var transaction: Transaction
    /// The payment it answers, where this device asked for it.
    var payment: PaymentID?
    /// What one of it grants, as the store sold it.
    var grant: Grant?
    /// Bought or claimed by this device, or left lying by another: this device downloads and
    /// finishes it. Else it is only recorded.
    var isOurs: Bool
    /// Which state of the transaction this is; a device applies each once, in any order.
    var revision = 0
    /// The place in the feed this was so at: a claim told before it takes nothing back.
    var asOf: Int64 = 0
    /// The store itself named it as waiting for this device, whatever was taken back before.
    var isOffered = false

    var id: TransactionID { transaction.payload.transactionId }
}

/// What a batch of events does to the device, worked out before the one write that does it.
struct DeliveryPlan: Sendable {
    enum Step: Sendable {
        case deliver(VerifiedSale)
        case reject(SignedTransaction, TransactionPayload?, VerificationError)
        case deferred(Payment, request: TransactionID)
        case failed(Payment, StoreError)
        case void(TransactionID, claimedBy: DeviceName, at: Int64)
        /// Taken back for a claim that was itself taken back before this device finished it.
        case grantAgain(TransactionID)
        /// The transaction has changed: what was granted is taken back so far as it says.
        case revise(Transaction, revision: Int, RevisionKind)
        /// The transaction is gone: all that was granted is taken back.
        case delete(TransactionID, product: ProductID, revision: Int)
        case announce(DeviceUpdate)
    }

    var steps: [Step] = []
    var cursor: FeedCursor?
    /// Where in the feed each step comes from; empty for what no event asked for.
    var positions: [Int64] = []

    var sales: [VerifiedSale] {
        steps.compactMap { if case .deliver(let sale) = $0 { sale } else { nil } }
    }

    /// What the store changed after its sale.
    var changed: [(id: TransactionID, product: ProductID)] {
        steps.compactMap { step in
            switch step {
            case .revise(let transaction, _, _):
                (transaction.payload.transactionId, transaction.payload.productId)
            case .delete(let id, let product, _): (id, product)
            case .deliver, .reject, .deferred, .failed, .void, .grantAgain, .announce: nil
            }
        }
    }

    /// Leaves out all but changes of transactions; how far the feed was read is not recorded then.
    mutating func keepChanges() {
        cursor = nil
        positions = []
        steps = steps.filter { step in
            switch step {
            case .revise, .delete: true
            case .deliver, .reject, .deferred, .failed, .void, .grantAgain, .announce: false
            }
        }
    }

    /// Whether any row of the device changes.
    var changesRecords: Bool {
        steps.contains {
            switch $0 {
            case .deliver, .deferred, .failed, .void, .grantAgain, .revise, .delete: true
            case .reject, .announce: false
            }
        }
    }
}
