import Basics
import DurableFiles
import StoreModel
import StoreSigning

/// The transaction observer (StoreKit: `SKPaymentTransactionObserver`, `Transaction.updates`). It
/// starts at launch and handles every event of the store's feed while the program runs.
///
/// The process that holds the delivery lease records the effects of the events, in one write with
/// the feed cursor, and publishes updates. A process without the lease is a watcher: it publishes,
/// and sends payments whose sender has ended.
actor TransactionObserver {
    private let processor: DeliveryProcessor
    private let thread: SerialQueueExecutor
    private let hub: DeviceUpdates
    private let downloads: DownloadManager
    private let finisher: Finisher
    private let receipts: ReceiptKeeper
    private let resender: PaymentResender
    private let notifier: CommitNotifier
    private let unlocks: UnlockRecorder
    private let leasePath: String
    private var lease: FileLock?
    private var loop: Task<Void, Never>?
    private var waitingForLease: Task<Void, Never>?
    /// Of the last batch that this process has published.
    private var announcedCursor: FeedCursor?
    /// The cursor after which this process started to publish.
    private var startCursor: FeedCursor?
    /// Since the cursor was last written.
    private var unsavedEvents = 0
    /// The result of `claimAtLaunch`, until the loop has taken it.
    private var claimed: Result<Void, StoreError>?
    /// Transactions that this process finished and has published as finished. Their `finished`
    /// events come later and are not published again.
    private var announcedFinished: Set<TransactionID> = []
    /// Transactions published from the store's list of unfinished transactions. The events of their
    /// sales may come later and are not published again.
    private var announcedUnfinished: Set<TransactionID> = []
    /// The last announcement that this process has published; nil before `launch`.
    private var announcedNumber: Int64?
    /// The consumables of other devices that this process has claimed, or is claiming.
    private var ownClaims: Set<TransactionID> = []
    private var isClosed = false
    private var resending: Task<Void, Never>?

    init(
        processor: DeliveryProcessor, hub: DeviceUpdates, downloads: DownloadManager,
        finisher: Finisher, receipts: ReceiptKeeper,
        resender: PaymentResender, notifier: CommitNotifier, unlocks: UnlockRecorder,
        leasePath: String
    ) {
        self.processor = processor
        thread = processor.database.thread
        self.hub = hub
        self.downloads = downloads
        self.finisher = finisher
        self.receipts = receipts
        self.resender = resender
        self.notifier = notifier
        self.unlocks = unlocks
        self.leasePath = leasePath
    }

    /// The observer runs on the thread of the device's database: each batch of events ends in a
    /// write there, so no thread switch is needed.
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    var holdsLease: Bool { lease != nil }

    /// Call it before the claim: the launch may find the transaction at any time after it.
    func noteClaim(of id: TransactionID) { ownClaims.insert(id) }

    /// Starts observing, and publishes every later event. Call it once, and again after `suspend`.
    ///
    /// - Parameter rule: which payments are sent again if their sender has ended.
    func launch(resending rule: ResendRule = .all) async throws(StoreError) {
        guard loop == nil else { return }
        await resender.begin(rule, for: self)
        if announcedNumber == nil {
            announcedNumber = try await processor.database.read {
                try DeviceRecords($0).lastAnnouncement
            }
        }
        lease = try DeliveryLease.takeNow(leasePath)
        if holdsLease { downloads.willStart() }
        // After `suspend` without a network, the loop reads the cursor itself and retries if that
        // fails.
        var start: FeedCursor?
        if startCursor == nil {
            do throws(StoreError) { start = try await firstCursor() } catch
                where error.isNetworkOff
            {}
        }
        startCursor = startCursor ?? start
        // Before the first list of unfinished transactions, so that a caller who waits for the
        // delivery of those waits for what is claimed here, too.
        if lease == nil { waitForLease() } else { await claimAtLaunch() }
        startLoop(after: start)
        let downloads = downloads
        Task { await downloads.listen() }
    }

    /// Until the next `launch`. Also releases the lease, and returns when all of this process's
    /// work has stopped.
    func suspend() async {
        waitingForLease?.cancel()
        waitingForLease = nil
        loop?.cancel()
        // The next holder of the lease must not run at the same time as this process's last batch.
        await loop?.value
        loop = nil
        resending?.cancel()
        await resending?.value
        resending = nil
        await processor.verifier.stopFetching()
        await finisher.suspend()
        await downloads.suspend()
        lease?.release()
        lease = nil
    }

    /// Like `suspend`, for good: `launch` must not be called afterwards.
    func close() async {
        isClosed = true
        await suspend()
    }

    private func waitForLease() {
        let path = leasePath
        waitingForLease = Task { [weak self] in
            let result = await DeliveryLease.wait(path)
            if let self {
                await takeOver(result)
            } else if case .success(let lock) = result {
                lock.release()
            }
        }
    }

    /// Restarts the loop, which resumes after the last recorded cursor.
    private func takeOver(_ result: Result<FileLock, StoreError>) async {
        switch result {
        case .failure(let error): hub.publish(.trouble(error, ended: false))
        case .success(let lock):
            // A cancelled task means that `suspend` or `close` was called: the lease is no longer
            // wanted.
            guard !isClosed, !Task.isCancelled else { return lock.release() }
            loop?.cancel()
            await loop?.value
            guard !isClosed, !Task.isCancelled else { return lock.release() }
            lease = lock
            downloads.willStart()
            await claimAtLaunch()
            startLoop()
            hub.publish(.leaseTaken)
        }
    }

    private func claimAtLaunch() async {
        do throws(StoreError) {
            try await processor.claimUnclaimed()
            claimed = .success(())
        } catch { claimed = .failure(error) }
    }

    /// The loop's first round takes the result of `claimAtLaunch`; each later one claims again.
    private func claim() async throws(StoreError) {
        guard holdsLease else { return }
        guard let atLaunch = claimed else { return try await processor.claimUnclaimed() }
        claimed = nil
        try atLaunch.get()
    }

    private func startLoop(after start: FeedCursor? = nil) {
        loop = Task { [weak self] in await self?.run(after: start) }
    }

    // MARK: - The loop

    /// Reads the feed until the loop is cancelled or an error is permanent. Any other error is
    /// published once, and the loop restarts after a pause.
    private func run(after known: FeedCursor?) async {
        var known = known
        var wasOffline = false
        var hasReportedTrouble = false
        var pause = RetryPause()
        while !Task.isCancelled {
            do {
                if processor.network.isOff {
                    wasOffline = true
                    claimed = nil
                }
                guard await processor.network.wait(untilOff: false) else { return }
                var start: FeedCursor
                if let known {
                    start = known
                } else {
                    try await refuseOtherHistory()
                    start = try await firstCursor()
                }
                start = try await catchUp(to: start)
                if wasOffline, holdsLease { start = try await deliverMissed(after: start) }
                try await claim()
                try await recover()
                known = nil
                wasOffline = false
                hasReportedTrouble = false
                pause.reset()
                for try await batch in processor.store.updates(after: start) {
                    if Task.isCancelled { return }
                    try await handle(batch)
                }
                return
            } catch {
                guard !Task.isCancelled else { return }
                let error = error as? StoreError ?? StoreError(.unknown, cause: "\(error)")
                // When the network is back, the feed starts again after the last recorded cursor.
                if error.isNetworkOff || error.isRetryable && processor.network.isOff {
                    wasOffline = true
                    continue
                }
                let willRetry = Self.mayRecover(error)
                if !willRetry || !hasReportedTrouble {
                    hub.publish(.trouble(error, ended: !willRetry))
                }
                guard willRetry else { return }
                hasReportedTrouble = true
                guard await pause.wait() else { return }
            }
        }
    }

    /// Whether a retry may succeed. A disk that failed, was full or was read-only may work again. A
    /// store that was replaced never comes back.
    private static func mayRecover(_ error: StoreError) -> Bool {
        switch error.code {
        case .storeReplaced: false
        case .storeUnreadable, .deviceUnreadable, .storeReadOnly: true
        default: error.isRetryable
        }
    }

    /// Throws `storeBehind` if an old copy of the store was put back. A device that was opened
    /// without a network, or has waited for it, makes this check here.
    private func refuseOtherHistory() async throws(StoreError) {
        let found = try await StoreDifference.find(processor.store, processor.database)
        if let found { throw found.error(at: processor.store.device.rawValue) }
    }

    /// The process that holds the lease resumes after the last cursor it committed. A watcher
    /// resumes after the last event it published, or starts at the head of the feed.
    private func firstCursor() async throws(StoreError) -> FeedCursor {
        let recorded = try await processor.database.read { try DeviceRecords($0).cursor }
        if holdsLease, let recorded { return recorded }
        if let seen = announcedCursor ?? startCursor { return seen }
        return try await processor.store.head()
    }

    /// Publishes the events that other processes delivered while this one was suspended. Those
    /// processes have recorded the events, so nothing is recorded here.
    ///
    /// - Returns: the cursor to read on after: `start` for the lease holder, the last published one
    ///   for a watcher.
    private func catchUp(to start: FeedCursor) async throws -> FeedCursor {
        let end = holdsLease ? start : try await processor.store.head()
        if let seen = announcedCursor ?? startCursor, seen.epoch == end.epoch,
            seen.position < end.position
        {
            for try await batch in processor.store.updates(after: seen) {
                if Task.isCancelled { break }
                announce(try await processor.plan(batch), new: [])
                if batch.reaches(end) { break }
            }
        }
        return holdsLease ? start : announcedCursor ?? start
    }

    /// Carries out the events that were missed without a network, in the store's order. `recover`
    /// alone would publish unfinished transactions before the refunds of earlier ones.
    ///
    /// - Returns: the cursor to read on after.
    private func deliverMissed(after start: FeedCursor) async throws -> FeedCursor {
        let end = try await processor.store.head()
        guard start.epoch == end.epoch, start.position < end.position else { return start }
        var read = start
        for try await batch in processor.store.updates(after: start) {
            if Task.isCancelled { break }
            try await handle(batch)
            read = batch.cursor
            if batch.reaches(end) { break }
        }
        return read
    }

    /// Resumes the work that an earlier process may have left: payments without an outcome,
    /// unfinished transactions, downloads. A watcher sends the payments and publishes the unfinished
    /// transactions.
    private func recover() async throws(StoreError) {
        processor.verifier.fetchRevokedCertificatesSoon()
        let answered = try await resender.send()
        if holdsLease { try await finisher.finishQueued() }
        _ = try? await processor.syncValues()
        let asOf = try await processor.store.head()
        let unfinished = try await processor.store.unfinished(allDevices: false)
        let plan = await processor.plan(unfinished: unfinished, asOf: asOf)
        guard holdsLease else {
            followQueue()
            return announce(plan, new: [])
        }
        let new = plan.changesRecords ? try await processor.record(plan).new : []
        // Written before the updates are published, so that a reader of an update finds the
        // delivery in the unlock record.
        if plan.changesUnlocks { await unlocks.update() }
        announce(plan, new: new)
        if !answered.isEmpty {
            // A sold payment can leave the queue: by now its transaction is delivered here, or was
            // finished or claimed elsewhere.
            try await processor.database.write { db in
                for payment in answered { try DeviceRecords(db).dequeue(payment) }
            }
        }
        await downloads.start()
        let finished = await finisher.finish(plan.sales.map(\.id))
        await logReturned(plan.sales.filter { finished.contains($0.id) })
        announceFinished(finished)
        receipts.purchasesChanged()
        followQueue()
    }

    /// Logs which of the sales that this launch found unfinished an earlier process has paid for. A
    /// failure is ignored: no function depends on the log.
    private func logReturned(_ sales: [VerifiedSale]) async {
        guard let sentHere = await resender.endLaunch() else { return }
        let sales = sales.filter { sale in
            sale.payment.map { !sentHere.contains($0) } ?? false && !ownClaims.contains(sale.id)
        }
        guard !sales.isEmpty else { return }
        let now = processor.clock.now()
        try? await processor.database.write { db in
            for sale in sales {
                try DeviceRecords(db).log(
                    .finishedAtLaunch(sale.id, sale.transaction.payload.productId), at: now)
            }
        }
    }

    /// Sends the payments and the finishes that were queued while the network was cut. The feed
    /// brings missed events by itself.
    func reconnect() async {
        guard loop != nil else { return }
        do throws(StoreError) {
            _ = try await resender.send()
            if holdsLease { try await finisher.finishQueued() }
            _ = try? await processor.syncValues()
        } catch {
            // They are retried after the next commit and at the next launch.
            if !error.isNetworkOff { hub.publish(.trouble(error, ended: false)) }
        }
    }

    private func followQueue() {
        guard resending == nil else { return }
        resending = Task { [notifier, resender] in
            await resender.follow(notifier.subscribeToOthers())
        }
    }

    /// Publishes what this process and others have announced since the last call, in order.
    func publishAnnouncements() async {
        guard let known = announcedNumber,
            let found = try? await processor.database.read({
                try DeviceRecords($0).announcements(after: known)
            })
        else { return }
        // Another call may have published some of them during the read.
        for (number, announcement) in found where number > announcedNumber ?? known {
            announcedNumber = number
            if let announcement { hub.publish(.announced(announcement)) }
        }
    }

    /// Usually the payment's event delivers the sale and removes the payment from the queue. For a
    /// product that the account already owned there is no event, so this call delivers it. The
    /// event of a payment that was sent twice may already have passed, so this call also removes
    /// the payment from the queue.
    func complete(_ payment: Payment, _ outcome: PurchaseOutcome) async throws(StoreError) {
        guard case .purchased(let signed, let id, alreadyOwned: true) = outcome else {
            return try await processor.complete(payment, outcome, isObserved: loop != nil)
        }
        let owned = UnfinishedTransaction(
            IssuedTransaction(
                id: id, productID: payment.productID, type: .nonConsumable, signed: signed,
                payment: payment.id), device: processor.store.device)
        let plan = await processor.plan(unfinished: [owned], asOf: try await processor.store.head())
        let new = try await processor.record(plan).new
        if plan.changesUnlocks { await unlocks.update() }
        announce(plan, new: new, isComplete: true)
        await downloads.reconcile()
    }

    /// Retries until the batch succeeds or the observer is suspended.
    private func handle(_ batch: StoreEventBatch) async throws(StoreError) {
        // That a payment is being sent is announced before its sale is recorded.
        await publishAnnouncements()
        if batch.events.contains(where: { $0.kind == .valueChanged }) {
            _ = try? await processor.syncValues()
        }
        var hasReportedTrouble = false
        var pause = RetryPause()
        while !Task.isCancelled {
            do throws(StoreError) {
                let plan = try await processor.plan(batch)
                try await carryOut(plan, eventCount: batch.events.count)
                if let fault = batch.heldBack {
                    let error = StoreError(fault, subject: Fault.Call.updates.rawValue)
                    hub.publish(.trouble(error, ended: false))
                }
                return
            } catch {
                // A retry cannot help if the store has lost entries or was replaced.
                if error.code == .storeBehind || error.code == .storeReplaced { throw error }
                // The network was cut within the batch. The feed delivers the batch again when the
                // network is back.
                if error.isNetworkOff { throw error }
                // The write failed as a whole, so the same batch can be carried out again.
                if !hasReportedTrouble { hub.publish(.trouble(error, ended: false)) }
                hasReportedTrouble = true
                guard await pause.wait() else { return }
            }
        }
    }

    /// Records a batch's steps if this process holds the lease, publishes them, and then downloads
    /// and finishes the delivered transactions. For batches without an effect on the records, the
    /// cursor is written only every `DeviceLimits.unsavedEventsMax` events: reading them again does
    /// no harm.
    private func carryOut(_ plan: DeliveryPlan, eventCount: Int) async throws(StoreError) {
        guard holdsLease else { return announce(plan, new: []) }
        if plan.hasUnclaimed { try await processor.claimUnclaimed() }
        unsavedEvents += eventCount
        var recorded = DeliveryProcessor.Recorded()
        if plan.changesRecords || unsavedEvents > DeviceLimits.unsavedEventsMax {
            recorded = try await processor.record(plan)
            unsavedEvents = 0
        }
        if plan.changesUnlocks { await unlocks.update() }
        announce(plan, new: recorded.new)
        if plan.changesReceipt { receipts.purchasesChanged() }
        let changed = plan.changed
        if recorded.hasDownloads || !changed.isEmpty { await downloads.reconcile() }
        if !changed.isEmpty { await downloads.removeDropped(of: Set(changed.map(\.product))) }
        // Also revised ones and those whose packages another one has now: the downloads of one that
        // was taken back have ended, and the others have none left, so they can be finished.
        let delivered = plan.sales.filter(\.isOurs).map(\.id)
        let done = delivered + changed.map(\.id) + recorded.replaced.sorted()
        guard !done.isEmpty else { return }
        announceFinished(await finisher.finish(done))
    }

    /// Before their events arrive.
    private func announceFinished(_ ids: [TransactionID]) {
        for id in ids where announcedFinished.insert(id).inserted {
            hub.publish(.event(.finished(id)))
        }
        if !ids.isEmpty { receipts.purchasesChanged() }
    }

    /// Each event is published once, even if this process reads it again after taking over the
    /// lease.
    private func announce(
        _ plan: DeliveryPlan, new: Set<TransactionID>, isComplete: Bool = false
    ) {
        // A batch read after the recorded cursor may begin with events that are already published.
        var announcedPosition: Int64 = 0
        if let cursor = plan.cursor {
            if let announcedCursor, cursor.epoch == announcedCursor.epoch {
                if cursor.position <= announcedCursor.position { return }
                announcedPosition = announcedCursor.position
            }
            announcedCursor = cursor
        }
        for (index, step) in plan.steps.enumerated() {
            if plan.positions.indices.contains(index), plan.positions[index] <= announcedPosition {
                continue
            }
            switch step {
            // At launch, unfinished transactions are published and finished before the feed brings
            // the events of their sales.
            case .deliver(let sale) where announcedFinished.contains(sale.id): break
            // A process that takes over the lease gets a list of unfinished transactions that it
            // may have published as a watcher.
            case .deliver(let sale)
            where plan.cursor == nil && !isComplete && hub.isUnfinished(sale.id):
                break
            case .deliver(let sale)
            where plan.cursor != nil && !sale.isOffered
                && announcedUnfinished.remove(sale.id) != nil:
                break
            case .deliver(let sale):
                if plan.cursor == nil, !isComplete { announcedUnfinished.insert(sale.id) }
                let update = DeviceUpdate.transaction(
                    .verified(sale.transaction.payload), signed: sale.transaction.signed,
                    isNew: new.contains(sale.id))
                hub.publish(update, isCompleted: isComplete || !sale.isOurs)
            case .reject(let issued, let claimed, let error, _):
                hub.publish(
                    .transaction(
                        .unverified(claimed, error), signed: issued.signed, isNew: false))
            case .void(let id, let claimer, _): hub.publish(.event(.claimed(id, by: claimer)))
            case .announce(.finished(let id)):
                announcedUnfinished.remove(id)
                if announcedFinished.remove(id) == nil { hub.publish(.event(.finished(id))) }
            case .grantAgain: break
            case .hold(let product, _): hub.publish(.event(.promoted(product)))
            case .revise(let transaction, _, let kind):
                hub.publish(
                    .revised(transaction.payload, kind, signed: transaction.signed))
            case .apply(let change), .announce(let change): hub.publish(.event(change))
            }
        }
    }
}
