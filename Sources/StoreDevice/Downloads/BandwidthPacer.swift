import Synchronization

/// The simulated network connection of a device, which all its downloads share. Unused capacity is
/// not saved up.
package actor BandwidthPacer<Time: Clock> where Time.Duration == Duration {
    private let bytesPerSecond: Int64?
    private let clock: Time
    private var freeAt: Time.Instant

    /// - Parameters:
    ///   - bytesPerSecond: the bandwidth; nil for no limit.
    ///   - clock: measures the time that bytes take.
    package init(bytesPerSecond: Int64?, clock: Time) {
        self.bytesPerSecond = bytesPerSecond
        self.clock = clock
        freeAt = clock.now
    }

    /// The bytes to request in one call: a twentieth of a second's worth, so that a progress bar
    /// moves smoothly; at least 1 and at most `DeviceLimits.chunkBytesMax`.
    package nonisolated var chunkBytes: Int {
        guard let bytesPerSecond else { return DeviceLimits.chunkBytesMax }
        let share = max(bytesPerSecond / DeviceLimits.chunksPerSecond, 1)
        return Int(min(share, Int64(DeviceLimits.chunkBytesMax)))
    }

    /// Waits as long as the connection takes to transfer `bytes` bytes after those of earlier
    /// calls. Returns at once if there is no limit. Throws `CancellationError`.
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

/// Limits the speed of downloads. A protocol, because `BandwidthPacer` is generic over its clock.
package protocol Pacer: Sendable {
    /// The bytes to request in one call; at least 1.
    nonisolated var chunkBytes: Int { get }
    /// Waits until `bytes` bytes may be transferred. Throws `CancellationError`.
    func carry(_ bytes: Int) async throws
    /// The pacer for one package of this many bytes.
    nonisolated func pacer(forPackageOf bytes: Int64) -> any Pacer
}

extension Pacer {
    package nonisolated func pacer(forPackageOf bytes: Int64) -> any Pacer { self }
}

extension BandwidthPacer: Pacer {}

/// Makes every package take the same time, whatever its size: for demonstrations. Packages do not
/// share a connection.
package struct PackagePacer<Time: Clock>: Pacer where Time.Duration == Duration {
    private let seconds: Double
    private let clock: Time

    /// - Parameters:
    ///   - seconds: the time that each package takes; more than 0.
    ///   - clock: measures the time that bytes take.
    package init(seconds: Double, clock: Time) {
        self.seconds = seconds
        self.clock = clock
    }

    /// Not used: the pacer of each package has its own chunk size.
    package var chunkBytes: Int { DeviceLimits.chunkBytesMax }
    /// Does not wait: only the pacer of a package waits.
    package func carry(_ bytes: Int) async throws { try Task.checkCancellation() }

    /// A pacer that spreads the package over `seconds`, at one byte per second or faster.
    package func pacer(forPackageOf bytes: Int64) -> any Pacer {
        let rate = max(1, Int64(Double(bytes) / seconds))
        return BandwidthPacer(bytesPerSecond: rate, clock: clock)
    }
}

/// A connection that transfers part of every package at once and then stalls, so that a download
/// stays under way at a known byte while a test or a demonstration shows it.
package struct StoppingPacer: Pacer {
    private let percent: Int

    /// - Parameter percent: the share of each package, 0 to 100, counted from zero each time a
    ///   download starts.
    package init(percent: Int) { self.percent = percent }

    /// The bytes of a package of `total` bytes that are transferred before the connection stalls:
    /// the percentage, rounded up to a byte.
    package static func bytes(percent: Int, of total: Int64) -> Int64 {
        (total * Int64(percent) + 99) / 100
    }

    /// Not used: the pacer of each package has its own chunk size.
    package var chunkBytes: Int { DeviceLimits.chunkBytesMax }
    /// Does not wait: only the pacer of a package waits.
    package func carry(_ bytes: Int) async throws { try Task.checkCancellation() }

    package func pacer(forPackageOf bytes: Int64) -> any Pacer {
        StoppingPackagePacer(bytes: Self.bytes(percent: percent, of: bytes))
    }
}

/// Transfers `bytes` bytes of one package at once. A call for more waits until its task is
/// cancelled.
private final class StoppingPackagePacer: Pacer {
    private let left: Mutex<Int64>

    init(bytes: Int64) { left = Mutex(bytes) }

    /// At most the remaining bytes, so that the connection stalls at the exact byte.
    var chunkBytes: Int {
        Int(max(1, min(left.withLock { $0 }, Int64(DeviceLimits.chunkBytesMax))))
    }

    func carry(_ bytes: Int) async throws {
        try Task.checkCancellation()
        let isTransferred = left.withLock { left in
            guard left >= bytes else { return false }
            left -= Int64(bytes)
            return true
        }
        while !isTransferred { try await Task.sleep(for: Self.standstill) }
    }

    /// The length of one sleep in an endless loop of sleeps; only a cancellation ends the wait.
    private static let standstill = Duration.seconds(3_600)
}

/// The speed of a device's simulated network.
package enum NetworkSpeed: Hashable, Sendable {
    case unlimited
    /// Shared by all downloads of the device.
    case bytesPerSecond(Int64)
    /// Every package takes this many seconds, whatever its size.
    case secondsPerPackage(Double)
    /// This percentage of each package arrives at once, and no more bytes follow.
    case stopsAt(percent: Int)

    package func pacer(clock: some Clock<Duration>) -> any Pacer {
        switch self {
        case .unlimited: BandwidthPacer(bytesPerSecond: nil, clock: clock)
        case .bytesPerSecond(let rate): BandwidthPacer(bytesPerSecond: rate, clock: clock)
        case .secondsPerPackage(let seconds): PackagePacer(seconds: seconds, clock: clock)
        case .stopsAt(let percent): StoppingPacer(percent: percent)
        }
    }
}
