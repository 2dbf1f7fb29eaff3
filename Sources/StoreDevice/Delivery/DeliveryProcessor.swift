import Basics
import DurableFiles
import StoreModel
import StoreSigning
import Synchronization

/// Delivers the store's events to the device in three steps: `plan` verifies signatures and
/// decides, `record` writes all effects and the cursor in one durable write, `finish` acknowledges
/// at the store. Each step may be repeated after a kill at any point.
struct DeliveryProcessor: Sendable {
    let store: any Store
    let database: DurableDatabase
    let verifier: DeviceVerifier
    let clock: DeviceClock
    let network: DeviceNetwork
    let products: ProductCache
    let folder: DeviceFolder
    /// Whether only the app finishes transactions, by `Device.finish`.
    let leavesFinishing: Bool
    /// The payments that this process sent again, until a write logs them. If that write fails, a
    /// payment is never logged. Only the log, which is for people, is then incomplete; the queue is
    /// correct.
    let resent = SharedSet<PaymentID>()
    /// The transactions that this process has logged as not verified, so that each is logged once.
    let rejected = SharedSet<RejectedRevision>()
    /// Wakes whoever reports to the app's own backend: something may be to be reported.
    let reports = ChangeSignal()

    // MARK: - Planning

    /// Works out the steps for a batch of events, and verifies the batch's signatures in parallel.
    /// Records nothing.
    func plan(_ batch: StoreEventBatch) async throws(StoreError) -> DeliveryPlan {
        let verified = await verify(batch.events)
        var plan = DeliveryPlan(cursor: batch.cursor, mark: batch.mark)
        for (event, result) in zip(batch.events, verified) {
            let isOurs = event.device == store.device
            switch event.change {
            case .sold:
                guard let issued = event.issued else { break }
                // A sale without a device, such as a renewal, is delivered on every device. A
                // consumable without a device is delivered only on the device that claims it.
                let isAnyones = event.device == nil && issued.type != .consumable
                if event.device == nil, !isAnyones { plan.hasUnclaimed = true }
                if let step = Self.step(
                    result, issued, isOurs: isOurs || isAnyones, asOf: event.cursor.position)
                {
                    plan.steps.append(step)
                }
            case .revised(let revision):
                guard let issued = event.issued else { break }
                switch result {
                case .verified(let transaction):
                    plan.steps.append(
                        .revise(transaction, revision: issued.revision, revision.kind))
                case .unverified(let claimed, let error):
                    plan.steps.append(.reject(issued, claimed, error, nil))
                case nil: break
                }
            case .deferred:
                plan.steps.append(isOurs ? .apply(event.change) : .announce(event.change))
            case .subscriptionChanged(let change):
                plan.steps.append(
                    change.answers == nil ? .announce(event.change) : .apply(event.change))
            case .failed, .deleted: plan.steps.append(.apply(event.change))
            case .promoted(let product):
                plan.steps.append(.hold(product, at: event.cursor))
            case .claimed(let id, let claimer):
                plan.steps += try await claimed(id, by: claimer, at: event.cursor.position)
            case .finished(let id):
                if event.device == store.device, try await isTakenBack(id, by: plan) {
                    plan.steps.append(.grantAgain(id))
                }
                plan.steps.append(.announce(event.change))
            case .catalogRevised(let revision, _, _):
                products.forget()
                plan.steps.append(.announce(.catalogRevised(revision: revision)))
            case .accountChanged:
                products.forget()
                plan.steps.append(.announce(event.change))
            // The device records nothing of any other event.
            default: plan.steps.append(.announce(event.change))
            }
            let added = plan.steps.count - plan.positions.count
            plan.positions += repeatElement(event.cursor.position, count: added)
        }
        return plan
    }

