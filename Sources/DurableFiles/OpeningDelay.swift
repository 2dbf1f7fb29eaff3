package import Basics
import Synchronization

/// Why opening a file takes longer than a second, for whoever waits.
package enum OpeningDelay: Hashable, Sendable {
    /// Another process holds the file's lock: this one, if the system says which.
    case waiting(for: LockHolder?)
    /// The file is brought up to this program's version.
    case migrating(done: Int64, total: Int64)
}

/// Tells how far a migration is: nothing in its first second, then a few times a second.
final class MigrationProgress: Sendable {
    private let tell: @Sendable (OpeningDelay) -> Void
    private let start = ContinuousClock.now
    private let told = Mutex<ContinuousClock.Instant?>(nil)

    init(_ tell: @escaping @Sendable (OpeningDelay) -> Void) { self.tell = tell }

    func tell(done: Int64, of total: Int64) {
        let now = ContinuousClock.now
        guard start.duration(to: now) >= DurableLimits.silence else { return }
        let isDue = told.withLock { told in
            if let told, told.duration(to: now) < DurableLimits.progressInterval { return false }
            told = now
            return true
        }
        if isDue { tell(.migrating(done: done, total: total)) }
    }
}
