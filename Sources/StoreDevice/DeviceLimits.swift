/// All limits of a device.
package enum DeviceLimits {
    /// Packages fetched at the same time.
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
    /// Most bytes requested from the store in one call.
    package static let chunkBytesMax = 64 * 1024
    /// The shortest time between two wakes for the progress of one download.
    static let progressPause = Duration.milliseconds(20)
    /// Chunks per second of a paced download, so that its progress bar moves smoothly.
    static let chunksPerSecond: Int64 = 20
    /// Products kept by `ProductCache`.
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
    /// The default bandwidth of the simulated network, in bytes per second.
    package static let bandwidth: Int64 = 256_000
}
