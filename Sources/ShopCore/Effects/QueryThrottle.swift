/// Keeps looks at the device apart while it is busy: what changes faster than it can be read is
/// looked at twenty times a second, and the first change at once.
actor QueryThrottle {
    private static let interval = Duration.milliseconds(50)
    private var last: ContinuousClock.Instant?

    func wait() async {
        let now = ContinuousClock.now
        if let last, now - last < Self.interval {
            try? await Task.sleep(until: last + Self.interval, clock: .continuous)
        }
        last = ContinuousClock.now
    }
}
