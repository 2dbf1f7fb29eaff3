import Basics
import StoreModel

/// The entries that the committer has recorded for due items, also if it could not record all.
struct RecordedDue: Sendable {
    /// The first ones, at most `StoreLimits.actionEventsMax`.
    private(set) var entries: [RecordedEntry] = []
    /// Of all entries.
    private(set) var count = 0
    /// Why the rest was not recorded; nil if all was.
    var failure: StoreError?

    mutating func add(_ more: [RecordedEntry]) {
        count += more.count
        entries += more.prefix(max(0, StoreLimits.actionEventsMax - entries.count))
    }
}

/// Decides requests and appends the decisions. A process has one committer for each store. Requests
/// that arrive during a commit share the next one, so that many payments at once need few durable
/// writes (`make bench`: "64 at once: commits each").
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

    /// The ledger's executor, if the ledger shares it: reading, deciding and recording then need no
    /// thread switch.
    nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Decides a request and appends its decision. First records the due items of the accounts
    /// concerned. Returns when the decision is durable. Throws `storeBusy` after
    /// `StoreLimits.conflictsMax` conflicts with other processes.
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

    /// The error with which a request would be refused now; nil if it would not be refused. Records
    /// nothing.
    func refusal(of request: some Request) async throws(StoreError) -> StoreError? {
        let context: RuleContext
        do throws(StoreError) {
            context = try await self.context { request.addKeys(to: &$0) }
        } catch  where [.storeMoved, .copyUnfinished].contains(error.code) { return error }
        do throws(StoreError) { _ = try request.decide(in: context) } catch { return error }
        return nil
    }

    private func commitAll() async {
        while !queue.isEmpty {
            if queue.count > 1 { await gather() }
            for reply in await commitBatch() { reply() }
        }
        isCommitting = false
    }

    /// Waits until no further caller joins the batch: most of 64 simultaneous payments then share
    /// one commit instead of two (`make bench`: "64 at once: commits each").
    private func gather() async {
        var count = 0
        while count < queue.count, queue.count < StoreLimits.batchMax {
            count = queue.count
            await Task.yield()
        }
    }

    /// Commits the requests at the head of the queue, and returns the replies to their callers.
    /// Requests that must be decided again go back to the head of the queue.
    private func commitBatch() async -> [Reply] {
        let batch = Array(queue.prefix(StoreLimits.batchMax))
        queue.removeFirst(batch.count)
        do throws(StoreError) {
            let (replies, again) = try await commit(batch)
            queue.insert(contentsOf: again, at: 0)
            return replies
        } catch { return batch.map { $0.failed(error) } }
    }

    /// Reads once, decides each request, and appends once. `again` has the requests that must be
    /// decided in the next batch.
    private func commit(
        _ batch: [any QueuedRequest]
    ) async throws(StoreError) -> (replies: [Reply], again: [any QueuedRequest]) {
        let keys: @Sendable (inout Lookup) -> Void = { lookup in
            for queued in batch { queued.addKeys(to: &lookup) }
        }
        var context = try await context(keys)
        let overdue = context.snapshot.firstDue.filter { $0.value <= context.now }.keys
        if !overdue.isEmpty {
            for account in overdue.sorted() { _ = try await recordDue(account) }
            context = try await self.context(keys)
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

    // MARK: - Due items

    /// Records the account's due items, then returns a snapshot of the account. If nothing can be
    /// recorded now (`StoreError.keepsFromRecording`), it returns the snapshot as it is.
    func snapshotAfterDue(_ account: AccountName) async throws(StoreError) -> LedgerSnapshot {
        let query = LedgerQuery { $0.accounts = [account] }
        let found = try await snapshot(query)
        guard let due = found.firstDue[account], due <= clock.now() else { return found }
        do throws(StoreError) {
            _ = try await recordDue(account)
        } catch  where error.keepsFromRecording {
            return found
        }
        return try await snapshot(query)
    }

    func refreshClock() async throws(StoreError) { _ = try await snapshot(LedgerQuery()) }

    /// The next due item of an account and its family, whose subscriptions it may share, or of all
    /// accounts. Updates the store's clock first.
    func nextDue(of account: AccountName?) async throws(StoreError) -> DueItem? {
        var query = LedgerQuery()
        if let account { query.accounts = [account] }
        let found = try await snapshot(query)
        let members = account.flatMap { found.families[$0]?.members.map { Optional($0.account) } }
        var next: DueItem?
        for member in members ?? [account] {
            let item = try await ledger.due(through: .latest, of: member, limit: 1).first
            if let item, next.map({ item.at < $0.at }) ?? true { next = item }
        }
        return next
    }

    /// Records the items due by now, of one account or of all, each at its own time, in order, page
    /// by page. Items that another process records meanwhile are not recorded again.
    ///
    /// - Returns: the recorded entries, at most `StoreLimits.actionEventsMax`.
    /// - Throws: `storeBusy` after `StoreLimits.conflictsMax` conflicts in a row; entries recorded
    ///   before them stay recorded.
    func recordDue(_ account: AccountName?) async throws(StoreError) -> [RecordedEntry] {
        let due = await recordDueAsFarAsPossible(account)
        if let failure = due.failure { throw failure }
        return due.entries
    }

    /// As `recordDue`. Tells what was recorded before a failure, too.
    func recordDueAsFarAsPossible(_ account: AccountName?) async -> RecordedDue {
        var due = RecordedDue()
        do throws(StoreError) { try await recordDue(account, into: &due) } catch {
            due.failure = error
        }
        return due
    }

    private func recordDue(
        _ account: AccountName?, into recorded: inout RecordedDue
    ) async throws(StoreError) {
        var last: [DueItem] = []
        var dueAgain = DueAgain()
        var conflicts = 0
        // This process or another one may just have moved the clock.
        try await refreshClock()
        while true {
            let now = clock.now()
            let items = try await ledger.due(
                through: now, of: account, limit: StoreLimits.duePageMax)
            // If the same page is read again, this program cannot record any of its items.
            guard !items.isEmpty, items != last else { return }
            last = items
            let unknown = dueAgain.unknown(items)
            let read = try await context { RenewalRules.addKeys(ofDue: unknown, to: &$0) }
            let context = dueAgain.adding(items, to: read)
            guard let renewals = RenewalRules.carryOut(items, in: context) else { continue }
            let decision = ShareRules.following(renewals, in: context)
            switch try await ledger.append([decision], at: context.now).first {
            case .recorded(let entries):
                conflicts = 0
                try dueAgain.keep(items, after: entries, in: context, dueBy: now)
                // Lets waiting calls of this actor, such as reads of the progress, run between two
                // pages.
                await Task.yield()
                recorded.add(entries)
            case .conflict, nil:
                conflicts += 1
                guard conflicts < StoreLimits.conflictsMax else { throw StoreError(.storeBusy) }
                last = []
                dueAgain = DueAgain()
            }
        }
    }

    private func snapshot(_ query: LedgerQuery) async throws(StoreError) -> LedgerSnapshot {
        let found = try await ledger.snapshot(query)
        clock.update(from: found)
        return found
    }

    /// Throws `clockOutOfRange` outside the years 2000 to 2100.
    private func storeTime() throws(StoreError) -> Timestamp {
        let reckoned = clock.reckoned
        guard Timestamp.recordable.contains(reckoned) else {
            throw StoreError(
                .clockOutOfRange, found: reckoned,
                expected: "a date from 2000 to 2100")
        }
        return clock.now()
    }

    /// Reads rows and the family shares that depend on them, as of one commit.
    private func context(
        _ add: @Sendable (inout Lookup) -> Void
    ) async throws(StoreError) -> RuleContext {
        let lookup = try await lookUp { lookup in
            add(&lookup)
            ShareRules.addKeys(to: &lookup)
        }
        try lookup.found.refuseMoved()
        return RuleContext(
            snapshot: lookup.found, catalog: lookup.catalog, now: try storeTime(),
            systemNow: clock.systemNow)
    }

    /// Reads rows, as of one commit.
    ///
    /// - Parameter add: adds the keys of the rows. Called before the first read and after each one
    ///   until it adds no key.
    func lookUp(
        _ add: @Sendable (inout Lookup) -> Void
    ) async throws(StoreError) -> Lookup {
        // Which keys to look up depends on the catalog, and only the lookup tells which catalog is
        // in force. If it is not the assumed one, the keys are looked up again.
        var known = try await catalogs.catalog(nil)
        while true {
            var lookup = Lookup(catalog: known.index)
            add(&lookup)
            var query: LedgerQuery
            repeat {
                query = lookup.query
                lookup.found = try await snapshot(query)
                add(&lookup)
            } while lookup.query != query
            let inForce = try await catalogs.catalog(lookup.found.catalog)
            if inForce.digest == known.digest { return lookup }
            known = inForce
        }
    }
}

/// Resumes one caller of `submit`.
private typealias Reply = @Sendable () -> Void

/// A request of any type, with its waiting caller.
private protocol QueuedRequest: Sendable {
    func addKeys(to lookup: inout Lookup)
    func collisions(in context: RuleContext) -> [CollisionKey]
    /// The request for another attempt; nil after `StoreLimits.conflictsMax` attempts.
    var retried: (any QueuedRequest)? { get }
    func planned(in context: RuleContext) -> PlannedReply
    func failed(_ error: StoreError) -> Reply
}

/// When a request of a batch gets its reply.
private enum PlannedReply {
    /// At once, because nothing is recorded.
    case now(Reply)
    /// After the decision was recorded. The reply is made from its entries.
    case recording(Decision, answered: ([RecordedEntry]) -> Reply)
}

private struct Queued<R: Request>: QueuedRequest {
    var request: R
    var caller: CheckedContinuation<Result<R.Answer, StoreError>, Never>
    var attempts = 0

    func addKeys(to lookup: inout Lookup) { request.addKeys(to: &lookup) }

    func collisions(in context: RuleContext) -> [CollisionKey] { request.collisions(in: context) }

    var retried: (any QueuedRequest)? {
        guard attempts < StoreLimits.conflictsMax else { return nil }
        var next = self
        next.attempts += 1
        return next
    }

    func planned(in context: RuleContext) -> PlannedReply {
        do throws(StoreError) {
            switch try request.decide(in: context) {
            case .answer(let answer): return .now(reply(.success(answer)))
            case .record(let decision, let answer):
                return .recording(decision) { entries in
                    reply(Result { () throws(StoreError) in try answer(entries) })
                }
            }
        } catch { return .now(failed(error)) }
    }

    func failed(_ error: StoreError) -> Reply { reply(.failure(error)) }

    private func reply(_ result: Result<R.Answer, StoreError>) -> Reply {
        { caller.resume(returning: result) }
    }
}

/// The requests of a batch that share a commit.
private struct BatchPlan {
    enum Step {
        case replied(Reply)
        /// The reply is made from the entries of the decision with this index.
        case recorded(Int, answered: ([RecordedEntry]) -> Reply)
        /// The request depends on something that this batch changes, so it is decided in the next
        /// batch.
        case later
    }

    let context: RuleContext
    var steps: [Step] = []
    var decisions: [Decision] = []
    /// The collision keys of the requests that are decided in this batch.
    private var usedKeys: Set<CollisionKey> = []

    init(context: RuleContext) { self.context = context }

    mutating func add(_ queued: any QueuedRequest) {
        let keys = queued.collisions(in: context)
        let mustWait =
            keys.contains(where: usedKeys.contains) || usedKeys.contains(.everything)
            || (keys.contains(.everything) && !usedKeys.isEmpty)
        guard !mustWait else { return steps.append(.later) }
        switch queued.planned(in: context) {
        case .now(let reply): steps.append(.replied(reply))
        case .recording(let decision, let answered):
            usedKeys.formUnion(keys)
            steps.append(.recorded(decisions.count, answered: answered))
            decisions.append(ShareRules.following(decision, in: context))
        }
    }
}
