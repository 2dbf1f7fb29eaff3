import StoreModel

/// Records due items at their time, while a reader in this process follows the feed. Several
/// processes may run a timer: only the first one to record an item does so.
final class DueTimer: Sendable {
    private let watching: Task<Void, Never>?

    /// - Parameter account: the account whose items are recorded; nil for all accounts.
    init(_ engine: StoreEngine, account: AccountName?) {
        guard let elapsed = engine.elapsed else {
            watching = nil
            return
        }
        let changes = engine.ledger.changes()
        watching = Task {
            var waiting: Task<Void, Never>?
            // Any commit may have moved the clock or changed the next due item.
            for await _ in changes {
                waiting?.cancel()
                waiting = Task { await Self.wait(engine, account, by: elapsed) }
                // One read serves many commits, so that purchases do not wait for these reads.
                try? await elapsed.sleep(for: Self.rescheduleInterval)
            }
            waiting?.cancel()
        }
    }

    private static let rescheduleInterval = Duration.milliseconds(250)

    deinit { watching?.cancel() }

    /// Sleeps until the next item is due, then records it.
    private static func wait(
        _ engine: StoreEngine, _ account: AccountName?, by elapsed: any Clock<Duration>
    ) async {
        do {
            guard let next = try await engine.committer.nextDue(of: account) else { return }
            let left = next.at.milliseconds(since: engine.clock.now())
            // A stopped clock never reaches a due time. Moving it is a commit, which restarts the
            // wait.
            if left > 0 {
                guard !engine.clock.state.isStopped else { return }
                try await elapsed.sleep(for: .milliseconds(left))
            }
            guard !Task.isCancelled else { return }
            // The item may belong to another member of the account's family.
            _ = try await engine.committer.recordDue(account == nil ? nil : next.account)
        } catch {
            // The error is ignored: the next read of the account meets it again and throws it.
        }
    }
}
