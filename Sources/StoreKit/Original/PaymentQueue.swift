#if os(Linux)
import Dispatch
import Foundation
import StoreDevice
import StoreModel
import Synchronization

/// The state behind every `SKPaymentQueue`: the transactions of the process's present store, and
/// the observers, which are called on the main queue in the order in which things happened.
/// The feed of the session changes it before it tells anybody else, so that whoever has waited for the
/// feed finds the transactions here. Safe from any thread.
final class PaymentQueue: Sendable {
    static let shared = PaymentQueue()

    let state = Mutex(PaymentQueueState())

    // MARK: - Observers

    var observers: [any SKPaymentTransactionObserver] {
        state.withLock { $0.observers }.compactMap {
            $0.object as? any SKPaymentTransactionObserver
        }
    }

    func add(_ observer: any SKPaymentTransactionObserver) {
        let added = AppObject(observer)
        state.withLock { state in
            state.observers.removeAll { $0.object == nil }
            guard !state.observers.contains(where: { $0.object === added.object }) else { return }
            state.observers.append(added)
            report(updated: state.transactions, to: [added])
            askAboutPromoted(&state)
        }
        // Its unfinished transactions come when the store is open.
        guard state.withLock({ $0.session == nil }) else { return }
        Task.detached { _ = try? await AppStoreProcess.current() }
    }

    func remove(_ observer: any SKPaymentTransactionObserver) {
        let removed = AppObject(observer)
        state.withLock { state in
            state.observers.removeAll { $0.object == nil || $0.object === removed.object }
        }
    }

    /// Calls observers on the main queue, without those that were removed meanwhile. Under the lock
    /// of `state`, so that they are called in the order of the changes.
    func tell(
        _ observers: [AppObject],
        _ call: @escaping @Sendable (any SKPaymentTransactionObserver, SKPaymentQueue) -> Void
    ) {
        guard !observers.isEmpty else { return }
        DispatchQueue.main.async {
            for reference in observers {
                guard let observer = reference.object as? any SKPaymentTransactionObserver,
                    self.state.withLock({ $0.observers.contains { $0 === reference } })
                else { continue }
                call(observer, .shared)
            }
        }
    }

    func report(updated transactions: [SKPaymentTransaction], to observers: [AppObject]) {
        guard !transactions.isEmpty else { return }
        tell(observers) { $0.paymentQueue($1, updatedTransactions: transactions) }
    }

    func report(removed transactions: [SKPaymentTransaction], to observers: [AppObject]) {
        guard !transactions.isEmpty else { return }
        tell(observers) { $0.paymentQueue($1, removedTransactions: transactions) }
    }

    // MARK: - The app's calls

    func finish(_ transaction: SKPaymentTransaction) {
        let number = transaction.queued?.number
        let present = number.flatMap { number in
            state.withLock { $0.entries[number]?.transaction.transactionState }
        }
        // An object that was purchasing once may be of a transaction that has left the queue.
        if (number == nil ? transaction.transactionState : present) == .purchasing {
            // A mistake of the app's, at which Apple's queue throws an exception, too.
            fatalError(
                "SKPaymentQueue.finishTransaction(_:) was called for a transaction of "
                    + "'\(transaction.payment.productIdentifier)' that is still purchasing. Finish "
                    + "only transactions that are purchased, failed or restored.")
        }
        guard let number else { return }
        let (sale, session) = state.withLock { state -> (TransactionID?, AppStoreSession?) in
            guard let removed = state.remove(number) else { return (nil, nil) }
            report(removed: [removed], to: state.observers)
            let isSale = removed.transactionState == .purchased
            return (isSale ? removed.queued?.id : nil, state.session)
        }
        guard let sale, let session else { return }
        // Refused, it is unfinished at the next launch, too.
        try? Blocking.run {
            _ = try await session.device.finish(sale)
            await session.catchUp()
        }
    }

    func restore() {
        Task.detached {
            do {
                let session = try await AppStoreProcess.current()
                let summary = try await session.device.restore()
                await session.catchUp()
                let now = session.now.date
                let purchases = (summary.restored + summary.alreadyHere)
                    .sorted { $0.transactionId > $1.transactionId }
                try self.state.withLock { state in
                    // The process has another store now.
                    guard state.session === session else { throw SKError(.unknown) }
                    self.report(
                        updated: purchases.map { state.restore($0, at: now) }, to: state.observers)
                    self.tell(state.observers) {
                        $0.paymentQueueRestoreCompletedTransactionsFinished($1)
                    }
                }
            } catch {
                let failure = SKError(failure: error)
                self.state.withLock { state in
                    self.tell(state.observers) {
                        $0.paymentQueue($1, restoreCompletedTransactionsFailedWithError: failure)
                    }
                }
            }
        }
    }

