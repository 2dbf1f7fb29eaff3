import StoreModel

/// Records attempts to send notifications. Those that end during a write share the next one, so that
/// many at a time need few durable writes.
actor AttemptRecorder {
    private let engine: StoreEngine
    private var queue: [Ended] = []
    private var isRecording = false

    /// An attempt that has ended, with the sender that waits until it is recorded.
    private struct Ended {
        var attempt: OutboxAttempt
        /// The notification when the attempt began.
        var item: OutboxItem
        var caller: CheckedContinuation<StoreError?, Never>
        var conflicts = 0
    }

    init(engine: StoreEngine) { self.engine = engine }

    /// Returns when the attempt is durable.
    func record(_ attempt: OutboxAttempt, of item: OutboxItem) async throws(StoreError) {
        let failure = await withCheckedContinuation {
            (caller: CheckedContinuation<StoreError?, Never>) in
            queue.append(Ended(attempt: attempt, item: item, caller: caller))
            if !isRecording {
                isRecording = true
                Task { await self.recordAll() }
            }
        }
        if let failure { throw failure }
    }

    private func recordAll() async {
        while !queue.isEmpty {
            var batch: [Ended] = []
            // Of one notification the second is decided after the first.
            while let next = queue.first, batch.count < StoreLimits.batchMax,
                !batch.contains(where: { $0.item.id == next.item.id })
            {
                batch.append(queue.removeFirst())
            }
            await record(batch)
        }
        isRecording = false
    }

    private func record(_ batch: [Ended]) async {
        let results: [AppendResult?]
        do throws(StoreError) { results = try await append(batch) } catch {
            for ended in batch { ended.caller.resume(returning: error) }
            return
        }
        for (ended, result) in zip(batch, results) {
            guard case .conflict? = result else {
                ended.caller.resume(returning: nil)
                continue
            }
            guard ended.conflicts < StoreLimits.conflictsMax else {
                ended.caller.resume(returning: StoreError(.storeBusy))
                continue
            }
            var again = ended
            again.conflicts += 1
            queue.append(again)
        }
    }

    /// Nil for a notification that the outbox does not have.
    private func append(_ batch: [Ended]) async throws(StoreError) -> [AppendResult?] {
        var results: [AppendResult?] = Array(repeating: nil, count: batch.count)
        var decisions: [(index: Int, decision: Decision)] = []
        for (index, ended) in batch.enumerated() {
            if let decision = try await decision(ended) { decisions.append((index, decision)) }
        }
        guard !decisions.isEmpty else { return results }
        let appended = try await engine.ledger.append(
            decisions.map { $0.decision }, at: engine.clock.now())
        for (decided, result) in zip(decisions, appended) { results[decided.index] = result }
        return results
    }

    /// Nil for a notification that the outbox does not have.
    private func decision(_ ended: Ended) async throws(StoreError) -> Decision? {
        let page = try await engine.ledger.outbox(OutboxQuery(.one(ended.item.id), limit: 1))
        guard let known = page.items.first else { return nil }
        let settings = try await engine.ledger.snapshot(LedgerQuery()).server?.notifications
        let attempts = known.attempts + [ended.attempt]
        // Somebody asked meanwhile to send it again.
        let isAsked = known.changedAt != ended.item.changedAt
        let next =
            isAsked
            ? known.next
            : RetryRules.next(after: attempts, engine.identity.environment, settings)
        return Decision(
            reads: [.outbox: page.version],
            entries: [
                Entry(
                    account: nil, device: nil, effectiveAt: engine.clock.now(),
                    fact: .outbox(
                        .progressed(OutboxProgress(id: known.id, attempts: attempts, next: next))))
            ])
    }
}
