import Synchronization

/// The simulated network connection of a device, which all its downloads share. Capacity that is
/// not used is not saved up.
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

    /// Waits for as long as the connection takes for so many bytes, after those of earlier calls.
    /// Returns at once if there is no limit. Throws `CancellationError`.
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
    /// Waits until so many bytes may be transferred. Throws `CancellationError`.
    func carry(_ bytes: Int) async throws
    /// The pacer for one package of this many bytes.
    nonisolated func pacer(forPackageOf bytes: Int64) -> any Pacer
}

extension Pacer {
    /// The same connection for every package.
    package nonisolated func pacer(forPackageOf bytes: Int64) -> any Pacer { self }
}

extension BandwidthPacer: Pacer {}

/// Gives every package as long as every other one, whatever its size: for an audience that watches.
/// Packages do not share a connection.
package struct PackagePacer<Time: Clock>: Pacer where Time.Duration == Duration {
    private let seconds: Double
    private let clock: Time

    /// - Parameters:
    ///   - seconds: for each package; more than 0.
    ///   - clock: measures the time that bytes take.
    package init(seconds: Double, clock: Time) {
        self.seconds = seconds
        self.clock = clock
    }

    /// Of no meaning before a package is known.
    package var chunkBytes: Int { DeviceLimits.chunkBytesMax }
    /// Does not wait: only a package's own pacer does.
    package func carry(_ bytes: Int) async throws { try Task.checkCancellation() }

    /// Spreads the package over the time; at least one byte a second.
    package func pacer(forPackageOf bytes: Int64) -> any Pacer {
        let rate = max(1, Int64(Double(bytes) / seconds))
        return BandwidthPacer(bytesPerSecond: rate, clock: clock)
    }
}

/// A connection that transfers part of every package at once and then stands still, so that a
/// download is under way at a known byte for as long as it is looked at.
package struct StoppingPacer: Pacer {
    private let percent: Int

    /// - Parameter percent: of each package, 0 to 100; counted anew each time a download is started.
    package init(percent: Int) { self.percent = percent }

    /// The bytes of a package of `total` bytes that are transferred before the connection stands
    /// still: at least the percentage, rounded up to a byte.
    package static func bytes(percent: Int, of total: Int64) -> Int64 {
        (total * Int64(percent) + 99) / 100
    }

    /// Of no meaning before a package is known.
    package var chunkBytes: Int { DeviceLimits.chunkBytesMax }
    /// Does not wait: only a package's own pacer does.
    package func carry(_ bytes: Int) async throws { try Task.checkCancellation() }

    /// A pacer that stops after its share of the package.
    package func pacer(forPackageOf bytes: Int64) -> any Pacer {
        StoppingPackagePacer(bytes: Self.bytes(percent: percent, of: bytes))
    }
}

/// Transfers so many bytes of one package at once. A call for more waits until it is cancelled.
private final class StoppingPackagePacer: Pacer {
    private let left: Mutex<Int64>

    init(bytes: Int64) { left = Mutex(bytes) }

    /// Never more than what is left, so that the connection stands still at the exact byte.
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

    /// Any length will do: only a cancellation ends the wait.
    private static let standstill = Duration.seconds(3_600)
}

/// How quick the simulated network of a device is.
package enum NetworkSpeed: Hashable, Sendable {
    /// As quick as the machine.
    case unlimited
    /// The bandwidth that all downloads of the device share.
    case bytesPerSecond(Int64)
    /// Any package takes so long, whatever its size.
    case secondsPerPackage(Double)
    /// Every package comes at once up to this percentage of its bytes, and then nothing more.
    case stopsAt(percent: Int)

    /// A pacer that limits a device's downloads to this speed.
    package func pacer(clock: some Clock<Duration>) -> any Pacer {
        switch self {
        case .unlimited: BandwidthPacer(bytesPerSecond: nil, clock: clock)
        case .bytesPerSecond(let rate): BandwidthPacer(bytesPerSecond: rate, clock: clock)
        case .secondsPerPackage(let seconds): PackagePacer(seconds: seconds, clock: clock)
        case .stopsAt(let percent): StoppingPacer(percent: percent)
        }
    }
}
