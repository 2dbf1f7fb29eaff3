import StoreModel

/// The sums over all downloads that are under way, paused or failed.
package struct DownloadTotals: Hashable, Sendable {
    /// All packages of a product count as one.
    package let count: Int
    /// The number of downloads whose bytes come now: those that the screen shows with a bar.
    package let running: Int
    package let waitingForRoom: Int
    /// Bytes received by all downloads.
    package let received: Int64
    /// Bytes of all downloads when complete.
    package let expected: Int64
    /// Bytes a second of all downloads; nil while it is unknown.
    package let rate: Double?
    /// Seconds until all downloads that go on without any action are complete; nil while the rate
    /// is unknown.
    package let secondsRemaining: Double?

    init(_ downloads: [ProductDownload]) {
        count = downloads.count
        let going = downloads.filter {
            $0.isUnderWay && !$0.needsConsent && ($0.error.map(\.isNetworkOff) ?? true)
                && $0.silentSeconds == nil
        }
        let active = going.filter { $0.state == .active }
        running = active.count
        waitingForRoom = downloads.count { $0.isUnderWay && $0.error?.code == .deviceFull }
        received = downloads.reduce(0) { $0 + $1.received }
        expected = downloads.reduce(0) { $0 + $1.expected }
        let rates = active.compactMap(\.rate)
        let rate = rates.reduce(0, +)
        self.rate = rates.isEmpty ? nil : rate
        let left = going.reduce(Int64(0)) { $0 + max(0, $1.expected - $1.received) }
        // One download with a known estimate is enough: all downloads share the connection.
        let isKnown = active.contains { $0.secondsRemaining != nil } && rate > 0
        secondsRemaining = isKnown ? Double(left) / rate : nil
    }
}
