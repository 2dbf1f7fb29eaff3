#if os(Linux)
import Dispatch
import StoreDevice
import StoreModel
import Synchronization

extension PaymentQueue {
    /// Adds a transaction for a payment, and sends the payment to the process's store.
    func add(_ payment: SKPayment) {
        let payment = payment.frozen
        let number = state.withLock { state in
            let number = state.add(payment)
            let added = state.entries[number].map { [$0.transaction] }
            report(updated: added ?? [], to: state.observers)
            return number
        }
        Task.detached {
            do { try await self.buy(payment, as: number) } catch {
                let failure = SKError(failure: error)
                self.change { $0.isPurchasing(number) ? $0.fail(number, failure) : [] }
            }
        }
    }

    /// Changes the queue and tells the observers.
    private func change(_ body: @Sendable (inout PaymentQueueState) -> [SKPaymentTransaction]) {
        state.withLock { state in
            let changed = body(&state)
            report(updated: changed, to: state.observers)
        }
    }

    private func buy(_ payment: SKPayment, as number: Int) async throws {
        let session = try await AppStoreProcess.current()
        state.withLock { $0.entries[number]?.session = ObjectIdentifier(session) }
        guard payment.requestData == nil else {
            return change { $0.fail(number, SKError(.unauthorizedRequestData)) }
        }
        let id = ProductID(payment.productIdentifier)
        var product = payment.shownProduct
        if product == nil { product = try await session.device.products([id]).value.products.first }
        guard let product else { throw StoreError(.productUnavailable, productID: id) }
        let purchase = AppPurchase(payment, of: product)
        guard await mayContinue(number, purchase, in: session) else {
            throw StoreError(.productUnavailable, productID: id)
        }
        guard await PurchaseConfirmation.allows(purchase, in: session) else {
            // It is cancelled, whether the store can note that or not.
            try? await session.store.noteCancelledPurchase(of: id)
            throw StoreError(.userCancelled, productID: id)
        }
        let outcome = try await session.outcome(of: purchase) { payment in
            self.state.withLock { $0.send(payment, of: number) }
        }
        if case .failed(let error) = outcome { throw error }
        // The feed changes the queue in the order of the events; what follows is for a feed that
        // cannot be read now, and for an outcome without an event.
        await session.catchUp()
        switch outcome {
        case .purchased(let signed, let id, let alreadyOwned):
            let sale = await session.device.verified(signed)?.unsafePayloadValue
            let date = sale?.purchaseDate ?? session.now.date
            change { $0.show(number, soldAs: id, at: date, hasEvent: !alreadyOwned) }
        case .pending(let request, let reason): change { $0.hold(number, as: request, reason) }
        case .failed: break
        }
    }

    /// Asks the delegate, if the account buys in another territory since the product was loaded.
    private func mayContinue(
        _ number: Int, _ purchase: AppPurchase, in session: AppStoreSession
    ) async -> Bool {
        let (delegate, transaction) = state.withLock { state in
            (state.delegate, state.entries[number]?.transaction)
        }
        guard let delegate, let transaction,
            let storefront = await PurchaseConfirmation.changedStorefront(
                for: purchase, in: session)
        else { return true }
        return await withCheckedContinuation { answer in
            DispatchQueue.main.async {
                let delegate = delegate.object as? any SKPaymentQueueDelegate
                let mayContinue = delegate?.paymentQueue(
                    .shared, shouldContinue: transaction, in: SKStorefront(storefront))
                answer.resume(returning: mayContinue ?? true)
            }
        }
    }
}
#endif
