import DurableFiles
@testable import StoreDevice
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

    /// The process that downloads waits at a gate before each of the first three pieces.
    private func launchFetching() async throws -> Device {
        let asked = Tally()
        return try await home.launch { [gates] script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                let number = Int(asked.add())
                if number <= gates.count { await gates[number - 1].pass() }
            }
        }
    }

    /// Lets a quarter of a second pass each time the watcher sleeps, until it shows these bytes.
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

    @Test("bytes that arrive are told without a read of the records, here and in another process")
    func readsNothing() async throws {
        let gates = (0..<100).map { _ in Gate() }
        let text = String(repeating: "x", count: gates.count * Int(Self.piece))
        let home = try await Home(book: ["book/one.txt": text])
        let asked = Tally()
        let (clock, watching) = (HandClock(), HandClock())
        let fetching = try await home.open(elapsed: clock) { script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                await gates[Int(asked.add()) - 1].pass()
            }
        }
        let watcher = try await home.open(elapsed: watching)
        try await fetching.launch()
        try await watcher.launch()
        var wakes = fetching.downloadWakes().makeAsyncIterator()
        var others = watcher.downloadWakes().makeAsyncIterator()
        _ = try await fetching.buy(.of(Self.book))
        await gates[0].reached()
        while try await watcher.downloads().first?.state != .active { _ = await others.next() }
        // Lets the watcher's quarters of a second pass whenever it sleeps.
        let passing = Task {
            while !Task.isCancelled {
                await watching.untilSleeping()
                watching.pass(.milliseconds(250))
            }
        }
        let before = (fetching.database.reads, watcher.database.reads)
        for number in 1..<gates.count {
            clock.pass(.milliseconds(250))
            gates[number - 1].open()
            await gates[number].reached()
            let bytes = Int64(number) * Self.piece
            while try await Self.bytes(after: await wakes.next(), on: fetching) != bytes {}
            while try await Self.bytes(after: await others.next(), on: watcher) != bytes {}
        }
        // What the purchase began, such as the record of unlocks, may read a few times meanwhile.
        let after = (fetching.database.reads, watcher.database.reads)
        #expect((after.0 - before.0) * 5 < gates.count, "\(after.0 - before.0) reads")
        #expect((after.1 - before.1) * 5 < gates.count, "\(after.1 - before.1) reads")
        passing.cancel()
        gates.last?.open()
        try await home.untilFinished()
        await fetching.close()
        await watcher.close()
    }

    /// The bytes of the only download after a wake, read as a shop does.
    private static func bytes(after wake: DownloadWake?, on device: Device) async throws -> Int64? {
        switch try #require(wake) {
        case .changed: try await device.downloads().first?.bytesReceived
        case .moved(let progress): progress.first?.bytesReceived
        }
    }
}
