import StoreModel
import StoreSigning

/// A sale with a verified signature that is about to be recorded.
struct VerifiedSale: Sendable {
    var transaction: Transaction
    /// The payment to remove from the queue; nil for a renewal, a restored sale and the like.
    var payment: PaymentID?
    /// The units that one piece of the product grants, as recorded with the sale.
    var grant: Grant?
    /// Whether this device downloads and finishes it. True if it was bought or claimed here, if no
    /// device bought it, or if the store lists it as unfinished for this device. Otherwise it is
    /// only recorded.
    var isOurs: Bool
    /// Of the transaction in the signed text.
    var revision = 0
    /// The feed position at which the sale belonged to this device. A claim by another device at an
    /// earlier position does not make this delivery void.
    var asOf: Int64 = 0
    /// Whether the store lists the sale as unfinished for this device. A void delivery is then
    /// granted again.
    var isOffered = false

    var id: TransactionID { transaction.payload.transactionId }
}

/// The steps for a batch of events, worked out before the one write that records them.
struct DeliveryPlan: Sendable {
    enum Step: Sendable {
        case deliver(VerifiedSale)
        /// Publishes and logs a transaction whose text failed verification. Nothing is granted; the
        /// payment of a sale leaves the queue, because the store has sold it.
        case reject(IssuedTransaction, TransactionPayload?, VerificationError, PaymentID?)
        /// Another device claimed the transaction at this feed position.
        case void(TransactionID, claimedBy: DeviceName, at: Int64)
        /// Reverses `void`: this device has finished the transaction, so the transaction belongs to
        /// it.
        case grantAgain(TransactionID)
        /// Applies a changed transaction, and takes back the share that its text states.
        case revise(Transaction, revision: Int, RevisionKind)
        /// Holds a promoted purchase, identified by the position of its event.
        case hold(ProductID, at: FeedCursor)
        /// Publishes an event, and applies its effect on the queue or on a delivery
        /// (`DeliveryProcessor.apply`).
        case apply(StoreEvent.Change)
        /// Nothing is recorded.
        case announce(StoreEvent.Change)
    }

    var steps: [Step] = []
    /// Recorded with the steps; nil if the steps do not come from the feed.
    var cursor: FeedCursor?
    /// At the cursor.
    var mark: FeedMark?
    /// The feed position of each step's event; empty if the steps do not come from the feed.
    var positions: [Int64] = []
    /// Whether a consumable was sold without a device, so that one must claim it.
    var hasUnclaimed = false

    var sales: [VerifiedSale] {
        steps.compactMap { if case .deliver(let sale) = $0 { sale } else { nil } }
    }

    var changed: [(id: TransactionID, product: ProductID)] {
        steps.compactMap { step in
            switch step {
            case .revise(let transaction, _, _):
                (transaction.payload.transactionId, transaction.payload.productId)
            case .apply(.deleted(let id, let product, _)): (id, product)
            default: nil
            }
        }
    }

    /// Drops the cursor and keeps only steps that take back a grant (a revision, a deletion, a
    /// claim by another device), that continue one (a renewal), or that hold a promoted purchase.
    mutating func keepChanges() {
        cursor = nil
        positions = []
        steps = steps.filter { step in
            switch step {
            case .revise, .apply(.deleted), .void, .hold: true
            case .deliver(let sale): sale.transaction.payload.transactionReason == .renewal
            default: false
            }
        }
    }

    /// Whether any step may change a row of the device.
    var changesRecords: Bool {
        steps.contains {
            switch $0 {
            // The device records the clock, in order to continue it without a network.
            case .announce(.clockSet): true
            case .announce: false
            default: true
            }
        }
    }

    var changesReceipt: Bool {
        steps.contains {
            switch $0 {
            case .deliver, .void, .grantAgain, .revise, .apply(.deleted), .announce(.finished): true
            default: false
            }
        }
    }

    var changesUnlocks: Bool {
        steps.contains {
            switch $0 {
            case .deliver(let sale): sale.transaction.payload.type != .consumable
            case .revise, .apply(.deleted), .announce(.clockSet), .announce(.catalogRevised): true
            default: false
            }
        }
    }
}
