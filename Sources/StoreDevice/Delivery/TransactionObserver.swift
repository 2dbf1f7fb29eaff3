import Basics
import DurableFiles
import StoreModel
import StoreSigning

/// The transaction observer (StoreKit: `SKPaymentTransactionObserver`, `Transaction.updates`):
/// registered at launch, it lives as long as the program and handles whatever comes, also when
/// nobody looks.
actor TransactionObserver {
    private let processor: DeliveryProcessor
    private let thread: SerialQueueExecutor
    private let hub: UpdateHub
    private let downloads: DownloadManager
    private let finisher: Finisher
    private let resender: PaymentResender
    private let notifier: CommitNotifier
    private let leasePath: String
    private var lease: FileLock?
    private var loop: Task<Void, Never>?
    private var waitingForLease: Task<Void, Never>?
    /// The last batch this process told its readers about.
    private var told: FeedCursor?
    /// Where this process began to tell.
    private var begun: FeedCursor?
    private var unsavedEvents = 0
    /// Finished here and told; their events are still to come.
    private var toldFinished: Set<TransactionID> = []
    /// Told because they wait to be finished; the events of their sales may be still to come.
    private var toldWaiting: Set<TransactionID> = []
    private var isClosed = false
    /// Sends the payments of processes that end while this one delivers.
    private var resending: Task<Void, Never>?

    init(
        processor: DeliveryProcessor, hub: UpdateHub, downloads: DownloadManager,
        finisher: Finisher,
        resender: PaymentResender, notifier: CommitNotifier, leasePath: String
    ) {
        self.processor = processor
        thread = processor.database.thread
        self.hub = hub
        self.downloads = downloads
        self.finisher = finisher
        self.resender = resender
        self.notifier = notifier
        self.leasePath = leasePath
    }

    /// On the thread of the device's records, which every batch of events ends in.
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    var holdsLease: Bool { lease != nil }

    /// When this returns, whatever happens from then on is told. Once, or again after `rest`.
    ///
    /// - Parameter limit: the most that may be charged by sending a payment again whose sender has
    ///   ended; nil for no bound.
    func launch(resendingAtMost limit: Money? = nil) async throws(StoreError) {
        guard loop == nil else { return }
        await resender.setLimit(limit)
        lease = try DeliveryLease.takeNow(leasePath)
        // After a rest it is known where to go on, and the loop mends what fails.
        let start = begun == nil ? try await firstCursor() : nil
        begun = begun ?? start
        if lease == nil { waitForLease() }
        startLoop(after: start)
        let downloads = downloads
        Task { await downloads.listen() }
    }

    /// Stops handling anything and gives the lease back, until `launch`.
    func suspend() async {
        waitingForLease?.cancel()
        waitingForLease = nil
        loop?.cancel()
        // Whoever takes over must not meet this one still at work.
        await loop?.value
        loop = nil
        resending?.cancel()
        await resending?.value
        resending = nil
        await finisher.suspend()
        await downloads.suspend()
        lease?.release()
        lease = nil
    }

    /// The same for good.
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

    /// The process that delivered has ended: this one goes on where the records say.
    private func takeOver(_ result: Result<FileLock, StoreError>) async {
        switch result {
        case .failure(let error): hub.publish(.trouble(error, ended: false))
        case .success(let lock):
            // Who rests or is closed has cancelled this waiting.
            guard !isClosed, !Task.isCancelled else { return lock.release() }
            loop?.cancel()
            await loop?.value
            guard !isClosed, !Task.isCancelled else { return lock.release() }
            lease = lock
            startLoop()
            hub.publish(.leaseTaken)
        }
    }

    private func startLoop(after start: FeedCursor? = nil) {
        loop = Task { [weak self] in await self?.run(after: start) }
    }

    // MARK: - The loop

    private func run(after known: FeedCursor?) async {
        var known = known
        var wasToldOfTrouble = false
        var pause = RetryPause()
        while !Task.isCancelled {
            do {
                var start: FeedCursor
                if let known { start = known } else { start = try await firstCursor() }
                start = try await catchUp(to: start)
                try await recover()
                known = nil
                wasToldOfTrouble = false
                pause.reset()
                for try await batch in processor.store.updates(after: start) {
                    if Task.isCancelled { return }
                    try await handle(batch)
                }
                return
            } catch {
                guard !Task.isCancelled else { return }
                let error = error as? StoreError ?? StoreError(.unknown, cause: "\(error)")
                let goesOn = Self.mayPass(error)
                if !goesOn || !wasToldOfTrouble {
                    hub.publish(.trouble(error, ended: !goesOn))
                }
                guard goesOn else { return }
                wasToldOfTrouble = true
                guard await pause.wait() else { return }
            }
        }
    }

    /// Whether trying again later may succeed: a disk that failed once, or was full, may not the next
    /// time.
    private static func mayPass(_ error: StoreError) -> Bool {
        switch error.code {
        case .storeReplaced: false
        case .storeUnreadable, .deviceUnreadable, .storeReadOnly: true
        default: error.isRetryable
        }
    }

    /// Who delivers goes on after the last recorded effect; who only watches, after what it told,
    /// or begins now.
    private func firstCursor() async throws(StoreError) -> FeedCursor {
        let recorded = try await processor.database.read { try DeviceRecords($0).cursor }
        if holdsLease, let recorded { return recorded }
        if let seen = told ?? begun { return seen }
        return try await processor.store.head()
    }

    /// Tells what another process delivered while this one rested: that is recorded, and only news.
    /// Answers with where to go on: who delivers, after the last recorded effect all the same.
    private func catchUp(to start: FeedCursor) async throws -> FeedCursor {
        let end = holdsLease ? start : try await processor.store.head()
        if let seen = told ?? begun, seen.epoch == end.epoch, seen.position < end.position {
            for try await batch in processor.store.updates(after: seen) {
                if Task.isCancelled { break }
                announce(try await processor.plan(batch), new: [])
                if batch.cursor.position >= end.position { break }
            }
        }
        return holdsLease ? start : told ?? start
    }

    /// What a launch owes: payments without an answer, transactions without an end, downloads.
    private func recover() async throws(StoreError) {
        let answered = holdsLease ? try await resendQueue() : []
        let asOf = try await processor.store.head()
        let unfinished = try await processor.store.unfinished(allDevices: false)
        let plan = await processor.plan(unfinished: unfinished, asOf: asOf)
        guard holdsLease else { return announce(plan, new: []) }
        announce(plan, new: plan.changesRecords ? try await processor.record(plan).new : [])
        if !answered.isEmpty {
            // What was sold and waits is delivered by now; what was finished or claimed elsewhere
            // has nothing left to wait for.
            try await processor.database.write { db in
                for payment in answered { try DeviceRecords(db).dequeue(payment) }
            }
        }
        await downloads.start()
        announceFinished(await finisher.finish(plan.sales.map(\.id)))
        followQueue()
    }

    private func resendQueue() async throws(StoreError) -> [PaymentID] {
        try await resender.send(complete: completing)
    }

    /// Takes over the payments of other processes that end while this one delivers.
    private func followQueue() {
        guard resending == nil else { return }
        let complete = completing
        resending = Task { [notifier, resender] in
            await resender.follow(notifier.subscribeToOthers(), complete: complete)
        }
    }

    /// What becomes of an answer to a payment that was sent again.
    private var completing: PaymentResender.Complete {
        { [weak self] payment, outcome async throws(StoreError) in
            guard let observer = self else { return }
            try await observer.complete(payment, outcome)
        }
    }

    /// The store has answered. Its event will say the same and take the payment from the queue with
    /// its effect; but what was owned before has no event, and that of a payment whose id was used
    /// before has passed.
    func complete(_ payment: Payment, _ outcome: PurchaseOutcome) async throws(StoreError) {
        guard case .purchased(let signed, let id, alreadyOwned: true) = outcome else {
            return try await processor.complete(payment, outcome)
        }
        let owned = UnfinishedTransaction(
            IssuedTransaction(
                id: id, productID: payment.productID, type: .nonConsumable, signed: signed,
                payment: payment.id), device: processor.store.device)
        let plan = await processor.plan(unfinished: [owned], asOf: try await processor.store.head())
        announce(plan, new: try await processor.record(plan).new, isComplete: true)
        await downloads.look()
    }

    private func handle(_ batch: StoreEventBatch) async throws(StoreError) {
        var wasToldOfTrouble = false
        var pause = RetryPause()
        while !Task.isCancelled {
            do throws(StoreError) {
                let plan = try await processor.plan(batch)
                try await carryOut(plan, eventCount: batch.events.count)
                return
            } catch {
                // A store that lost entries stays so: no trying again mends that.
                if error.code == .storeBehind || error.code == .storeReplaced { throw error }
                // Nothing was recorded, nothing is skipped: the same batch again, a little later.
                if !wasToldOfTrouble { hub.publish(.trouble(error, ended: false)) }
                wasToldOfTrouble = true
                guard await pause.wait() else { return }
            }
        }
    }

    private func carryOut(_ plan: DeliveryPlan, eventCount: Int) async throws(StoreError) {
        guard holdsLease else { return announce(plan, new: []) }
        unsavedEvents += eventCount
        var recorded = DeliveryProcessor.Recorded()
        if plan.changesRecords || unsavedEvents > DeviceLimits.unsavedEventsMax {
            recorded = try await processor.record(plan)
            unsavedEvents = 0
        }
        announce(plan, new: recorded.new)
        let changed = plan.changed
        if recorded.hasDownloads || !changed.isEmpty { await downloads.look() }
        if !changed.isEmpty { await downloads.removeDropped(of: Set(changed.map(\.product))) }
        // What was taken back has nothing left to fetch either.
        let done = plan.sales.filter(\.isOurs).map(\.id) + changed.map(\.id)
        guard !done.isEmpty else { return }
        announceFinished(await finisher.finish(done))
    }

    /// Tells at once what this process finished itself; the event that follows says nothing new.
    private func announceFinished(_ ids: [TransactionID]) {
        for id in ids where toldFinished.insert(id).inserted { hub.publish(.finished(id)) }
    }

    /// Tells the readers, once per event even when another process's part is taken over.
    private func announce(
        _ plan: DeliveryPlan, new: Set<TransactionID>, isComplete: Bool = false
    ) {
        // A batch read from the last recorded effect may begin before what was told.
        var toldUntil: Int64 = 0
        if let cursor = plan.cursor {
            if let told, cursor.epoch == told.epoch {
                if cursor.position <= told.position { return }
                toldUntil = told.position
            }
            told = cursor
        }
        for (index, step) in plan.steps.enumerated() {
            if plan.positions.indices.contains(index), plan.positions[index] <= toldUntil {
                continue
            }
            switch step {
            // A launch tells and finishes what is unfinished before it reads the event of its sale.
            case .deliver(let sale) where toldFinished.contains(sale.id): break
            // Taking over, this process meets again what it told as a watcher.
            case .deliver(let sale)
            where plan.cursor == nil && !isComplete && hub.isUnfinished(sale.id):
                break
            case .deliver(let sale)
            where plan.cursor != nil && !sale.isOffered
                && toldWaiting.remove(sale.id) != nil:
                break
            case .deliver(let sale):
                if plan.cursor == nil, !isComplete { toldWaiting.insert(sale.id) }
                let update = DeviceUpdate.transaction(
                    .verified(sale.transaction.payload), signed: sale.transaction.signed,
                    isNew: new.contains(sale.id))
                isComplete || !sale.isOurs
                    ? hub.publishCompleted(update) : hub.publish(update)
            case .reject(let signed, let claimed, let error):
                hub.publish(
                    .transaction(.unverified(claimed, error), signed: signed, isNew: false))
            case .deferred(let payment, let request):
                hub.publish(.deferred(payment, request: request))
            case .failed(let payment, let error): hub.publish(.failed(payment, error))
            case .void(let id, let claimer, _): hub.publish(.claimed(id, by: claimer))
            case .announce(.finished(let id)):
                toldWaiting.remove(id)
                if toldFinished.remove(id) == nil { hub.publish(.finished(id)) }
            case .grantAgain: break
            case .revise(let transaction, _, let kind):
                hub.publish(
                    .revised(transaction.payload, kind, signed: transaction.signed))
            case .delete(let id, let product, _):
                hub.publish(.deleted(id, productID: product))
            case .announce(let update): hub.publish(update)
            }
        }
    }
}
