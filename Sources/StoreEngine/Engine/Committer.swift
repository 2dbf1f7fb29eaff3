import Basics
import StoreModel

/// The one place of a process where decisions meet the ledger. Requests that arrive while a commit
/// is under way share the next one, so that many payments at once cost few durable writes.
actor Committer {
    private let ledger: any Ledger
    private let executor: any SerialExecutor
    private let catalogs: CatalogCache
    private let clock: LedgerClock
    private var queue: [any QueuedRequest] = []
    private var isCommitting = false

    init(ledger: any Ledger, catalogs: CatalogCache, clock: LedgerClock) {
        self.ledger = ledger
        executor =
            (ledger as? any SharedExecutorLedger)?.executor
            ?? SerialQueueExecutor(label: "storefront.committer")
        self.catalogs = catalogs
        self.clock = clock
    }

    /// On the ledger's own thread where it shares one: reading, deciding and recording change no
    /// thread in between.
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Decides a request and records what follows; returns once that is durable.
    func submit<R: Request>(_ request: R) async throws(StoreError) -> R.Answer {
        let result = await withCheckedContinuation { continuation in
            queue.append(Queued(request: request, caller: continuation))
            if !isCommitting {
                isCommitting = true
                Task { await commitAll() }
            }
        }
        return try result.get()
    }

    /// Why a request would be refused now; nil where it would not. Records nothing.
    func refusal(of request: some Request) async throws(StoreError) -> StoreError? {
        let context = try await context(for: [request])
        if case .refuse(let error) = request.decide(in: context) { return error }
        return nil
    }

    private func commitAll() async {
        while !queue.isEmpty {
            if queue.count > 1 { await gather() }
            for reply in await commitBatch() { reply() }
        }
        isCommitting = false
    }

    /// Lets everybody join who is on the way already: a crowd costs one commit, not one and a half.
    private func gather() async {
        var count = 0
        while count < queue.count, queue.count < StoreLimits.batchMax {
            count = queue.count
            await Task.yield()
        }
    }

    /// The replies to those at the head of the queue; what has to be decided again is back in it.
    private func commitBatch() async -> [Reply] {
        let batch = Array(queue.prefix(StoreLimits.batchMax))
        queue.removeFirst(batch.count)
        do throws(StoreError) {
            let (replies, again) = try await commit(batch)
            queue.insert(contentsOf: again, at: 0)
            return replies
        } catch { return batch.map { $0.failed(error) } }
    }

    /// Reads once, decides each, appends once. Returns what has to be decided again.
    private func commit(
        _ batch: [any QueuedRequest]
    ) async throws(StoreError) -> (replies: [Reply], again: [any QueuedRequest]) {
        var context = try await context(for: batch.map(\.erased))
        // Nothing is decided about an account before what is due there has happened.
        let overdue = context.snapshot.firstDue.filter { $0.value <= context.now }.keys
        if !overdue.isEmpty {
            for account in overdue.sorted() { _ = try await recordDue(account) }
            context = try await self.context(for: batch.map(\.erased))
        }
        var plan = BatchPlan(context: context)
        for queued in batch { plan.add(queued) }
        let results =
            plan.decisions.isEmpty
            ? [] : try await ledger.append(plan.decisions, at: context.now)

        var again: [any QueuedRequest] = []
        var replies: [Reply] = []
        for (queued, step) in zip(batch, plan.steps) {
            switch step {
            case .replied(let reply): replies.append(reply)
            case .later: again.append(queued)
            case .recorded(let index, let answered):
                switch results[index] {
                case .recorded(let entries): replies.append(answered(entries))
                case .conflict:
                    if let retried = queued.retried {
                        again.append(retried)
                    } else {
                        replies.append(queued.failed(StoreError(.storeBusy)))
                    }
                }
            }
        }
        return (replies, again)
    }

    // MARK: - What happens by itself

    /// What the ledger knows of an account once all that is due there by now is recorded. Where the
    /// store cannot be written, what stands.
    func snapshotAfterDue(_ account: AccountName) async throws(StoreError) -> LedgerSnapshot {
        var query = LedgerQuery()
        query.accounts = [account]
        let found = try await snapshot(query)
        guard let due = found.firstDue[account], due <= clock.now() else { return found }
        do throws(StoreError) {
            _ = try await recordDue(account)
        } catch  where error.code == .storeFull || error.code == .storeReadOnly {
            return found
        }
        return try await snapshot(query)
    }

    /// Learns from the ledger what time it is in the store.
    func learnTime() async throws(StoreError) { _ = try await snapshot(LedgerQuery()) }

    /// What happens next by itself, of one account or of all; the clock has learned what time it is.
    func nextDue(of account: AccountName?) async throws(StoreError) -> DueItem? {
        try await learnTime()
        return try await ledger.due(through: .latest, of: account, limit: 1).first
    }

    /// Records all that is due by now, of one account or of all, each at its own instant and in
    /// order, page by page; answers with what was recorded. What another process records meanwhile is
    /// not recorded again.
    func recordDue(_ account: AccountName?) async throws(StoreError) -> [RecordedEntry] {
        var recorded: [RecordedEntry] = []
        var last: [DueItem] = []
        // The clock may have been moved just now, by this process or another.
        try await learnTime()
        while true {
            let items = try await ledger.due(
                through: clock.now(), of: account, limit: StoreLimits.duePageMax)
            // The same again: nothing of it can be carried out by this program.
            guard !items.isEmpty, items != last else { return recorded }
            last = items
            let context = try await context(for: [DueRequest(items: items)])
            guard let decision = RenewalRules.carryOut(items, in: context) else { continue }
            switch try await ledger.append([decision], at: context.now).first {
            case .recorded(let entries):
                recorded.append(
                    contentsOf: entries.prefix(
                        max(0, StoreLimits.actionEventsMax - recorded.count)))
            case .conflict, nil: last = []
            }
        }
    }

    /// Reads the ledger, and learns from it what time it is.
    private func snapshot(_ query: LedgerQuery) async throws(StoreError) -> LedgerSnapshot {
        let found = try await ledger.snapshot(query)
        clock.learn(found)
        return found
    }

    private func storeTime() throws(StoreError) -> Timestamp {
        let reckoned = clock.reckoned
        guard reckoned >= .earliest, reckoned <= .latest else {
            throw StoreError(
                .clockOutOfRange, found: String(reckoned.milliseconds),
                expected: "a date from 2000 to 2100")
        }
        return clock.now()
    }

    private func context(
        for requests: [any Request]
    ) async throws(StoreError) -> RuleContext {
        // The catalog tells what to look up, the lookup tells which catalog is in force: look
        // again in the rare case that it was another.
        var known = try await catalogs.catalog(nil)
        while true {
            var query = LedgerQuery()
            for request in requests {
                request.addDependencies(to: &query, catalog: known.index)
            }
            var snapshot = try await self.snapshot(query)
            while true {
                let before = query
                for request in requests {
                    request.addDependencies(of: snapshot, to: &query, catalog: known.index)
                }
                guard query != before else { break }
                snapshot = try await self.snapshot(query)
            }
            let inForce = try await catalogs.catalog(snapshot.catalog)
            if inForce.digest == known.digest {
                return RuleContext(
                    snapshot: snapshot, catalog: inForce.index, now: try storeTime(),
                    systemNow: clock.systemNow)
            }
            known = inForce
        }
    }
}