    /// Whether a delivery is void, or the plan makes it void. Called when this device has finished
    /// the transaction. A finished transaction cannot be claimed, so the claim that made the
    /// delivery void came earlier and was reversed: the delivery must be granted again
    /// (`grantAgain`).
    private func isTakenBack(
        _ id: TransactionID, by plan: DeliveryPlan
    ) async throws(StoreError) -> Bool {
        let isInPlan = plan.steps.contains {
            if case .void(id, _, _) = $0 { true } else { false }
        }
        if isInPlan { return true }
        return try await database.read { try DeviceRecords($0).isVoid(id) }
    }

    /// From the store's list at a launch.
    ///
    /// - Parameter asOf: a cursor read before the list, which therefore may lack claims after it.
    func plan(unfinished: [UnfinishedTransaction], asOf: FeedCursor) async -> DeliveryPlan {
        var plan = DeliveryPlan()
        for waiting in unfinished {
            let result = await verifier.verify(waiting.transaction.signed)
            if let step = Self.step(
                result, waiting.transaction, isOurs: true, asOf: asOf.position, isOffered: true)
            {
                plan.steps.append(step)
            }
        }
        return plan
    }

    /// A delivery, or a rejection if verification failed. Nil for a consumable that belongs to
    /// another device.
    private static func step(
        _ result: VerificationResult<Transaction>?, _ issued: IssuedTransaction,
        isOurs: Bool, asOf: Int64, isOffered: Bool = false
    ) -> DeliveryPlan.Step? {
        switch result {
        case nil: nil
        case .verified(let transaction):
            transaction.payload.type == .consumable && !isOurs
                ? nil
                : .deliver(
                    VerifiedSale(
                        transaction: transaction, payment: issued.payment, grant: issued.grant,
                        isOurs: isOurs, revision: issued.revision, asOf: asOf,
                        isOffered: isOffered))
        case .unverified(let claimed, let error):
            .reject(issued, claimed, error, issued.payment)
        }
    }

    /// A claim by this device delivers the transaction. A claim by another device makes this
    /// device's delivery void.
    private func claimed(
        _ id: TransactionID, by claimer: DeviceName, at position: Int64
    ) async throws(StoreError) -> [DeliveryPlan.Step] {
        guard claimer == store.device else {
            return [.void(id, claimedBy: claimer, at: position)]
        }
        let asOf = try await store.head()
        let ours = try await store.unfinished(allDevices: false).filter { $0.id == id }
        return await plan(unfinished: ours, asOf: asOf).steps
    }

    /// Several in parallel. One element per event, nil for an event without a signed text.
    private func verify(_ events: [StoreEvent]) async -> [VerificationResult<Transaction>?] {
        let signed = events.map { $0.issued?.signed }
        guard signed.count(where: { $0 != nil }) > 1 else {
            var verified: [VerificationResult<Transaction>?] = []
            for text in signed {
                if let text {
                    verified.append(await verifier.verify(text))
                } else {
                    verified.append(nil)
                }
            }
            return verified
        }
        return await withTaskGroup { group in
            for (index, text) in signed.enumerated() {
                guard let text else { continue }
                group.addTask { (index, await verifier.verify(text)) }
            }
            var verified: [VerificationResult<Transaction>?] = signed.map { _ in nil }
            for await (index, result) in group { verified[index] = result }
            return verified
        }
    }

    // MARK: - Recording

    /// The result of `record`.
    struct Recorded: Sendable {
        /// Transactions granted by this write, or by an earlier one whose publishing was left to
        /// this process (`Publishing.later`).
        var new: Set<TransactionID> = []
        /// Whether any delivery of the plan, new or not, is of a product with hosted content.
        var hasDownloads = false
        /// Whose packages a later sale of the plan has taken over, so that nothing of theirs is left
        /// to download.
        var replaced: Set<TransactionID> = []
    }

    /// How recorded deliveries reach the readers of the device's updates.
    enum Publishing: Sendable {
        case now
        /// This process does not publish them. It marks them, and the process that holds the lease
        /// publishes them as new.
        case later
        /// As `DeviceAnnouncement.restored`, to the readers of every process.
        case asRestored
    }

