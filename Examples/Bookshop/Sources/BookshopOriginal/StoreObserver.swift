import Foundation
import StoreKit

/// Hears what becomes of every payment, with StoreKit 1. An app adds one to the queue when it starts,
/// and never removes it.
public final class StoreObserver: NSObject, ObservableObject {
    /// What was delivered since the start.
    @Published public private(set) var purchased: Set<String> = []
    /// What waits for somebody's approval.
    @Published public private(set) var deferred: Set<String> = []
    /// Why a purchase or a restore failed.
    @Published public private(set) var error: Error?
    /// The product whose purchase the customer cancelled last, which is no error.
    @Published public private(set) var cancelled: String?
    /// How many purchases the last restore brought back; nil before its end.
    @Published public private(set) var restoredCount: Int?
    /// 0 to 1, by the content's identifier.
    @Published public private(set) var progress: [String: Float] = [:]

    /// Nil for an app without content.
    private let library: ContentLibrary?
    private var restoring = 0

    public init(library: ContentLibrary? = nil) {
        self.library = library
    }

    public var isAuthorizedForPayments: Bool { SKPaymentQueue.canMakePayments() }

    public func buy(_ product: SKProduct, quantity: Int = 1) {
        let payment = SKMutablePayment(product: product)
        payment.quantity = quantity
        SKPaymentQueue.default().add(payment)
    }

    public func restore() {
        restoredCount = nil
        restoring = 0
        SKPaymentQueue.default().restoreCompletedTransactions()
    }

    private func deliver(_ transaction: SKPaymentTransaction) {
        deferred.remove(transaction.payment.productIdentifier)
        guard transaction.downloads.isEmpty else {
            // It is finished when its content is here.
            return SKPaymentQueue.default().start(transaction.downloads)
        }
        finish(transaction)
    }

    private func finish(_ transaction: SKPaymentTransaction) {
        purchased.insert(transaction.payment.productIdentifier)
        SKPaymentQueue.default().finishTransaction(transaction)
    }

    private func fail(_ transaction: SKPaymentTransaction) {
        deferred.remove(transaction.payment.productIdentifier)
        if (transaction.error as? SKError)?.code == .paymentCancelled {
            cancelled = transaction.payment.productIdentifier
        } else {
            error = transaction.error
        }
        SKPaymentQueue.default().finishTransaction(transaction)
    }
}

extension StoreObserver: SKPaymentTransactionObserver {
    public func paymentQueue(
        _ queue: SKPaymentQueue, updatedTransactions transactions: [SKPaymentTransaction]
    ) {
        for transaction in transactions {
            switch transaction.transactionState {
            case .purchasing: break
            case .deferred: deferred.insert(transaction.payment.productIdentifier)
            case .purchased: deliver(transaction)
            case .restored:
                restoring += 1
                deliver(transaction)
            case .failed: fail(transaction)
            @unknown default: break
            }
        }
    }

    public func paymentQueueRestoreCompletedTransactionsFinished(_ queue: SKPaymentQueue) {
        restoredCount = restoring
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue, restoreCompletedTransactionsFailedWithError error: Error
    ) {
        if (error as? SKError)?.code != .paymentCancelled { self.error = error }
    }

    public func paymentQueue(_ queue: SKPaymentQueue, updatedDownloads downloads: [SKDownload]) {
        for download in downloads {
            progress[download.contentIdentifier] = download.progress
            switch download.state {
            case .finished:
                do { try library?.keep(download) } catch { self.error = error }
            case .failed: error = download.error
            case .waiting, .active, .paused, .cancelled: break
            }
            let all = download.transaction.downloads
            if all.allSatisfy({ $0.state == .finished }) { finish(download.transaction) }
        }
    }

    public func paymentQueue(
        _ queue: SKPaymentQueue,
        didRevokeEntitlementsForProductIdentifiers productIdentifiers: [String]
    ) {
        purchased.subtract(productIdentifiers)
    }
}
