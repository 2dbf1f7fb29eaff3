package import Basics
import Synchronization

/// Why opening a file takes longer than a second.
package enum OpeningDelay: Hashable, Sendable {
    /// Nil if the system does not name the process.
    case waiting(for: LockHolder?)
    /// To this program's version; the migration chooses the units of work (of a ledger: entries).
    case migrating(done: Int64, total: Int64)
}

/// Reports the progress of a migration: nothing in its first second, then at most once a second.
final class MigrationProgress: Sendable {
    private let onDelay: @Sendable (OpeningDelay) -> Void
    private let now: @Sendable () -> ContinuousClock.Instant
    private let start: ContinuousClock.Instant
    private let lastReport = Mutex<ContinuousClock.Instant?>(nil)

    /// `now` is the clock of elapsed time.
    init(
        _ onDelay: @escaping @Sendable (OpeningDelay) -> Void,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.onDelay = onDelay
        self.now = now
        start = now()
    }

    func report(done: Int64, of total: Int64) {
        let now = now()
        guard start.duration(to: now) >= DurableLimits.delayReportedAfter else { return }
        let isDue = lastReport.withLock { last in
            if let last, last.duration(to: now) < DurableLimits.progressInterval { return false }
            last = now
            return true
        }
        if isDue { onDelay(.migrating(done: done, total: total)) }
    }
}
