/// Every bound of a device in one place.
package enum DeviceLimits {
    /// Packages fetched at the same time.
    package static let downloadsAtOnce = 2
    /// Files of a package that are synced one by one; more are synced with their file system.
    package static let filesSyncedAlone = 16
    /// How long to rest before trying again what failed (a download, a finish, a batch); it doubles.
    package static let retryPauseMin = Duration.milliseconds(250)
    package static let retryPauseMax = Duration.seconds(8)
    /// How often a download begins again because the store's package changed while it was fetched.
    package static let changesOfPackageMax = 3
    /// Bytes asked for in one go at most.
    package static let chunkBytesMax = 64 * 1024
    /// The least time between two wakes for the progress of a download.
    package static let progressPause = Duration.milliseconds(20)
    /// Parts a second a paced download is cut into, so that its bar moves.
    package static let chunksASecond: Int64 = 20
    /// Products whose facts are remembered while nothing is said to change them.
    package static let productsKept = 10_000
    /// Signed texts remembered as verified.
    package static let textsBelieved = 10_000
    /// Restored transactions read and recorded at a time.
    package static let restorePage = 200
    /// Events of others that may pass before the cursor is written for its own sake.
    package static let unsavedEventsMax = 500
    /// How old a payment may be whose sender has ended, to be sent again without asking.
    package static let resendMillisecondsMax: Int64 = 10 * 60 * 1000
    /// How long to wait before looking again whether a payment another process sends lost its sender.
    package static let ownerLookInterval = Duration.milliseconds(300)
    /// The bandwidth of the simulated network, bytes a second, unless said otherwise.
    package static let bandwidth: Int64 = 256_000
}