    // MARK: - What the store tells

    /// Shows the transactions of another session, or of none, in place of those shown so far.
    /// Called where the process changes its store, before any update of the new one.
    func begin(with session: AppStoreSession?) {
        let unfinished = (session?.board.unfinished ?? [:]).sorted { $0.key < $1.key }
        state.withLock { state in
            if let session, state.session === session { return }
            report(updated: state.begin(with: session), to: state.observers)
            report(
                updated: unfinished.flatMap { _, told -> [SKPaymentTransaction] in
                    guard case .unfinished(let transaction) = told.update else { return [] }
                    return state.sell(transaction.payload, answering: nil)
                }, to: state.observers)
            askAboutPromoted(&state)
        }
    }

    func receive(_ update: AppUpdate) {
        state.withLock { state in
            switch update {
            case .unfinished(let transaction):
                report(
                    updated: state.sell(transaction.payload, answering: nil), to: state.observers)
            case .event(let event, let transaction, _):
                receive(event.change, transaction?.payload, at: event.at.date, &state)
            }
        }
    }

    private func receive(
        _ change: StoreEvent.Change, _ payload: TransactionPayload?, at date: Date,
        _ state: inout PaymentQueueState
    ) {
        switch change {
        case .sold(let sale):
            // Nil for a consumable that another device is to deliver.
            guard let payload else { return }
            report(updated: state.sell(payload, answering: sale.payment), to: state.observers)
        case .subscriptionChanged(let change):
            if let answer = change.answers {
                report(
                    updated: state.settle(
                        answer.transaction, at: date, answering: answer.paymentID,
                        request: answer.request), to: state.observers)
            }
            guard change.kind == .priceIncreaseAsked, let delegate = state.delegate else { return }
            DispatchQueue.main.async {
                _ = (delegate.object as? any SKPaymentQueueDelegate)?
                    .paymentQueueShouldShowPriceConsent(.shared)
            }
        case .deferred(let payment, let request, let reason):
            guard let number = state.purchasing[payment.id] else { return }
            report(updated: state.hold(number, as: request, reason), to: state.observers)
        case .failed(_, let error, let request?):
            report(updated: state.fail(waitingAs: request, error), to: state.observers)
        case .finished(let id), .deleted(let id, _, _):
            report(removed: state.remove(soldAs: id), to: state.observers)
        case .revised(let revision):
            guard revision.kind == .refunded || revision.kind == .revoked,
                payload?.takenBack == .all
            else { return }
            let product = revision.productID.rawValue
            tell(state.observers) {
                $0.paymentQueue($1, didRevokeEntitlementsForProductIdentifiers: [product])
            }
        case .promoted(let product):
            state.promoted.append(product)
            askAboutPromoted(&state)
        case .accountChanged(let settings):
            guard state.territory != settings.territory else { return }
            state.territory = settings.territory
            tell(state.observers) { $0.paymentQueueDidChangeStorefront($1) }
        default: break
        }
    }

    private func askAboutPromoted(_ state: inout PaymentQueueState) {
        guard state.observers.contains(where: { $0.object != nil }) else { return }
        for product in state.promoted { ask(about: product) }
        state.promoted = []
    }

    /// Asks the observers whether to add a payment for a purchase begun outside the app.
    private func ask(about product: ProductID) {
        Task.detached {
            guard let session = self.state.withLock({ $0.session }),
                let found = try? await session.device.products([product]).value.products.first
            else { return }
            session.intents.remove(product)
            await session.dropPromoted(product)
            DispatchQueue.main.async {
                let product = SKProduct(found)
                let payment = SKPayment(product: product)
                let isWanted = self.observers.contains {
                    $0.paymentQueue(.shared, shouldAddStorePayment: payment, for: product)
                }
                if isWanted { self.add(payment) }
            }
        }
    }
}

extension AppStoreSession {
    /// Empties StoreKit 1's queue of this session: failed and restored ones are in no store.
    package func clearPaymentQueue() {
        let queue = PaymentQueue.shared
        queue.state.withLock { state in
            guard state.session === self else { return }
            queue.report(removed: state.removeAll(), to: state.observers)
        }
    }
}

extension VerificationResult<Transaction> {
    /// StoreKit 1 does not verify transactions: apps verify the receipt.
    fileprivate var payload: TransactionPayload { unsafePayloadValue.payload }
}
#endif
