import StoreModel

/// All downloads together that are under way or were held up.
package struct DownloadTotals: Hashable, Sendable {
    /// How many there are; the packages of a product are one.
    package let count: Int
    /// How many of them go on by themselves.
    package let running: Int
    /// How many of them wait because the disk is full.
    package let waitingForRoom: Int
    /// Bytes received of all of them.
    package let received: Int64
    /// Bytes of all of them.
    package let expected: Int64
    /// Bytes a second; nil while it cannot be told.
    package let rate: Double?
    /// Seconds until the downloads that go on by themselves are complete; nil while the rate is
    /// unknown.
    package let secondsRemaining: Double?

    init(_ downloads: [ProductDownload]) {
        count = downloads.count
        let active = downloads.filter {
            $0.isUnderWay && !$0.needsConsent && ($0.error.map(\.isNetworkOff) ?? true)
        }
        running = active.count
        waitingForRoom = downloads.count { $0.isUnderWay && $0.error?.code == .deviceFull }
        received = downloads.reduce(0) { $0 + $1.received }
        expected = downloads.reduce(0) { $0 + $1.expected }
        let rates = active.compactMap(\.rate)
        let rate = rates.reduce(0, +)
        self.rate = rates.isEmpty ? nil : rate
        let left = active.reduce(Int64(0)) { $0 + max(0, $1.expected - $1.received) }
        // Known as soon as that of one of them is: they share the connection.
        let isKnown = active.contains { $0.secondsRemaining != nil } && rate > 0
        secondsRemaining = isKnown ? Double(left) / rate : nil
    }
}
