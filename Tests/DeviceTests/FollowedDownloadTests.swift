import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// A process without the lease sees the downloads of the process that has it.
@Suite("downloads of another process", .timeLimit(.minutes(10))) struct FollowedDownloadTests {
    private static let book = SampleCatalog.book
    private static let piece = Int64(DeviceLimits.chunkBytesMax)
    private let home: Home
    private let gates = [Gate(), Gate(), Gate()]

    init() async throws { home = try await Home() }

    /// Launches the process that downloads. It waits at a gate before each of the first three
    /// pieces.
    private func launchFetching() async throws -> Device {
        let asked = Tally()
        return try await home.launch { [gates] script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                let number = Int(asked.add())
                if number <= gates.count { await gates[number - 1].pass() }
            }
        }
    }

    /// Advances the watcher's clock by a quarter of a second each time the watcher sleeps, until it
    /// shows these bytes.
    private func until(
        _ bytes: Int64, on watcher: Device, _ clock: HandClock
    ) async throws -> Download {
        while true {
            await clock.untilSleeping()
            let row = try #require(try await watcher.downloads().first)
            if row.bytesReceived == bytes, row.bytesPerSecond ?? 0 > 0 { return row }
            clock.pass(.milliseconds(250))
        }
    }

    @Test("a download that another process fetches moves here, with its rate [F6]")
    func moves() async throws {
        let fetching = try await launchFetching()
        let clock = HandClock()
        let watcher = try await home.open(elapsed: clock)
        let wakes = watcher.downloadWakes()
        try await watcher.launch()
        #expect(await !watcher.holdsLease)
        _ = try await fetching.buy(.of(Self.book))
        await gates[0].reached()
        await clock.untilSleeping()
        gates[0].open()
        await gates[1].reached()
        var row = try await until(Self.piece, on: watcher, clock)
        #expect(row.state == .active)
        #expect(row.isWorkedOn)
        #expect(await wakes.nextWake())
        gates[1].open()
        await gates[2].reached()
        row = try await until(2 * Self.piece, on: watcher, clock)
        #expect(await wakes.nextWake())
        gates[2].open()
        try await home.untilFinished()
        row = try #require(try await watcher.downloads().first)
        #expect(row.state == .finished)
        #expect(!row.isWorkedOn)
        #expect(row.bytesPerSecond == nil)
        await fetching.close()
        await watcher.close()
    }

    @Test("a download that no process works on is waiting and says so")
    func nobody() async throws {
        let fetching = try await launchFetching()
        let other = try await home.open()
        _ = try await fetching.buy(.of(Self.book))
        await gates[0].reached()
        var row = try #require(try await other.downloads().first)
        #expect(row.state == .active)
        #expect(row.isWorkedOn)
        async let suspending: Void = fetching.suspend()
        for gate in gates { gate.open() }
        await suspending
        row = try #require(try await other.downloads().first)
        if row.state != .finished { #expect(row.state == .waiting) }
        #expect(!row.isWorkedOn)
    }
}
