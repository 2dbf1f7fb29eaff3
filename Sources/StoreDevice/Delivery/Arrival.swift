import StoreModel
import StoreSigning

/// A verified sale on its way into the device's records.
struct Arrival: Sendable {
    var transaction: Transaction
    /// The payment it answers, where this device asked for it.
    var payment: PaymentID?
    /// Bought or claimed by this device, or left lying by another: this device downloads and
    /// finishes it. Else it is only recorded.
    var isOurs: Bool

    var id: TransactionID { transaction.payload.transactionId }
}

/// What a batch of events does to the device, worked out before the one write that does it.
struct DeliveryPlan: Sendable {
    enum Step: Sendable {
        case deliver(Arrival)
        case reject(SignedTransaction, TransactionPayload?, VerificationError)
        case deferred(Payment, request: TransactionID)
        case failed(Payment, StoreError)
        case void(TransactionID, claimedBy: DeviceName)
        case tell(DeviceUpdate)
    }

    var steps: [Step] = []
    var cursor: FeedCursor?

    var arrivals: [Arrival] {
        steps.compactMap { if case .deliver(let arrival) = $0 { arrival } else { nil } }
    }

    /// Whether any row of the device changes.
    var changesRecords: Bool {
        steps.contains {
            switch $0 {
            case .deliver, .deferred, .failed, .void: true
            case .reject, .tell: false
            }
        }
    }
}
