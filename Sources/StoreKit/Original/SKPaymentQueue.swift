#if os(Linux)
public import Foundation
import StoreModel
import Synchronization

// `@unchecked Sendable`: it has no stored property; only a subclass could add one.
/// StoreKit 1's queue of payments and their transactions. A process has one; every object of this
/// class acts on it. It follows the store of the process: also where a task is bound to a test's
/// session, a payment is made in the process's store.
open class SKPaymentQueue: NSObject, @unchecked Sendable {
    static let shared = SKPaymentQueue()
    private var queue: PaymentQueue { .shared }

    /// Acts on the same queue as every other one.
    public override init() { super.init() }

    /// The one queue of the process.
    open class func `default`() -> Self { unsafeDowncast(shared, to: self) }

    /// Whether the account may make payments.
    open class func canMakePayments() -> Bool { AppStore.canMakePayments }

    /// Decides about payments that are under way. Not owned.
    open var delegate: (any SKPaymentQueueDelegate)? {
        get { queue.state.withLock { $0.delegate }?.object as? any SKPaymentQueueDelegate }
        set {
            let chosen = newValue.map { AppObject($0) }
            queue.state.withLock { $0.delegate = chosen }
        }
    }

    /// The account's territory; nil while no store is open.
    open var storefront: SKStorefront? {
        guard let session = queue.state.withLock({ $0.session }) else { return nil }
        let storefront = try? Blocking.run { await Storefront.current(of: session) }
        return storefront.map { SKStorefront($0) }
    }

    /// The transactions that are not finished, oldest first.
    open var transactions: [SKPaymentTransaction] { queue.state.withLock { $0.transactions } }

    /// The observers that still exist, in the order in which they were added.
    open var transactionObservers: [any SKPaymentTransactionObserver] { queue.observers }

    /// Begins a purchase. Its transaction is in the queue at once, as *purchasing*.
    open func add(_ payment: SKPayment) { queue.add(payment) }

    /// Adds an observer, which is not owned. It first hears of the transactions in the queue.
    open func add(_ observer: any SKPaymentTransactionObserver) { queue.add(observer) }

    /// Removes an observer, which hears nothing any more.
    open func remove(_ observer: any SKPaymentTransactionObserver) { queue.remove(observer) }

    /// Finishes a transaction, which leaves the queue. The store has recorded it when this returns.
    /// Traps for a transaction that is *purchasing*, as Apple's does.
    open func finishTransaction(_ transaction: SKPaymentTransaction) { queue.finish(transaction) }

    /// Adds the account's past purchases to the queue, without consumables. Observers hear the end.
    open func restoreCompletedTransactions() { queue.restore() }

    /// As `restoreCompletedTransactions()`: the store does not know the names of an app's users.
    open func restoreCompletedTransactions(withApplicationUsername username: String?) {
        queue.restore()
    }

    /// Begins to download content.
    open func start(_ downloads: [SKDownload]) { queue.perform(.resumeDownloads, on: downloads) }

    /// Stops downloads until `resume(_:)`. Nothing that has arrived is lost.
    open func pause(_ downloads: [SKDownload]) { queue.perform(.pauseDownloads, on: downloads) }

    /// Continues downloads where they stopped.
    open func resume(_ downloads: [SKDownload]) { queue.perform(.resumeDownloads, on: downloads) }

    /// Gives downloads up and removes what has arrived.
    open func cancel(_ downloads: [SKDownload]) { queue.perform(.cancelDownloads, on: downloads) }

    /// Does nothing: there is no sheet here.
    open func showPriceConsentIfNeeded() {}

    /// Does nothing: there is no sheet here.
    open func presentCodeRedemptionSheet() {}
}

// `@unchecked Sendable`: as `SKProduct`.
/// A territory of the App Store.
open class SKStorefront: NSObject, @unchecked Sendable {
    private var model: Storefront?

    /// Of no territory: for the subclasses of tests.
    public override init() { super.init() }

    convenience init(_ model: Storefront) {
        self.init()
        self.model = model
    }

    /// ISO 3166-1 alpha-3.
    open var countryCode: String { model?.countryCode ?? "" }
    /// Apple's number of the territory.
    open var identifier: String { model?.id ?? "" }
}
#endif
