/// Bounds of files shared by processes.
package enum DurableLimits {
    /// Pages the log may hold before they are moved into the file: 16 MB.
    package static let logPagesMax = 4_000
    /// Pages a process finds in the log after its commits before it makes room ahead of itself.
    package static let logPagesBeforeRoom = 64
    /// Room made in the log at a time.
    package static let logRoomBytes = 512 * 1024
    /// How long a write waits for another process's before it gives up with `storeBusy`.
    package static let busySecondsMax: Double = 5
    /// How long after a change of the log without a notification a reader looks for itself: the writer may
    /// have died in between.
    package static let silentWriterMilliseconds = 300
    /// How often to look where files cannot be watched.
    package static let unwatchedLookMilliseconds = 1_000
    /// How long a process waits for the lock under which a file is opened: another may migrate it.
    static let lockWait = Duration.seconds(10)
    /// What takes no longer is not spoken of.
    static let silence = Duration.seconds(1)
    /// Between two tellings of how far a migration is.
    static let progressInterval = Duration.seconds(1)
    /// How often a log that others write to is emptied before a migration gives up.
    static let emptyLogTriesMax = 50
}
