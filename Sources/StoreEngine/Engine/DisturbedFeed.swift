import StoreModel
import Synchronization

/// One reader's feed of a device, as a fault of `Fault.Call.updates` disturbs it. It keeps nothing
/// that its reader would miss after another start, because the cursor passes nothing that was held
/// back, and never goes back.
final class DisturbedFeed {
    private let engine: StoreEngine
    private let device: DeviceName
    private(set) var isHolding = false
    /// Wakes the reader also when a purchase is answered and when time has passed; nil until
    /// something is held back for the first time.
    private(set) var wakes: AsyncStream<Void>?
    private let signal = ChangeSignal()
    private var following: [Task<Void, Never>] = []
    private var alarm: Task<Void, Never>?
    /// The position of the held entry that the reader has been told of.
    private var told: Int64?
    private var repeated: StoreEventBatch?

    init(_ engine: StoreEngine, of device: DeviceName) {
        (self.engine, self.device) = (engine, device)
    }

    deinit { for task in following + [alarm].compactMap(\.self) { task.cancel() } }

    /// The batch that comes a second time, once; nil for none.
    func takeRepeated() -> StoreEventBatch? {
        defer { repeated = nil }
        return repeated
    }

    /// Leaves on the page what the reader gets now; nil while it gets nothing and waits for a wake.
    /// More entries may follow the page (`hasMore`).
    func cut(_ page: inout EntryPage, hasMore: Bool, under faults: [Fault]) async -> FeedStep? {
        let step = FeedFaultRules.step(
            of: page.entries, hasMore: hasMore, under: faults, at: engine.clock.now(), on: device,
            unanswered: engine.unanswered.all)
        isHolding = step.holding != nil
        if isHolding { follow(until: step.until) }
        if step.count < page.entries.count {
            let next = page.entries[step.count].position
            if isHolding, step.count == 0, told == next { return nil }
            told = isHolding ? next : nil
            page = EntryPage(
                entries: Array(page.entries.prefix(step.count)),
                cursor: FeedCursor(epoch: page.cursor.epoch, position: next - 1))
        }
        if let fault = step.disorder, !step.isCounted {
            // A store that records nothing now must not keep its feeds from going on.
            _ = try? await engine.committer.submit(
                SpendFaultRequest(call: .updates, device: device, seen: fault))
        }
        return step
    }

    private func follow(until instant: Timestamp?) {
        if wakes == nil {
            wakes = signal.subscribe()
            let sources = [engine.ledger.changes(), engine.unanswered.answers.subscribe()]
            following = sources.map { source in
                Task { [signal] in for await _ in source { signal.notify() } }
            }
        }
        alarm?.cancel()
        // A stopped clock reaches no instant; moving it is a commit.
        guard let instant, let elapsed = engine.elapsed, !engine.clock.state.isStopped else {
            return
        }
        let left = instant.milliseconds(since: engine.clock.now())
        alarm = Task { [signal] in
            try? await elapsed.sleep(for: .milliseconds(left))
            if !Task.isCancelled { signal.notify() }
        }
    }

    func batch(
        _ events: [StoreEvent], of page: EntryPage, _ step: FeedStep, mark: FeedMark?
    ) -> StoreEventBatch {
        var batch = StoreEventBatch(events: events, cursor: page.cursor, mark: mark)
        // The answer of a purchase comes soon: for that a reader may wait.
        if step.holding?.error != .deliveredAfterAnswer { batch.heldBack = step.holding?.error }
        let disorder = step.disorder?.error
        if disorder == .deliveredTwice {
            repeated = batch
            repeated?.events.removeAll { $0.issued == nil }
        } else if disorder == .deliveredOutOfOrder {
            let movable = FeedFaultRules.movable(page.entries).map { page.entries[$0].position }
            let places = events.indices.filter { movable.contains(events[$0].cursor.position) }
            for (place, other) in zip(places, places.reversed()) {
                batch.events[place] = events[other]
            }
        }
        return batch
    }
}

/// The payments of this process whose `purchase` has not answered.
final class UnansweredPayments: Sendable {
    let answers = ChangeSignal()
    private let payments = Mutex<Set<PaymentID>>([])

    var all: Set<PaymentID> { payments.withLock { $0 } }

    func begin(_ payment: PaymentID) { payments.withLock { _ = $0.insert(payment) } }

    func end(_ payment: PaymentID) {
        payments.withLock { _ = $0.remove(payment) }
        answers.notify()
    }
}
