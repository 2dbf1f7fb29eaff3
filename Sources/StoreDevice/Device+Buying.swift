import DurableFiles
package import StoreModel

extension Device {
    /// See `ShopDevice.buy`. Idempotent by payment id.
    package func buy(_ payment: Payment) async throws(StoreError) -> PurchaseOutcome {
        let queued = QueuedPayment(payment: payment, state: .purchasing, queuedAt: clock.now())
        ownership.hold(payment.id)
        defer { ownership.release(payment.id) }
        try await refuseSignedOut(payment)
        try await refuseWithoutNetwork(payment)
        // Before anything is written or announced.
        if let mistake = Payment.mistake(inQuantity: payment.quantity, of: payment.productID) {
            throw mistake.about(payment)
        }
        let wasQueued = try await retryingUnknownOutcome(payment) { () async throws(StoreError) in
            try await database.writeTogether { db in
                let records = DeviceRecords(db)
                let wasQueued = try records.isQueued(payment.id)
                try records.enqueue(queued)
                if !wasQueued { try records.announce([.purchasing(payment)]) }
                return wasQueued
            }
        }
        if !wasQueued { await observer.publishAnnouncements() }
        let outcome: PurchaseOutcome
        do throws(StoreError) {
            outcome = try await retryingUnknownOutcome(payment) { () async throws(StoreError) in
                try await store.purchase(payment)
            }
        } catch  where error.code == .outcomeUnknown {
            // The store may have sold it. The payment stays queued; the device asks the store for
            // its outcome when the network is back, or at the next launch at the latest.
            if networkSwitch.isOff { await knowledge.keepContact() }
            throw error
        } catch  where error.isNetworkOff && wasQueued {
            // An earlier call may have sent the payment. The device asks for its outcome when the
            // network is back.
            throw StoreError.answerLost.about(payment)
        } catch {
            // The store recorded nothing for a refused payment, so the queue need not keep it.
            try await forget(payment, refusedWith: error)
            throw error
        }
        // The store's outcome is final even if this device cannot record it now. The payment then
        // stays queued, and is safe to send again: its id makes it idempotent.
        try? await observer.complete(payment, outcome)
        return outcome
    }

    /// Throws before anything is written if no account is signed in, or if this device owns the
    /// product by a purchase that the store has lost. A payment that is in the queue already
    /// passes: the store may know its outcome.
    func refuseSignedOut(_ payment: Payment) async throws(StoreError) {
        let (isSignedIn, isQueued, isSetAside) = try await database.read { db in
            let records = DeviceRecords(db)
            return (
                try records.isSignedIn, try records.isQueued(payment.id),
                try records.isSetAside(payment.productID)
            )
        }
        if isSetAside && !isQueued { try await refuseOwned(payment.productID) }
        if !isSignedIn && !isQueued {
            do throws(StoreError) { try await refuseSignedOut() } catch {
                throw error.about(payment)
            }
        }
    }

    /// Throws `alreadyOwned` if this device owns a product by a purchase that the store has lost:
    /// the store would charge for it a second time.
    private func refuseOwned(_ product: ProductID) async throws(StoreError) {
        let owned = try await keeper.latestDeliveries().first {
            $0.productID == product && $0.transactionID.number < 0
        }
        if let owned {
            throw StoreError(
                .alreadyOwned, productID: product, transactionID: owned.transactionID)
        }
    }

    /// Throws before anything is written if the device has no network.
    func refuseWithoutNetwork(_ payment: Payment) async throws(StoreError) {
        guard let obstacle = networkSwitch.obstacle(on: device) else { return }
        let isQueued = try await database.read { try DeviceRecords($0).isQueued(payment.id) }
        throw (isQueued ? StoreError.answerLost : obstacle).about(payment)
    }

    /// Runs `work`, and runs it once more if it throws `outcomeUnknown`: a second run that succeeds
    /// proves that the work is recorded. `work` must be idempotent.
    ///
    /// - Throws: `outcomeUnknown` with the payment's id if the second run fails too.
    private func retryingUnknownOutcome<Value>(
        _ payment: Payment, _ work: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        do throws(StoreError) { return try await work() } catch  where error.code == .outcomeUnknown
        {
            // A second failure of any kind does not prove that the first run recorded nothing.
            if let value = try? await work() { return value }
            throw error.about(payment)
        }
    }

    /// Removes a refused payment from the queue.
    ///
    /// - Throws: `outcomeUnknown` with the payment's id and the cause, if it cannot be removed: a
    ///   later launch may send the payment again, and the store may then sell it.
    private func forget(
        _ payment: Payment, refusedWith refusal: StoreError
    ) async throws(StoreError) {
        let dequeue = { [database] () async throws(StoreError) in
            try await database.writeTogether { try DeviceRecords($0).dequeue(payment.id) }
        }
        do throws(StoreError) { try await retryingUnknownOutcome(payment, dequeue) } catch {
            throw StoreError(
                .outcomeUnknown, subject: error.subject, found: refusal.code.rawValue,
                cause: error.cause
            ).about(payment)
        }
    }

    /// The unfinished and the failed downloads, which `finish` cancels.
    package func downloadsToGiveUp(of id: TransactionID) async throws(StoreError) -> [Download] {
        try await downloads().filter { $0.transactionID == id && $0.isGivenUpByFinish }
    }

