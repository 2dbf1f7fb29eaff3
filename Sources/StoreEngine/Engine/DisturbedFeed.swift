import StoreModel
import Synchronization

/// One reader's feed of a device, as a fault of `Fault.Call.updates` disturbs it. Only what is read
/// is held back or comes again, and the cursor never goes back: a reader that starts again after
/// any cursor misses nothing.
final class DisturbedFeed {
    /// What the reader gets next.
    struct Portion {
        var entries: [RecordedEntry]
        var cursor: FeedCursor
        /// The fault that holds back what follows; nil if nothing is held back, or only until a
        /// purchase is answered.
        var heldBack: StoreError.Code?
        /// The fault that disturbs these entries; nil for none.
        var disorder: StoreError.Code?
    }

    private let engine: StoreEngine
    private let customer: Customer
    private let reader: FeedReaders.Reader
    /// What comes again.
    private var repeated: StoreEventBatch?
    /// Nil until something is held back for the first time.
    private var waker: FeedWaker?
    private var isHolding = false
    /// The position of the held entry that the reader has been told of.
    private var toldHeld: Int64?

    init(_ engine: StoreEngine, of account: AccountName, on device: DeviceName, after: FeedCursor) {
        self.engine = engine
        customer = Customer(
            account: account, device: device, homeTerritory: engine.homeTerritory)
        reader = engine.feedReaders.reader(of: customer, after: after)
    }

    /// Wakes the reader where commits alone do not; nil while nothing is held back.
    var wakes: AsyncStream<Void>? { waker?.wakes }

    /// Call it when the reader asks for more: it has then taken everything up to the cursor.
    ///
    /// - Returns: what comes again; nil for nothing.
    func next(after cursor: FeedCursor) -> StoreEventBatch? {
        if let batch = repeated {
            repeated = nil
            return batch
        }
        reader.hasTaken(isHolding ? nil : cursor)
        return nil
    }

    /// - Parameter hasMore: whether more entries follow the page.
    /// - Returns: nil while the reader gets nothing: it waits for the next wake.
    func portion(
        of page: EntryPage, hasMore: Bool, _ faults: [Fault]
    ) async -> Portion? {
        var portion = Portion(entries: page.entries, cursor: page.cursor)
        let fault = faults.ofUpdates
        var step = FeedStep(count: page.entries.count)
        if let fault {
            step = FeedFaultRules.step(
                of: page.entries, hasMore: hasMore, under: fault, at: engine.clock.now(),
                on: customer.device, unanswered: engine.feedReaders.unanswered)
        }
        isHolding = step.count < page.entries.count
        if isHolding, let fault {
            let held = page.entries[step.count]
            portion.entries = Array(page.entries.prefix(step.count))
            portion.cursor = FeedCursor(epoch: page.cursor.epoch, position: held.position - 1)
            holdBack(until: step.until)
            let isTold = fault.error == .deliveredAfterAnswer || toldHeld == held.position
            if portion.entries.isEmpty, isTold { return nil }
            toldHeld = held.position
            portion.heldBack = fault.error == .deliveredAfterAnswer ? nil : fault.error
        }
        let updates = Set(portion.entries.lazy.filter(\.isUpdate).map(\.position))
        if !updates.isEmpty {
            portion.disorder = await disorder(of: updates, step.usesFault ? fault : nil)
        }
        return portion
    }

    /// How these updates come. Another reader of this process may have used up the fault for them.
    private func disorder(of updates: Set<Int64>, _ fault: Fault?) async -> StoreError.Code? {
        if let used = engine.feedReaders.use(of: updates, by: customer) { return used.error }
        guard let fault else { return nil }
        // A fault of every delivery is not used up.
        guard fault.remaining != nil else { return fault.error }
        let use = FeedReaders.Use(
            fault: fault.id, customer: customer, updates: updates, error: fault.error)
        engine.feedReaders.note(use)
        // A store that records nothing now must not keep its feed from going on.
        let spent = try? await engine.committer.submit(
            SpendFaultRequest(call: .updates, device: customer.device))
        if spent == fault.error { return fault.error }
        engine.feedReaders.forget(use)
        return nil
    }

    private func holdBack(until instant: Timestamp?) {
        reader.hasTaken(nil)
        let waker = self.waker ?? FeedWaker(engine.ledger.changes(), engine.feedReaders.answers.subscribe())
        self.waker = waker
        // A stopped clock reaches no instant; moving it is a commit.
        guard let instant, let elapsed = engine.elapsed, !engine.clock.state.isStopped else {
            return
        }
        waker.wake(after: instant.milliseconds(since: engine.clock.now()), by: elapsed)
    }

    /// The batch of a portion, as its fault disturbs it.
    func batch(
        _ events: [StoreEvent], of portion: Portion, mark: FeedMark?
    ) -> StoreEventBatch {
        var batch = StoreEventBatch(
            events: events, cursor: portion.cursor, mark: mark, heldBack: portion.heldBack)
        switch portion.disorder {
        case .deliveredTwice?:
            var again = batch
            again.events = events.filter { $0.issued != nil }
            repeated = again
        case .deliveredOutOfOrder?:
            let movable = FeedFaultRules.movable(portion.entries)
            batch.events = events.newestFirst(
                at: Set(movable.map { portion.entries[$0].position }))
        default: break
        }
        return batch
    }
}

extension [StoreEvent] {
    /// The events at these positions change places, the newest first; the others keep theirs.
    func newestFirst(at positions: Set<Int64>) -> [StoreEvent] {
        let places = indices.filter { positions.contains(self[$0].cursor.position) }
        var events = self
        for (place, other) in zip(places, places.reversed()) { events[place] = self[other] }
        return events
    }
}

/// Wakes the reader of a feed that holds an update back: after each commit, after each answer of a
/// purchase, and when the update's time has come.
private final class FeedWaker: Sendable {
    let wakes: AsyncStream<Void>
    private let signal: ChangeSignal
    private let following: [Task<Void, Never>]
    private let alarm = Mutex<Task<Void, Never>?>(nil)

    init(_ sources: AsyncStream<Void>...) {
        let signal = ChangeSignal()
        self.signal = signal
        wakes = signal.subscribe()
        following = sources.map { source in
            Task { for await _ in source { signal.notify() } }
        }
    }

    deinit {
        for task in following { task.cancel() }
        alarm.withLock { $0 }?.cancel()
    }

    /// In place of an earlier call.
    func wake(after milliseconds: Int64, by elapsed: any Clock<Duration>) {
        let task = Task { [signal] in
            guard (try? await elapsed.sleep(for: .milliseconds(milliseconds))) != nil else { return }
            signal.notify()
        }
        alarm.withLock { earlier in
            earlier?.cancel()
            earlier = task
        }
    }
}
