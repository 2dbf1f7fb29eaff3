/// The simulated network: all downloads of a device share one line of so many bytes a second.
package actor BandwidthPacer<Time: Clock> where Time.Duration == Duration {
    private let bytesPerSecond: Int64?
    private let clock: Time
    private var freeAt: Time.Instant

    /// - Parameter bytesPerSecond: nil for as fast as the disk.
    package init(bytesPerSecond: Int64?, clock: Time) {
        self.bytesPerSecond = bytesPerSecond
        self.clock = clock
        freeAt = clock.now
    }

    /// How much to ask for in one go, so that a bar moves several times a second.
    package nonisolated var chunkBytes: Int {
        guard let bytesPerSecond else { return DeviceLimits.chunkBytesMax }
        let share = max(bytesPerSecond / DeviceLimits.chunksASecond, 1)
        return Int(min(share, Int64(DeviceLimits.chunkBytesMax)))
    }

    /// Returns when so many bytes have come over the line. Throws `CancellationError`.
    package nonisolated func carry(_ bytes: Int) async throws {
        try Task.checkCancellation()
        if let bytesPerSecond { try await carry(bytes, at: bytesPerSecond) }
    }

    private func carry(_ bytes: Int, at bytesPerSecond: Int64) async throws {
        let start = max(clock.now, freeAt)
        freeAt = start.advanced(by: .seconds(Double(bytes) / Double(bytesPerSecond)))
        try await clock.sleep(until: freeAt, tolerance: nil)
    }
}

/// A pacer, whatever its clock.
package protocol Pacer: Sendable {
    nonisolated var chunkBytes: Int { get }
    func carry(_ bytes: Int) async throws
}

extension BandwidthPacer: Pacer {}
