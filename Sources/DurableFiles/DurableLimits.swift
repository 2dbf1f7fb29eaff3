/// Bounds of files shared by processes.
enum DurableLimits {
    /// 16 MB.
    static let logPagesMax = 4_000
    /// From so many on, a process reserves room at the log's end (`WALPreallocator`).
    static let logPagesBeforeReserving = 64
    /// At the end of the log, at a time.
    static let logReserveBytes = 512 * 1024
    /// For another process's write; then `storeBusy` is thrown.
    static let busySecondsMax: Double = 5
    /// After a change of the log without a notification, subscribers are woken this much later: the
    /// writer may have died before it notified.
    static let silentWriterPause = Duration.milliseconds(300)
    static let pollInterval = Duration.seconds(1)
    /// Another process may be migrating the file.
    static let lockWait = Duration.seconds(10)
    /// A migration that takes no longer than this reports no progress.
    static let delayReportedAfter = Duration.seconds(1)
    static let progressInterval = Duration.seconds(1)
    /// How often a migration tries to empty a log that other processes write to, before it throws
    /// `storeBusy`.
    static let emptyLogTriesMax = 50
}
