import StoreModel

/// Records due items at their time, while a reader in this process follows the feed. Several
/// processes may run one: the first to record an item does, the others then do not.
final class DueTimer: Sendable {
    private let watching: Task<Void, Never>?

    /// - Parameter account: the account whose items to record; nil for all accounts.
    init(_ engine: StoreEngine, account: AccountName?) {
        guard let elapsed = engine.elapsed else {
            watching = nil
            return
        }
        let changes = engine.ledger.changes()
        watching = Task {
            var waiting: Task<Void, Never>?
            // Every commit may have moved the clock or changed what is due next.
            for await _ in changes {
                waiting?.cancel()
                waiting = Task { await Self.wait(engine, account, by: elapsed) }
                // Reads once for many commits, so that purchases do not wait for these reads.
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
            let left = next.at.milliseconds - engine.clock.now().milliseconds
            // A stopped clock reaches no due time. Moving it is a commit, which starts a new wait.
            if left > 0 {
                guard !engine.clock.state.isStopped else { return }
                try await elapsed.sleep(for: .milliseconds(left))
            }
            guard !Task.isCancelled else { return }
            // The item may be another family member's.
            _ = try await engine.committer.recordDue(account == nil ? nil : next.account)
        } catch {
            // Ignored: the next read of the account meets the same error and throws it.
        }
    }
}