    /// Records all steps of a plan and its cursor in one durable write, all or none.
    ///
    /// - Parameter logging: makes the entry for the log, in the same write, from the transactions
    ///   that were newly granted.
    func record(
        _ plan: DeliveryPlan, publishing: Publishing = .now,
        logging: @Sendable (Set<TransactionID>) -> DeviceLogEntry.What? = { _ in nil }
    ) async throws(StoreError) -> Recorded {
        let products = try await products.products(
            Set(plan.sales.map(\.transaction.payload.productId)))
        let now = clock.now()
        let contact = clock.liveReading()
        let mustRecord = clock.mustRecord(contact)
        let recorded = try await database.write { db in
            let records = DeviceRecords(db)
            if mustRecord { try records.keep(.contact, contact) }
            var recorded = Recorded()
            var restored: [DeviceAnnouncement] = []
            for step in plan.steps {
                switch step {
                case .deliver(let sale):
                    let product = products[sale.transaction.payload.productId]
                    // An app that finishes what it bought also asks for its downloads.
                    let (isNew, replaced) = try records.recordDelivery(
                        sale, product: leavesFinishing ? nil : product, at: now)
                    recorded.replaced.formUnion(replaced)
                    if isNew {
                        recorded.new.insert(sale.id)
                        if publishing == .later { try records.markUnpublished(sale.id) }
                        if publishing == .asRestored {
                            restored.append(
                                .restored(sale.id, sale.transaction.payload.productId))
                        }
                    } else if publishing == .now, try records.takeUnpublished(sale.id) {
                        recorded.new.insert(sale.id)
                    }
                    if product?.hostedContent.isEmpty == false { recorded.hasDownloads = true }
                    try logResent(
                        sale.payment, sale.transaction.payload.productId, in: records, at: now)
                case .void(let id, _, let position): try records.void(id, at: position)
                case .grantAgain(let id): try records.grantAgain(id)
                case .revise(let transaction, let revision, _):
                    if try records.apply(DeliveryRevision(transaction, revision: revision)) {
                        try records.report(transaction)
                    }
                case .reject(let issued, _, let error, let payment):
                    if let payment { try records.dequeue(payment) }
                    if rejected.add(.init(id: issued.id, revision: issued.revision)) {
                        try records.log(.trouble(.notVerified(issued, error)), at: now)
                    }
                case .hold(let product, let cursor):
                    try records.holdPromoted(product, at: cursor, now: now)
                case .apply(let change): try apply(change, in: records, at: now)
                case .announce: break
                }
            }
            try records.announce(restored)
            if let cursor = plan.cursor { try records.setCursor(cursor, plan.mark) }
            if let what = logging(recorded.new) { try records.log(what, at: now) }
            return recorded
        }
        if mustRecord { clock.hasRecorded(contact) }
        if !plan.steps.isEmpty { reports.notify() }
        return recorded
    }

    /// Applies the effect of an event: an answered payment waits or leaves the queue, with every
    /// payment that waits here under its request; a deletion takes back everything granted.
    private func apply(
        _ change: StoreEvent.Change, in records: DeviceRecords, at now: Timestamp
    ) throws {
        func end(_ payment: PaymentID, of product: ProductID, _ request: TransactionID?) throws {
            try records.dequeue(payment)
            if let request { try records.dequeue(waitingUnder: request) }
            try logResent(payment, product, in: records, at: now)
        }
        switch change {
        case .deferred(let payment, let request, let reason):
            try records.markDeferred(payment, request: request, reason: reason)
            try logResent(payment.id, payment.productID, in: records, at: now)
        case .failed(let payment, _, let request):
            try end(payment.id, of: payment.productID, request)
        case .subscriptionChanged(let event):
            guard let answered = event.answers else { break }
            try end(answered.paymentID, of: answered.productID, answered.request)
        case .deleted(let id, _, let revision):
            try records.apply(DeliveryRevision(deleted: id, revision: revision))
        default: break
        }
    }

