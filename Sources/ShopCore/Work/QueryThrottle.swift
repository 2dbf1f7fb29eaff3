/// Limits account queries to twenty a second while the device is busy, for example with a download.
/// The first query after a pause starts at once.
actor QueryThrottle {
    private static let interval = Duration.milliseconds(50)
    private var last: ContinuousClock.Instant?

    /// Returns when the next query may start. For one caller at a time.
    func wait() async {
        let now = ContinuousClock.now
        if let last, now - last < Self.interval {
            try? await Task.sleep(until: last + Self.interval, clock: .continuous)
        }
        last = ContinuousClock.now
    }
}
