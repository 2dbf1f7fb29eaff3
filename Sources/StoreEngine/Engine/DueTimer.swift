import StoreModel

/// Has what happens by itself happen at its time, while somebody in this process follows the feed.
/// Any process may do so, and whichever is first records it.
final class DueTimer: Sendable {
    private let watching: Task<Void, Never>?

    /// - Parameter account: whose; nil for every account.
    init(_ engine: StoreEngine, account: AccountName?) {
        guard let elapsed = engine.elapsed else {
            watching = nil
            return
        }
        let changes = engine.ledger.changes()
        watching = Task {
            var waiting: Task<Void, Never>?
            // Every commit may have moved the clock, or what is due.
            for await _ in changes {
                waiting?.cancel()
                waiting = Task { await Self.wait(engine, account, by: elapsed) }
                // One look for many commits: what is bought meanwhile need not wait for this.
                try? await elapsed.sleep(for: Self.lookInterval)
            }
            waiting?.cancel()
        }
    }

    private static let lookInterval = Duration.milliseconds(250)

    deinit { watching?.cancel() }

    private static func wait(
        _ engine: StoreEngine, _ account: AccountName?, by elapsed: any Clock<Duration>
    ) async {
        do {
            guard let next = try await engine.committer.nextDue(of: account) else { return }
            let left = next.at.milliseconds - engine.clock.now().milliseconds
            // A stopped clock comes to nothing; when it is moved, that is a commit.
            if left > 0 {
                guard !engine.clock.state.isStopped else { return }
                try await elapsed.sleep(for: .milliseconds(left))
            }
            guard !Task.isCancelled else { return }
            _ = try await engine.committer.recordDue(account)
        } catch {
            // The next read of the account meets the same trouble, and tells it.
        }
    }
}