    /// Logs that this process sent a payment again. Called in the write that records the store's
    /// answer, so that sending again costs no additional write.
    func logResent(
        _ payment: PaymentID?, _ product: ProductID, in records: DeviceRecords, at now: Timestamp
    ) throws {
        guard let payment, resent.take(payment) else { return }
        try records.log(.paymentResent(payment, product), at: now)
    }

    /// Updates the queue for a payment's outcome, in case the payment's event was handled before
    /// and is not delivered again.
    ///
    /// - Parameter isObserved: whether this process handles the event; if not, a sale is marked as
    ///   sold until a launch delivers it.
    func complete(
        _ payment: Payment, _ outcome: PurchaseOutcome, isObserved: Bool
    ) async throws(StoreError) {
        let now = clock.now()
        switch outcome {
        case .purchased(_, let id, _):
            // Usually the event removes the payment in the same write as its delivery. This call
            // removes it only if the sale is delivered and the payment is still queued.
            let isLeftOver = try await database.read { db in
                let records = DeviceRecords(db)
                return try records.isDelivered(id) && records.isQueued(payment.id)
            }
            if isLeftOver { return try await dequeue(payment) }
            guard !isObserved else { return }
            try await database.write { try DeviceRecords($0).markPurchased(payment, as: id) }
        case .pending(let request, let reason):
            try await database.write {
                let records = DeviceRecords($0)
                try records.markDeferred(payment, request: request, reason: reason)
                try logResent(payment.id, payment.productID, in: records, at: now)
            }
        case .failed: try await dequeue(payment)
        }
    }

    func dequeue(_ payment: Payment) async throws(StoreError) {
        let now = clock.now()
        try await database.write {
            let records = DeviceRecords($0)
            try records.dequeue(payment.id)
            try logResent(payment.id, payment.productID, in: records, at: now)
        }
    }

    /// Logs a payment that this process sent again, where another process delivers its sale. Writes
    /// nothing if it did not: each write wakes the processes of the device, this one included, which
    /// then ask again.
    func logResent(_ payment: Payment) async throws(StoreError) {
        guard resent.contains(payment.id) else { return }
        let now = clock.now()
        try await database.write {
            try logResent(payment.id, payment.productID, in: DeviceRecords($0), at: now)
        }
    }

    /// Claims the consumables that no device has bought (`OperatorAction.buyOutside`), if the
    /// account has no other device that could take them: their events then deliver them here. Where
    /// there are several, a person says which.
    ///
    /// - Throws: errors that a retry may mend. A consumable that another device was quicker to claim
    ///   is that device's.
    func claimUnclaimed() async throws(StoreError) {
        guard !network.isOff, folder.isAccountsOnlyOne,
            try await database.read({ try DeviceRecords($0).isSignedIn })
        else { return }
        for waiting in try await store.unfinished(allDevices: true) where waiting.isUnclaimed {
            do throws(StoreError) { _ = try await store.claim(waiting.id) } catch
                where !error.isRetryable && !error.isNetworkOff
            {}
        }
    }

    // MARK: - Finishing

