#if os(Linux)
public import Foundation
import StoreModel

/// The state of a transaction in the queue.
@nonexhaustive public enum SKPaymentTransactionState: Int, Sendable {
    /// The payment was sent; there is no answer yet.
    case purchasing = 0
    /// Sold. The app delivers, then finishes the transaction.
    case purchased
    /// Not sold; `SKPaymentTransaction.error` says why.
    case failed
    /// A past purchase that a restore brought back.
    case restored
    /// Waits for somebody's answer.
    case deferred
}

/// A transaction in StoreKit 1's queue, in one of its states.
struct QueuedTransaction: Sendable {
    /// Unique in the process.
    let number: Int
    var state = SKPaymentTransactionState.purchasing
    var payment: SKPayment
    /// Of the sale, once there is one.
    var id: TransactionID?
    /// When it was sold or restored.
    var date: Date?
    var error: SKError?
    /// Of a restored transaction: the first one of its chain.
    var original: SKPaymentTransaction?
}

// `@unchecked Sendable`: as `SKProduct`.
/// A transaction in the queue, in one of its states: an object that an observer was given does not
/// change when the transaction gets its next state. The objects of one transaction are equal.
open class SKPaymentTransaction: NSObject, @unchecked Sendable {
    private(set) var queued: QueuedTransaction?

    /// Of no payment: for the subclasses of tests.
    public override init() { super.init() }

    convenience init(_ queued: QueuedTransaction) {
        self.init()
        self.queued = queued
    }

    /// The state of the payment: waiting, or its outcome.
    open var transactionState: SKPaymentTransactionState { queued?.state ?? .purchasing }
    /// The payment that made it; of a renewal or a purchase outside the app one like it.
    open var payment: SKPayment { queued?.payment ?? SKPayment() }
    /// Why it failed; nil in every other state. An `SKError`.
    open var error: (any Error)? { queued?.error }
    /// Unique in the store; nil unless it is purchased or restored.
    open var transactionIdentifier: String? { queued?.id?.description }
    /// When it was sold or restored; nil in every other state.
    open var transactionDate: Date? { queued?.date }
    /// Of a restored transaction: the first purchase; nil in every other state.
    open var original: SKPaymentTransaction? { queued?.original }
    /// The content of a purchased or restored product, until `SKPaymentQueue.start(_:)` only named.
    open var downloads: [SKDownload] {
        queued.map { PaymentQueue.shared.downloads(of: $0) } ?? []
    }

    /// Whether the other object is of the same transaction.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? SKPaymentTransaction else { return false }
        guard let queued, let another = other.queued else { return self === other }
        return queued.number == another.number
    }

    /// Equal for the objects of one transaction.
    open override var hash: Int { queued?.number ?? ObjectIdentifier(self).hashValue }
}
#endif