    /// Cancels the transaction's remaining downloads, removes the bytes that they have fetched, and
    /// acknowledges the transaction at the store. If the download is an update, the installed
    /// version stays. Idempotent.
    package func finish(_ id: TransactionID) async throws(StoreError) -> FinishOutcome {
        let now = clock.now()
        var installed: [Download] = []
        for product in Set(try await downloadsToGiveUp(of: id).map(\.productID)) {
            installed += try await installedPackages(of: product).filter { $0.state != .finished }
        }
        let kept = installed
        let givenUp = try await database.writeTogether { db in
            let records = DeviceRecords(db)
            let left = try records.downloads().filter {
                $0.transactionID == id && $0.isGivenUpByFinish
            }
            for row in left {
                try records.setState(.cancelled, of: row.productID, contentID: row.contentID)
                if let old = kept.first(where: { $0.isSamePackage(as: row) }) {
                    try records.keepInstalled(old)
                }
            }
            if let product = left.first?.productID {
                try records.log(.downloadCancelled(product), at: now)
            }
            return Set(left.map(\.productID))
        }
        if !givenUp.isEmpty { await downloadManager.reconcile() }
        for product in givenUp { folder.removeAll(of: product, from: "partial") }
        let outcome: FinishOutcome
        do throws(StoreError) { outcome = try await store.finish(id) } catch
            where error.isNetworkOff
        {
            try await refuseUnseen(id)
            // The device knows that the transaction is finished: it queues no second finish.
            if await knowledge.isKnownAsFinished(id) { return .alreadyFinished }
            try await database.writeTogether { try DeviceRecords($0).queueFinish(id) }
            return .queued
        }
        receipts.purchasesChanged()
        try? await database.writeTogether { try DeviceRecords($0).dequeue(purchasedAs: id) }
        await knowledge.noteFinished(id)
        // After the downloads were cancelled, the observer may have finished the transaction before
        // this call did. The caller gets `finished`, because its call was the cause.
        return !givenUp.isEmpty && outcome == .alreadyFinished ? .finished : outcome
    }

    /// Throws `transactionNotFound` unless this device has delivered the transaction or the store
    /// has listed it as unfinished here. Without a network this is the only check for a mistyped
    /// number.
    private func refuseUnseen(_ id: TransactionID) async throws(StoreError) {
        if try await database.read({ try DeviceRecords($0).isDelivered(id) }) { return }
        if try await database.read({ try DeviceRecords($0).queuedFinishes() }).contains(id) {
            return
        }
        let known = try? await knowledge.unfinished().value
        guard known?.contains(where: { $0.id == id }) != true else { return }
        throw StoreError(.transactionNotFound, transactionID: id)
    }

    package func claim(_ id: TransactionID) async throws(StoreError) {
        try await refuseSignedOut()
        await observer.noteClaim(of: id)
        _ = try await store.claim(id)
    }

    package func requests() async throws(StoreError) -> [ApprovalRequest] {
        try await store.requests()
    }

    package func withdraw(_ request: TransactionID) async throws(StoreError) {
        try await store.withdraw(request)
    }

    package func resolve(_ request: TransactionID) async throws(StoreError) {
        try await store.resolve(request)
    }

    package func requestRefund(of id: TransactionID, reason: RefundReason)
        async throws(StoreError) -> RefundRequest
    {
        try await refuseSignedOut()
        return try await store.requestRefund(of: id, reason: reason)
    }

    package func queuedPayments() async throws(StoreError) -> [QueuedPayment] {
        try await database.read { try DeviceRecords($0).queue() }
    }

    /// The queued payments for which an outcome can be expected: a living process is sending them,
    /// or this process holds the lease and will send them.
    package func paymentsBeingSent() async throws(StoreError) -> [QueuedPayment] {
        let isTakingOver = await holdsLease
        return try await queuedPayments().filter {
            $0.state == .purchasing && (isTakingOver || ownership.isHeld($0.payment.id))
        }
    }

    package func drop(_ id: PaymentID) async throws(StoreError) -> PurchaseOutcome? {
        let queued = try await queuedPayments().first { $0.payment.id == id }
        guard let payment = queued?.payment else {
            throw StoreError(.paymentNotQueued, paymentID: id)
        }
        guard ownership.holdAlone(id) else {
            throw StoreError(.deviceBusy, paymentID: id, subject: folder.path)
        }
        defer { ownership.release(id) }
        if let outcome = try await store.outcome(of: payment) {
            try await observer.complete(payment, outcome)
            return outcome
        }
        try await database.writeTogether { try DeviceRecords($0).dequeue(id) }
        return nil
    }

    // MARK: - Promoted purchases

    package func promotedPurchases() async throws(StoreError) -> [PromotedPurchase] {
        try await database.read { try DeviceRecords($0).promotedPurchases() }
    }

    package func dropPromoted(_ product: ProductID) async throws(StoreError) -> Bool {
        try await database.writeTogether { try DeviceRecords($0).dropPromoted(product) }
    }

    // MARK: - The account

    package func isSignedIn() async throws(StoreError) -> Bool {
        try await database.read { try DeviceRecords($0).isSignedIn }
    }

    package func setSignedIn(_ isSignedIn: Bool) async throws(StoreError) {
        try await database.writeTogether { try DeviceRecords($0).setSignedIn(isSignedIn) }
        if isSignedIn { _ = try? await processor.syncValues() }
    }

    /// Throws `notSignedIn` while no account is signed in.
    package func refuseSignedOut() async throws(StoreError) {
        guard try await !isSignedIn() else { return }
        throw StoreError(
            .notSignedIn, subject: store.account.rawValue,
            found: store.identity.environment.rawValue)
    }
}

extension StoreError {
    fileprivate func about(_ payment: Payment) -> StoreError {
        var error = self
        error.paymentID = payment.id
        error.productID = payment.productID
        return error
    }
}

extension Download {
    /// Whether `Device.finish` cancels this download: it is not complete, or it has failed.
    fileprivate var isGivenUpByFinish: Bool { !state.isComplete || state == .failed }
}
