import StoreModel

/// The one place of a process where decisions meet the ledger. Requests that arrive while a commit
/// is under way share the next one, so that many payments at once cost few durable writes.
actor Committer {
    private struct Waiting {
        var request: Request
        var attempts = 0
        var answer: CheckedContinuation<Result<Answer, StoreError>, Never>

        /// To be decided once more; nil if that was tried often enough.
        var retried: Waiting? {
            guard attempts < StoreLimits.conflictsMax else { return nil }
            var next = self
            next.attempts += 1
            return next
        }
    }

    private struct Answered: Sendable {
        private let waiting: CheckedContinuation<Result<Answer, StoreError>, Never>
        private let result: Result<Answer, StoreError>

        init(_ waiting: Waiting, _ result: Result<Answer, StoreError>) {
            self.waiting = waiting.answer
            self.result = result
        }

        func tell() { waiting.resume(returning: result) }
    }

    private let ledger: any Ledger
    private let executor: any SerialExecutor
    private let shelf: CatalogShelf
    private let clock: any StoreClock
    private var queue: [Waiting] = []
    private var isCommitting = false

    init(ledger: any Ledger, shelf: CatalogShelf, clock: any StoreClock) {
        self.ledger = ledger
        executor = ledger.executor
        self.shelf = shelf
        self.clock = clock
    }

    /// On the ledger's own thread: reading, deciding and recording change no thread in between.
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Decides a request and records what follows; returns once that is durable.
    func submit(_ request: Request) async throws(StoreError) -> Answer {
        let result = await withCheckedContinuation { continuation in
            queue.append(Waiting(request: request, answer: continuation))
            if !isCommitting {
                isCommitting = true
                Task { await commitAll() }
            }
        }
        return try result.get()
    }

    private func commitAll() async {
        while !queue.isEmpty {
            if queue.count > 1 { await gather() }
            for one in await commitBatch() { one.tell() }
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

    /// What became of those at the head of the queue; who has to be decided again is back in it.
    private func commitBatch() async -> [Answered] {
        let batch = Array(queue.prefix(StoreLimits.batchMax))
        queue.removeFirst(batch.count)
        do throws(StoreError) {
            let (answered, again) = try await commit(batch)
            queue.insert(contentsOf: again, at: 0)
            return answered
        } catch { return batch.map { Answered($0, .failure(error)) } }
    }

    /// Reads once, decides each, appends once. Returns what has to be decided again.
    private func commit(
        _ batch: [Waiting]
    ) async throws(StoreError) -> (answered: [Answered], again: [Waiting]) {
        let now = clock.now()
        guard now >= .earliest, now <= .latest else {
            throw StoreError(
                .clockOutOfRange, found: String(now.milliseconds),
                expected: "a date from 2000 to 2100")
        }
        let context = try await context(for: batch.map(\.request), at: now)
        var plan = BatchPlan(context: context)
        for waiting in batch { plan.add(waiting.request) }
        let results =
            plan.decisions.isEmpty
            ? [] : try await ledger.append(plan.decisions, at: context.now)

        var again: [Waiting] = []
        var answered: [Answered] = []
        for (waiting, step) in zip(batch, plan.steps) {
            switch step {
            case .done(let result): answered.append(Answered(waiting, result))
            case .later: again.append(waiting)
            case .decision(let index):
                switch results[index] {
                case .recorded(let entries):
                    let answer = Rules.answer(
                        to: waiting.request, recorded: entries, in: context)
                    answered.append(Answered(waiting, .success(answer)))
                case .conflict:
                    guard let waiting = waiting.retried else {
                        answered.append(Answered(waiting, .failure(StoreError(.storeBusy))))
                        continue
                    }
                    again.append(waiting)
                }
            }
        }
        return (answered, again)
    }

    private func context(
        for requests: [Request], at now: Timestamp
    ) async throws(StoreError) -> RuleContext {
        // The catalog tells what to look up, the lookup tells which catalog is in force: look
        // again in the rare case that it was another.
        var known = try await shelf.catalog(nil)
        while true {
            var query = LedgerQuery()
            for request in requests { request.addNeeds(to: &query, catalog: known.index) }
            var snapshot = try await ledger.snapshot(query)
            if !snapshot.pending.isEmpty {
                for request in requests {
                    guard let waiting = request.waiting(in: snapshot) else { continue }
                    request.addNeeds(of: waiting, to: &query, catalog: known.index)
                }
                snapshot = try await ledger.snapshot(query)
            }
            let inForce = try await shelf.catalog(snapshot.catalog)
            if inForce.digest == known.digest {
                return RuleContext(
                    snapshot: snapshot, catalog: inForce.index,
                    now: max(now, snapshot.recordedUntil ?? now))
            }
            known = inForce
        }
    }
}

extension Request {
    /// The waiting payment an organizer's answer is about.
    fileprivate func waiting(in snapshot: LedgerSnapshot) -> PendingRow? {
        switch self {
        case .approve(let number), .decline(let number): snapshot.pending[number]
        default: nil
        }
    }
}

/// Which requests of a batch can share a commit, and with which decisions.
private struct BatchPlan {
    enum Step {
        case done(Result<Answer, StoreError>)
        case decision(Int)
        /// Rests on something this batch changes: decided in the next one.
        case later
    }

    let context: RuleContext
    var steps: [Step] = []
    var decisions: [Decision] = []
    private var taken: Set<CollisionKey> = []

    init(context: RuleContext) { self.context = context }

    mutating func add(_ request: Request) {
        let keys = request.collisions(in: context)
        let mustWait =
            keys.contains(where: taken.contains) || taken.contains(.everything)
            || (keys.contains(.everything) && !taken.isEmpty)
        guard !mustWait else { return steps.append(.later) }
        switch Rules.decide(request, in: context) {
        case .answer(let answer): steps.append(.done(.success(answer)))
        case .refuse(let error): steps.append(.done(.failure(error)))
        case .record(let decision):
            taken.formUnion(keys)
            steps.append(.decision(decisions.count))
            decisions.append(decision)
        }
    }
}
