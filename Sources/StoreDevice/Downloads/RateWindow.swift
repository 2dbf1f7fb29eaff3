/// Bytes a second over the last `DeviceLimits.rateWindow`, from measurements of what was received.
struct RateWindow {
    private var samples: [(at: Duration, bytes: Int64)] = []

    /// Adds a measurement. If there are fewer bytes than before, the download began anew and
    /// everything before is forgotten.
    mutating func add(_ bytes: Int64, at now: Duration) {
        if let last = samples.last, bytes < last.bytes { samples = [] }
        samples.append((now, bytes))
        // One measurement from before the window stays, so that the whole window is covered.
        while samples.count > 2, now - samples[1].at >= DeviceLimits.rateWindow {
            samples.removeFirst()
        }
    }

    /// Nil until measurements are `DeviceLimits.rateWindowMin` apart.
    var bytesPerSecond: Double? {
        guard let first = samples.first, let last = samples.last,
            last.at - first.at >= DeviceLimits.rateWindowMin
        else { return nil }
        return Double(last.bytes - first.bytes) / ((last.at - first.at) / .seconds(1))
    }
}
