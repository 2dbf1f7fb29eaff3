import Basics

/// Limits account queries to twenty a second while the device is busy, for example with a restore.
/// The first query after a pause starts at once.
actor QueryThrottle {
    private static let interval = Duration.milliseconds(50)
    private let clock: any Clock<Duration>
    private var sinceLast: Stopwatch?

    init(clock: any Clock<Duration>) { self.clock = clock }

    /// Returns when the next query may start. Only one caller may wait at a time.
    func wait() async {
        if let sinceLast, sinceLast.elapsed < Self.interval {
            try? await clock.sleep(for: Self.interval - sinceLast.elapsed)
        }
        sinceLast = Stopwatch(clock)
    }
}