    /// Finishes those of the transactions that are complete (`DeviceRecords.isComplete`), several
    /// of them at once; none if the app does that itself, here or in another process.
    ///
    /// - Returns: the transactions that this call finished, without those that were finished or
    ///   claimed before.
    /// - Throws: the first error of the store; other transactions may be finished nevertheless.
    @discardableResult
    func finish(_ ids: [TransactionID]) async throws(StoreError) -> [TransactionID] {
        guard !leavesFinishing, !Presence.isHeld(path: folder.appPath) else { return [] }
        let complete = try await database.read { db in
            try ids.filter { try DeviceRecords(db).isComplete($0) }
        }
        // `finish` does not fail for a transaction that another device has claimed. The event of
        // that claim makes the delivery here void.
        if complete.count == 1 {
            return try await store.finish(complete[0]) == .finished ? complete : []
        }
        let results = await withTaskGroup { group in
            for id in complete {
                group.addTask { () -> Result<TransactionID?, StoreError> in
                    do throws(StoreError) {
                        let outcome = try await store.finish(id)
                        return .success(outcome == .finished ? id : nil)
                    } catch { return .failure(error) }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var finished: [TransactionID] = []
        for result in results {
            if let id = try result.get() { finished.append(id) }
        }
        return finished
    }
}

extension DeviceRecords {
    /// Also removes the payment from the queue, and queues the downloads if the sale is this
    /// device's own (`VerifiedSale.isOurs`).
    ///
    /// - Returns: whether this call granted it, and whose packages it has taken over.
    /// - Throws: as `deliver`.
    func recordDelivery(
        _ sale: VerifiedSale, product: Product?, at now: Timestamp
    ) throws -> (isNew: Bool, replaced: Set<TransactionID>) {
        let isNew = try deliver(sale, at: now)
        if let payment = sale.payment { try dequeue(payment) }
        try dequeue(waitingUnder: sale.id)
        try dropPromoted(sale.transaction.payload.productId)
        guard sale.isOurs else { return (isNew, []) }
        return (isNew, try queueDownloads(of: sale, product?.hostedContent ?? [], isNew: isNew))
    }

    /// Queues the packages of a sale that is this device's own, unless the sale was taken back.
    ///
    /// - Parameter isNew: whether the sale was granted now. If it was granted before, only packages
    ///   that have no download yet are queued: a restore may have granted the sale before its
    ///   event, and a restore queues no downloads.
    /// - Returns: the other sales whose packages they were.
    private func queueDownloads(
        of sale: VerifiedSale, _ hosted: [HostedContent], isNew: Bool
    ) throws -> Set<TransactionID> {
        guard !hosted.isEmpty, try !isVoid(sale.id) else { return [] }
        let takenBack = try revision(of: sale.id)?.takenBack ?? Share.none
        guard takenBack == .none else { return [] }
        let product = sale.transaction.payload.productId
        // What a person has just bought comes first. Nobody asked for a renewal now.
        if isNew, sale.transaction.payload.transactionReason == .purchase {
            try askForDownloads(of: product)
        }
        let known = try downloads(of: product)
        var replaced: Set<TransactionID> = []
        for content in hosted {
            let row = known.first { $0.contentID == content.id }
            guard isNew || row == nil else { continue }
            if let row { replaced.insert(row.transactionID) }
            try addDownload(content, of: product, transaction: sale.id)
        }
        return replaced.subtracting([sale.id])
    }

    /// Does nothing if the payment is no longer queued.
    func markPurchased(_ payment: Payment, as id: TransactionID) throws {
        guard var queued = try queued(payment.id) else { return }
        queued.state = .purchased
        queued.transaction = id
        try enqueue(queued)
    }

    /// Does nothing if the payment is no longer queued.
    func markDeferred(_ payment: Payment, request: TransactionID, reason: RequestReason) throws {
        guard var queued = try queued(payment.id) else { return }
        queued.state = .deferred
        queued.request = request
        queued.reason = reason
        try enqueue(queued)
    }
}

struct RejectedRevision: Hashable {
    var id: TransactionID
    var revision: Int
}

/// A set that several tasks change.
final class SharedSet<Element: Hashable & Sendable>: Sendable {
    private let elements = Mutex<Set<Element>>([])

    /// False if it has the element.
    func add(_ element: Element) -> Bool { elements.withLock { $0.insert(element).inserted } }

    func contains(_ element: Element) -> Bool { elements.withLock { $0.contains(element) } }

    /// False if it does not have the element.
    func take(_ element: Element) -> Bool { elements.withLock { $0.remove(element) != nil } }
}

extension StoreError {
    static func notVerified(_ issued: IssuedTransaction, _ reason: VerificationError) -> Self {
        StoreError(
            .verificationFailed, productID: issued.productID, transactionID: issued.id,
            subject: "transaction", found: reason.rawValue)
    }
}
