/// All limits of a device.
package enum DeviceLimits {
    /// Packages fetched at the same time, unless a process asks for another number.
    package static let downloadsAtOnce = 2
    /// A package of at most this many files is synced file by file; one of more files is synced
    /// with its whole file system.
    static let filesSyncedSinglyMax = 16
    /// The first pause before a failed step (a download, a finish, a batch) is tried again. Each
    /// further failure doubles it.
    package static let retryPauseMin = Duration.milliseconds(250)
    /// The longest pause between two tries.
    package static let retryPauseMax = Duration.seconds(8)
    /// Manifests that one fetch follows when the store's package changes while it is being fetched.
    static let packageChangesMax = 3
    /// After so many fetched bytes a download looks again whether the rest has room on the disk.
    static let roomCheckBytes: Int64 = 8 * 1024 * 1024
    /// Products whose downloads were asked for last, which come first; more are forgotten.
    static let askedMax = 16
    /// Most bytes requested from the store in one call: each call opens the file anew and looks for
    /// faults. With a quarter of it, parallel downloads take a third more of the processor
    /// (`Benchmarks/download_bench.py`: from folders).
    package static let chunkBytesMax = 256 * 1024
    /// The shortest time between two wakes for the progress of one download.
    static let progressPause = Duration.milliseconds(20)
    /// Chunks per second of a paced download, so that its progress bar moves smoothly.
    static let chunksPerSecond: Int64 = 20
    /// Products kept by `ProductCache`, and most that a device keeps for the time without a network.
    /// The purchases begun outside the app that a device holds; the oldest is dropped for another.
    static let promotedMax = 100
    /// The newest events of the account's history that are kept for the time without a network.
    static let keptEventsMax = 200
    static let cachedProductsMax = 10_000
    /// Signed texts that `RecordKeeper` keeps as verified.
    static let verifiedTextsMax = 10_000
    /// Transactions per page when a restore, an audit of balances or `acceptStore` reads many.
    package static let restorePage = 200
    /// Events that change no record and may go by before the feed cursor is written nevertheless.
    static let unsavedEventsMax = 500
    /// Milliseconds of store time for which a payment whose sender has ended is sent again without
    /// asking. An older one is held.
    package static let resendMillisecondsMax: Int64 = 10 * 60 * 1000
    /// The pause before checking again whether the process that sends a payment is still alive.
    static let senderPollInterval = Duration.milliseconds(300)
    /// Most bytes that one call of `readContent` returns: 1 MiB.
    package static let contentReadMax = 1024 * 1024
    /// Entries that the device's log keeps; older ones are removed.
    package static let logEntriesMax = 10_000
    /// Most bytes of a text in a log entry that comes from a file.
    static let logTextMax = 1000
    /// Reading places that are kept; those used longest ago are removed.
    package static let readingPlacesMax = 1000
    /// The pause between two looks at the files of a download that another process fetches. It is
    /// longer where a look takes more than a tenth of it, as with thousands of files.
    static let progressPollPause = Duration.milliseconds(250)
    /// The pause before work in the background (`BackgroundWork`): a burst of purchases costs a few
    /// receipts, a purchase is reported first, and a shop that opens shows its products first.
    static let backgroundPause = Duration.milliseconds(100)
    /// Milliseconds of the store's time for which a delivery does not record the store's clock again,
    /// if that was not set.
    static let contactMillisecondsMin: Int64 = 1000
    /// Milliseconds after which an unchanged answer of the store is written down again, so that its
    /// age without a network is told to the minute.
    static let keptAnswerMillisecondsMax: Int64 = 60 * 1000
    /// The default bandwidth of the simulated network, in bytes per second.
    package static let bandwidth: Int64 = 256_000
}
