/// The limits of a device: counts, bytes and pauses.
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
    /// The most manifests that one fetch uses if the store's package changes while it is being
    /// fetched.
    static let packageChangesMax = 3
    /// Fetched bytes after which a download checks again whether the disk has room for the rest.
    static let roomCheckBytes: Int64 = 8 * 1024 * 1024
    /// The products whose downloads a person asked for last and that therefore come first. Older
    /// requests are forgotten.
    static let askedMax = 16
    /// The most bytes requested from the store in one call. Each call opens the file anew and reads
    /// the injected faults: with a quarter of this size, parallel downloads use a third more
    /// processor time (`Benchmarks/download_bench.py`, row "from folders").
    package static let chunkBytesMax = 256 * 1024
    /// The shortest time between two wakes for the progress of one download: a bar that moves
    /// twenty times a second moves smoothly.
    static let progressPause = Duration.milliseconds(50)
    /// Chunks per second of a paced download, so that its progress bar moves smoothly.
    static let chunksPerSecond: Int64 = 20
    /// The most promoted purchases that a device holds. Another one replaces the oldest.
    static let promotedMax = 100
    /// The newest events of the account's history that are kept for use without a network.
    static let keptEventsMax = 200
    /// Products that `ProductCache` keeps, and that a device keeps for use without a network.
    static let cachedProductsMax = 10_000
    /// Signed texts that `RecordKeeper` remembers as verified.
    static let verifiedTextsMax = 10_000
    /// Transactions per page of a restore, of computing balances anew, and of `acceptStore`.
    package static let restorePage = 200
    /// Events without an effect on the records after which the feed cursor is written nevertheless.
    static let unsavedEventsMax = 500
    /// Milliseconds of store time for which a payment whose sender has ended is sent again without
    /// asking a person. An older payment becomes `held`.
    package static let resendMillisecondsMax: Int64 = 10 * 60 * 1000
    /// The pause between two checks whether the process that sends a payment is still alive.
    static let senderPollInterval = Duration.milliseconds(300)
    /// Between two questions to a store's server that could not be reached.
    static let probePause = Duration.seconds(1)
    /// The pause between two looks whether a person has answered, which a person does not notice.
    static let answerPollInterval = Duration.milliseconds(100)
    /// Most bytes that one call of `readContent` returns: 1 MiB.
    package static let contentReadMax = 1024 * 1024
    /// Entries that the device's log keeps; older ones are removed.
    package static let logEntriesMax = 10_000
    /// The most bytes of a text from a file that a log entry keeps.
    static let logTextMax = 1000
    /// Announcements that are kept for readers in other processes; the oldest are removed.
    package static let announcementsMax = 10_000
    /// The least time between two places that are sent to the store while somebody reads.
    static let placePause = Duration.seconds(60)
    /// Reading places that are kept; the least recently used are removed.
    package static let readingPlacesMax = 1000
    /// The pause between two measurements of the files of a download that another process runs. It
    /// is longer if a measurement takes more than a tenth of it, as with thousands of files.
    static let progressPollPause = Duration.milliseconds(250)
    /// The first pause before a report that the app's own backend did not take is sent again. Each
    /// further failure doubles it.
    static let reportPauseMin = Duration.seconds(1)
    static let reportPauseMax = Duration.seconds(5 * 60)
    /// Reports after which those that were sent are removed from the queue, in one write.
    static let reportsPage = 16
    /// Of the backend's answer to a report, which is not read.
    static let reportAnswerBytesMax = 64 * 1024
    /// For one report, from the first byte to the last of the answer.
    static let reportTime = Duration.seconds(15)
    /// How long a command that bought something waits for its reports.
    static let reportsWaitMax = Duration.seconds(2)
    /// For the backend's list of products, for which the first screen of a shop waits.
    static let listTime = Duration.seconds(2)
    /// After a failure, the kept list is used for so long.
    static let listPause = Duration.seconds(30)
    static let listBytesMax = 4 * 1024 * 1024
    /// The pause before background work starts (`BackgroundWork`). It keeps a burst of purchases
    /// down to a few receipts, and lets a purchase's result and the shop's first screen come first.
    static let backgroundPause = Duration.milliseconds(100)
    /// Milliseconds of store time after which a delivery records the store's clock again although
    /// the clock was not set.
    static let contactMillisecondsMin: Int64 = 1000
    /// Milliseconds of store time after which an unchanged answer is written again, so that its
    /// recorded age is exact to a minute.
    static let keptAnswerMillisecondsMax: Int64 = 60 * 1000
    /// The default bandwidth of the simulated network, in bytes per second.
    package static let bandwidth: Int64 = 256_000
}