/// Resumes one caller of `submit`.
private typealias Reply = @Sendable () -> Void

/// A request of any type with the caller that waits for its answer.
private protocol QueuedRequest: Sendable {
    var erased: any Request { get }
    /// The same, to be decided once more; nil if that was tried often enough.
    var retried: (any QueuedRequest)? { get }
    func planned(in context: RuleContext) -> PlannedReply
    func failed(_ error: StoreError) -> Reply
}

private enum PlannedReply {
    case now(Reply)
    case recording(Decision, answered: ([RecordedEntry]) -> Reply)
}

private struct Queued<R: Request>: QueuedRequest {
    var request: R
    var caller: CheckedContinuation<Result<R.Answer, StoreError>, Never>
    var attempts = 0

    var erased: any Request { request }

    var retried: (any QueuedRequest)? {
        guard attempts < StoreLimits.conflictsMax else { return nil }
        var next = self
        next.attempts += 1
        return next
    }

    func planned(in context: RuleContext) -> PlannedReply {
        switch request.decide(in: context) {
        case .answer(let answer): .now(reply(.success(answer)))
        case .refuse(let error): .now(failed(error))
        case .record(let decision, let answer):
            .recording(decision) { entries in
                reply(Result { () throws(StoreError) in try answer(entries) })
            }
        }
    }

    func failed(_ error: StoreError) -> Reply { reply(.failure(error)) }

    private func reply(_ result: Result<R.Answer, StoreError>) -> Reply {
        { caller.resume(returning: result) }
    }
}

/// Which requests of a batch can share a commit, and with which decisions.
private struct BatchPlan {
    enum Step {
        case replied(Reply)
        /// What the decision with this index recorded gives the reply.
        case recorded(Int, answered: ([RecordedEntry]) -> Reply)
        /// Rests on something this batch changes: decided in the next one.
        case later
    }

    let context: RuleContext
    var steps: [Step] = []
    var decisions: [Decision] = []
    private var taken: Set<CollisionKey> = []

    init(context: RuleContext) { self.context = context }

    mutating func add(_ queued: any QueuedRequest) {
        let keys = queued.erased.collisions(in: context)
        let mustWait =
            keys.contains(where: taken.contains) || taken.contains(.everything)
            || (keys.contains(.everything) && !taken.isEmpty)
        guard !mustWait else { return steps.append(.later) }
        switch queued.planned(in: context) {
        case .now(let reply): steps.append(.replied(reply))
        case .recording(let decision, let answered):
            taken.formUnion(keys)
            steps.append(.recorded(decisions.count, answered: answered))
            decisions.append(decision)
        }
    }
}
