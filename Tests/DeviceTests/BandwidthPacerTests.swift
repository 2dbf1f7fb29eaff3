import StoreDevice
import Synchronization
import Testing

@Suite struct BandwidthPacerTests {
    /// A clock whose sleep returns at once and moves the clock to the deadline.
    private final class StepClock: Clock {
        typealias Instant = HandClock.Instant
        private let time = Mutex(Swift.Duration.zero)
        let minimumResolution = Swift.Duration.nanoseconds(1)

        var now: Instant { Instant(offset: time.withLock { $0 }) }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            time.withLock { $0 = max($0, deadline.offset) }
        }

        func pass(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    @Test("bytes are paced at the configured rate")
    func bytesComeAtTheRateOfTheLine() async throws {
        let clock = StepClock()
        let pacer = BandwidthPacer(bytesPerSecond: 1_000, clock: clock)
        try await pacer.carry(500)
        #expect(clock.now.offset == .milliseconds(500))
        try await pacer.carry(250)
        #expect(clock.now.offset == .milliseconds(750))
    }

    @Test("idle time earns no extra bandwidth")
    func timeNobodyUsedIsNotSavedUp() async throws {
        let clock = StepClock()
        let pacer = BandwidthPacer(bytesPerSecond: 1_000, clock: clock)
        clock.pass(.seconds(10))
        try await pacer.carry(1_000)
        #expect(clock.now.offset == .seconds(11))
    }

    @Test("without a limit, nothing is delayed")
    func withoutALimitNothingWaits() async throws {
        let clock = StepClock()
        let pacer = BandwidthPacer(bytesPerSecond: nil, clock: clock)
        try await pacer.carry(1 << 40)
        #expect(clock.now.offset == .zero)
        #expect(pacer.chunkBytes == DeviceLimits.chunkBytesMax)
    }

    @Test(
        "slow rates get small chunks, so that progress is updated often",
        arguments: [(1_000, 50), (5, 1), (1, 1), (20_000_000, 262_144)])
    func aBarMovesSeveralTimesASecond(_ rate: Int64, _ chunk: Int) {
        #expect(BandwidthPacer(bytesPerSecond: rate, clock: StepClock()).chunkBytes == chunk)
    }

    @Test("a cancelled task throws instead of waiting")
    func aCancelledTaskThrows() async throws {
        let pacer = BandwidthPacer(bytesPerSecond: 1, clock: StepClock())
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await pacer.carry(10)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("any package takes the same time, whatever its size", arguments: [1_000, 560_000, 3])
    func secondsPerPackage(bytes: Int) async throws {
        let clock = StepClock()
        let pacer = PackagePacer(seconds: 12, clock: clock)
            .pacer(forPackageOf: Int64(bytes))
        var left = bytes
        while left > 0 {
            let chunk = min(left, pacer.chunkBytes)
            try await pacer.carry(chunk)
            left -= chunk
        }
        // The pacer rounds a rate to whole bytes per second, and to at least one.
        let expected = bytes == 3 ? 3.0 : 12.0
        #expect(abs(clock.now.offset / .seconds(1) - expected) < 0.5, "\(clock.now.offset)")
    }

    @Test(
        "a connection that stands still has transferred exactly its part of each package",
        arguments: [(41, 1_000_000), (37, 19), (0, 5), (100, 70_000)])
    func standsStill(percent: Int, bytes: Int) async throws {
        let pacer = NetworkSpeed.stopsAt(percent: percent).pacer(clock: StepClock())
            .pacer(forPackageOf: Int64(bytes))
        var left = (bytes * percent + 99) / 100
        while left > 0 {
            let chunk = min(left, pacer.chunkBytes)
            try await pacer.carry(chunk)
            left -= chunk
        }
        #expect(left == 0)
        #expect(pacer.chunkBytes == 1)
        let more = Task { try await pacer.carry(1) }
        more.cancel()
        await #expect(throws: CancellationError.self) { try await more.value }
    }
}
