/// Bytes a second over the last 5 seconds, from measurements of the received bytes.
package struct RateWindow: Hashable, Sendable {
    private struct Sample: Hashable {
        var at: Duration
        var bytes: Int64
    }

    private static let length = Duration.seconds(5)
    private static let lengthMin = Duration.milliseconds(200)

    private var samples: [Sample] = []
    /// The time of the last measurement that was more than the one before, or of the first.
    private var grewAt: Duration?

    package init() {}

    /// If there are fewer bytes than before, the download began anew and the earlier measurements
    /// are dropped.
    package mutating func add(_ bytes: Int64, at now: Duration) {
        if let last = samples.last, bytes < last.bytes { samples = [] }
        if samples.last.map({ $0.bytes < bytes }) ?? true { grewAt = now }
        samples.append(Sample(at: now, bytes: bytes))
        // One measurement from before the window stays, so that the whole window is covered.
        while samples.count > 2, now - samples[1].at >= Self.length { samples.removeFirst() }
    }

    /// Whole seconds since the last bytes; nil below 5, the length of a usual pause.
    package func silentSeconds(at now: Duration) -> Int? {
        guard let grewAt, now - grewAt >= Self.length else { return nil }
        return Int((now - grewAt).components.seconds)
    }

    /// Nil until the measurements span 0.2 seconds.
    package var bytesPerSecond: Double? {
        guard let first = samples.first, let last = samples.last,
            last.at - first.at >= Self.lengthMin
        else { return nil }
        return Double(last.bytes - first.bytes) / ((last.at - first.at) / .seconds(1))
    }
}
