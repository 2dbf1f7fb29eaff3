/// Bytes a second over the last 5 seconds, from measurements of the received bytes.
package struct RateWindow: Hashable, Sendable {
    private struct Sample: Hashable {
        var at: Duration
        var bytes: Int64
    }

    /// The time over which a rate is measured.
    private static let length = Duration.seconds(5)
    /// The shortest time over which a rate is measured.
    private static let lengthMin = Duration.milliseconds(200)

    private var samples: [Sample] = []

    /// No measurements.
    package init() {}

    /// Adds a measurement. If there are fewer bytes than before, the download began anew and the
    /// earlier measurements are dropped.
    package mutating func add(_ bytes: Int64, at now: Duration) {
        if let last = samples.last, bytes < last.bytes { samples = [] }
        samples.append(Sample(at: now, bytes: bytes))
        // One measurement from before the window stays, so that the whole window is covered.
        while samples.count > 2, now - samples[1].at >= Self.length { samples.removeFirst() }
    }

    /// The rate of the last 5 seconds; nil until the measurements span 0.2 seconds.
    package var bytesPerSecond: Double? {
        guard let first = samples.first, let last = samples.last,
            last.at - first.at >= Self.lengthMin
        else { return nil }
        return Double(last.bytes - first.bytes) / ((last.at - first.at) / .seconds(1))
    }
}
