#if os(Linux)
import Basics
import StoreDevice
import StoreModel
import Synchronization

/// Reads a session's feed and puts each event on the session's board, and on that of the process
/// while the session is the process's. It needs no thread of Swift's cooperative pool, which a
/// caller may block until the feed has read what it did.
actor UpdateFeed {
    private let store: any Store
    private let device: Device
    private let publish: @Sendable (AppUpdate) -> Void
    private let thread = SerialQueueExecutor(label: "storekit.feed")
    /// For what runs on no actor while the feed waits, such as `AsyncStream`'s own `next()`.
    private let elsewhere = QueueTaskExecutor(label: "storekit.feed.waiting")
    private var cursor: FeedCursor
    /// The positions after the cursor whose events are published already: a batch that failed is
    /// read again, and may then have another order.
    private var published: Set<Int64> = []
    /// Whether a fault holds back what comes after the cursor.
    private var isHeldBack = false
    private var waiting: [(position: Int64, caller: CheckedContinuation<Void, Never>)] = []
    private var reading: Task<Void, Never>?
    private var isStopped = false
    private let returned = ReturnedSales()

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// - Parameter cursor: the feed is read after it.
    init(
        store: any Store, device: Device, after cursor: FeedCursor,
        publish: @escaping @Sendable (AppUpdate) -> Void
    ) {
        self.store = store
        self.device = device
        self.cursor = cursor
        self.publish = publish
    }

    func start() {
        reading = reading ?? Task(executorPreference: elsewhere) { await self.read() }
    }

    func stop() {
        reading?.cancel()
        isStopped = true
        endWaiting()
    }

    /// Returns when every event up to the store's present end is published, or at once while the
    /// feed cannot be read or is held back on purpose.
    func catchUp() async {
        guard let end = try? await store.head(), end.epoch == cursor.epoch else { return }
        await withCheckedContinuation { caller in
            // Without a network nobody waits.
            guard !isStopped, !isHeldBack, !device.network().isOff,
                cursor.position < end.position
            else { return caller.resume() }
            waiting.append((end.position, caller))
        }
    }

    /// Sends a payment. The event of a sale that this call returns is published as returned.
    nonisolated func buy(_ payment: Payment) async throws(StoreError) -> PurchaseOutcome {
        returned.begin(payment.id)
        let outcome: PurchaseOutcome
        do throws(StoreError) { outcome = try await device.buy(payment) } catch {
            end(payment, isSold: false)
            throw error
        }
        if case .purchased(_, _, let alreadyOwned) = outcome {
            end(payment, isSold: true, hasEvent: !alreadyOwned)
        } else {
            end(payment, isSold: false)
        }
        return outcome
    }

    private nonisolated func end(_ payment: Payment, isSold: Bool, hasEvent: Bool = false) {
        let update = returned.end(payment.id, willCome: hasEvent)
        // Sold by another's answer, before this call returned without a sale.
        if !isSold, let update { publish(update) }
    }

    private func read() async {
        while !Task.isCancelled {
            do {
                for try await batch in store.updates(after: cursor) {
                    let known = published
                    for event in batch.events where !known.contains(event.cursor.position) {
                        try await handle(event)
                        published.insert(event.cursor.position)
                    }
                    published = []
                    cursor = batch.cursor
                    isHeldBack = batch.heldBack != nil
                    resumeReached()
                }
            } catch {
                endWaiting()
                if device.network().isOff {
                    await device.networkReturns()
                } else {
                    try? await Task.sleep(for: DeviceLimits.retryPauseMin)
                }
            }
        }
        endWaiting()
    }

    private func resumeReached() {
        waiting.removeAll { waiter in
            guard isHeldBack || waiter.position <= cursor.position else { return false }
            waiter.caller.resume()
            return true
        }
    }

    private func endWaiting() {
        for waiter in waiting { waiter.caller.resume() }
        waiting = []
    }

    /// Not inlined: the optimiser of Swift 6.3 ends with "Found ownership error" where it is part of
    /// the loop.
    @inline(never) private func handle(_ event: StoreEvent) async throws(StoreError) {
        switch event.change {
        case .sold(let sale):
            guard let signed = try await text(of: sale, event) else { return }
            let transaction = await device.verified(signed)
            let isReturned = returned.take(
                sale.payment, .event(event, transaction, isReturned: false))
            publish(.event(event, transaction, isReturned: isReturned))
        case .revised:
            guard let signed = event.issued?.signed else { return }
            publish(.event(event, await device.verified(signed), isReturned: false))
        default: publish(.event(event, nil, isReturned: false))
        }
    }

    /// Of a sale that this device is to deliver; nil for a consumable of another device. One that no
    /// device has bought is claimed, so that no other delivers it, too.
    private func text(
        of sale: PastSale, _ event: StoreEvent
    ) async throws(StoreError) -> SignedTransaction? {
        guard sale.type == .consumable, event.device != store.device else {
            return event.issued?.signed
        }
        guard event.device == nil else { return nil }
        do { return try await store.claim(sale.id) } catch {
            // Another device has delivered it.
            if error.code == .transactionNotFound { return nil }
            throw error
        }
    }
}

/// The payments whose sales a call of this process returns.
private final class ReturnedSales: Sendable {
    private enum Entry {
        /// The call has not returned; with the event of a sale that came meanwhile.
        case awaited(AppUpdate?)
        /// The call has returned the sale, whose event will come.
        case returned
    }
    private let entries = Mutex<[PaymentID: Entry]>([:])

    func begin(_ payment: PaymentID) { entries.withLock { $0[payment] = .awaited(nil) } }

    /// - Parameter willCome: whether the call returns a sale, which has an event.
    /// - Returns: the event that came meanwhile.
    func end(_ payment: PaymentID, willCome: Bool) -> AppUpdate? {
        entries.withLock { entries in
            guard case .awaited(let update) = entries.removeValue(forKey: payment) else {
                return nil
            }
            if update == nil, willCome { entries[payment] = .returned }
            return update
        }
    }

    /// Whether a call returns, or has returned, the sale of this event. False for a sale that the
    /// feed delivers a second time.
    func take(_ payment: PaymentID?, _ update: AppUpdate) -> Bool {
        guard let payment else { return false }
        return entries.withLock { entries in
            switch entries[payment] {
            case nil, .awaited(.some): return false
            case .returned: entries[payment] = nil
            case .awaited(nil): entries[payment] = .awaited(update)
            }
            return true
        }
    }
}
#endif
