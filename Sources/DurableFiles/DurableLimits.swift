/// Bounds of files shared by processes.
enum DurableLimits {
    /// Pages the log may hold before they are moved into the database: 16 MB.
    static let logPagesMax = 4_000
    /// Pages in the log from which on a process reserves room at its end (`WALPreallocator`).
    static let logPagesBeforeReserving = 64
    /// Room reserved at the end of the log at a time.
    static let logReserveBytes = 512 * 1024
    /// Seconds a write waits for another process's write before it throws `storeBusy`.
    static let busySecondsMax: Double = 5
    /// After a change of the log without a notification, subscribers are woken this much later: the
    /// writer may have died before it notified.
    static let silentWriterPause = Duration.milliseconds(300)
    /// How often subscribers are woken where files cannot be watched.
    static let pollInterval = Duration.seconds(1)
    /// How long opening a file waits for its lock: another process may be migrating it.
    static let lockWait = Duration.seconds(10)
    /// A migration that takes no longer than this reports no progress.
    static let delayReportedAfter = Duration.seconds(1)
    /// The time between two progress reports of a migration.
    static let progressInterval = Duration.seconds(1)
    /// How often a migration tries to empty a log that other processes write to, before it throws
    /// `storeBusy`.
    static let emptyLogTriesMax = 50
}
