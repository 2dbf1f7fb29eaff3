import DurableFiles
import Foundation
import StoreDevice
import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

/// Downloads that a failing disk, the store or a person interrupts: the device reports the error at
/// once, no task waits for ever, and the download can continue.
@Suite(.timeLimit(.minutes(10))) struct DownloadTroubleTests {
    private static let book = SampleCatalog.book
    private let home: Home
    private let clock = HandClock()

    init() async throws { home = try await Home() }

    private func launch(_ script: (inout ScriptedStore) -> Void = { _ in }) async throws -> Device {
        let device = try await home.open(elapsed: clock, script: script)
        try await device.launch()
        return device
    }

    private func until(
        _ device: Device, _ state: Download.State, error: StoreError.Code? = nil
    ) async throws {
        for await _ in device.downloadWakes() {
            let rows = try await device.downloads()
            if rows.map(\.state) == [state], rows.first?.error?.code == error { return }
        }
    }

    private func stopped(_ update: DeviceUpdate) -> Download? {
        if case .downloadStopped(let download) = update { download } else { nil }
    }

    /// A faulty disk for the records of a device that is opened later.
    private func disk(_ kind: FaultyDisk.Kind) throws -> FaultyDisk {
        try #require(
            FaultyDisk(folder: try home.deviceFolder().path, failAt: 0, kind: kind))
    }

    // MARK: - Records and content that cannot be written

    @Test("a finished download that cannot be recorded is reported at once, and recorded later")
    func endOnAFullDisk() async throws {
        let disk = try disk(.fullOn)
        defer { disk.end() }
        let gate = Gate()
        let device = try await launch { $0.holdBytes(at: gate) }
        let updates = device.updates()
        _ = try await device.buy(.of(Self.book))
        await gate.reached()
        disk.arm(failAt: 1)
        gate.open()
        let reported = await updates.first(stopped)
        #expect(reported?.state == .finished)
        #expect(reported?.error?.code == .storeFull)
        #expect(try await device.downloads().map(\.error?.code) == [.storeFull])
        try await home.expectWholeBook(on: device)
        #expect(try await home.store.ledger.unfinished(of: "aoi").count == 1)

        await clock.untilSleeping()
        _ = disk.stop()
        clock.pass(DeviceLimits.retryPauseMax)
        try await home.untilFinished()
        try await until(device, .finished)
        await device.close()
    }

    @Test("a failed download that cannot be recorded is reported at once and can be resumed")
    func failureOnAFullDisk() async throws {
        let disk = try disk(.fullOn)
        defer { disk.end() }
        let gate = Gate()
        let cut = Tally()
        let device = try await launch { script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                await gate.pass()
                if cut.add() == 2 { throw StoreError(.networkError) }
            }
        }
        let updates = device.updates()
        _ = try await device.buy(.of(Self.book))
        await gate.reached()
        disk.arm(failAt: 1)
        gate.open()
        let reported = await updates.first(stopped)
        #expect(reported?.state == .failed)
        #expect(reported?.error?.code == .networkError)
        #expect(try await device.downloads().map(\.state) == [.failed])

        await clock.untilSleeping()
        _ = disk.stop()
        clock.pass(DeviceLimits.retryPauseMax)
        let other = try await home.open()
        let notifier = try CommitNotifier(databasePath: try home.deviceFolder().databasePath)
        for await _ in notifier.subscribe() {
            if try await other.downloads().map(\.state) == [.failed] { break }
        }
        try await device.resumeDownloads(of: Self.book)
        try await until(device, .finished)
        try await home.expectWholeBook(on: device)
        await device.close()
    }

    @Test("a full content disk is reported at once, and the download continues by itself [A9]")
    func fullContentDisk() async throws {
        let isFull = Tally()
        let device = try await launch { script in
            script.beforeBytes = { (_: String, offset: Int64, _: Int) async throws(StoreError) in
                if offset > 0, isFull.count < 3 {
                    isFull.add()
                    throw StoreError(.deviceFull)
                }
            }
        }
        _ = try await device.buy(.of(Self.book))
        try await until(device, .waiting, error: .deviceFull)
        let here = try #require(try await device.downloads().first).bytesReceived
        #expect(here > 0)
        for _ in 0..<3 {
            await clock.untilSleeping()
            clock.pass(DeviceLimits.retryPauseMax)
        }
        try await until(device, .finished)
        try await home.expectWholeBook(on: device)
        await device.close()
    }

    @Test("other processes and the next one know that a disk is full, until bytes come again [A9]")
    func fullDiskIsRecorded() async throws {
        let room = Tally()
        let gate = Gate()
        let script = { (script: inout ScriptedStore) in
            script.beforeBytes = { (_: String, offset: Int64, _: Int) async throws(StoreError) in
                guard offset > 0 else { return }
                if room.count == 0 { throw StoreError(.deviceFull, expected: "600000") }
                if offset > DeviceLimits.chunkBytesMax { await gate.pass() }
            }
        }
        let first = try await launch(script)
        let other = try await home.open()
        _ = try await first.buy(.of(Self.book))
        try await home.until(other) { try await other.downloads().first?.waitsForRoom == true }
        var row = try #require(try await other.downloads().first)
        #expect(row.isWorkedOn && row.error?.expected == "600000" && row.bytesReceived > 0)
        await first.close()
        row = try #require(try await other.downloads().first)
        #expect(row.waitsForRoom && !row.isWorkedOn)
        // The next process resumes the download, and reports no error before it has tried.
        room.add()
        let next = try await home.launch(script: script)
        await gate.reached()
        #expect(try await next.downloads().map(\.error) == [nil])
        try await home.until(other) {
            let row = try await other.downloads().first
            return row?.state == .active && row?.error == nil
        }
        gate.open()
        try await until(next, .finished)
        try await home.expectWholeBook(on: next)
        await next.close()
        await other.close()
    }

    @Test("the pauses between retries grow up to a limit")
    func pausesGrow() async throws {
        let tries = Tally()
        let device = try await launch { script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                tries.add()
                throw StoreError(.deviceFull)
            }
        }
        _ = try await device.buy(.of(Self.book))
        var pause = DeviceLimits.retryPauseMin
        for expected in Int64(1)...8 {
            await clock.untilSleeping()
            #expect(tries.count == expected)
            clock.pass(pause - .nanoseconds(1))
            #expect(tries.count == expected)
            clock.pass(.nanoseconds(1))
            pause = min(pause * 2, DeviceLimits.retryPauseMax)
        }
        await device.close()
    }

    @Test("resuming a download that waits for disk space retries it at once")
    func resumeTriesAtOnce() async throws {
        let isFull = Tally()
        let device = try await launch { script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                if isFull.add() == 1 { throw StoreError(.deviceFull) }
            }
        }
        _ = try await device.buy(.of(Self.book))
        await clock.untilSleeping()
        try await device.resumeDownloads(of: Self.book)
        try await until(device, .finished)
        await device.close()
    }

    @Test("a download paused while it waits for disk space is not retried")
    func pauseEndsTheWait() async throws {
        let device = try await launch { script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                throw StoreError(.deviceFull)
            }
        }
        _ = try await device.buy(.of(Self.book))
        await clock.untilSleeping()
        try await device.pauseDownloads(of: Self.book)
        #expect(try await device.downloads().map(\.state) == [.paused])
        await device.close()
    }

    @Test("a finish that fails after a download is reported and retried until it succeeds")
    func finishFails() async throws {
        let isMended = Tally()
        let device = try await launch { script in
            script.beforeFinish = { (_: TransactionID) async throws(StoreError) in
                if isMended.count == 0 { throw StoreError(.storeUnreadable, cause: "EIO") }
            }
        }
        let updates = device.updates()
        _ = try await device.buy(.of(Self.book))
        let reported = await updates.first(stopped)
        #expect(reported?.state == .finished)
        #expect(reported?.error?.code == .storeUnreadable)
        await clock.untilSleeping()
        isMended.add()
        clock.pass(DeviceLimits.retryPauseMax)
        try await home.untilFinished()
        try await until(device, .finished)
        await device.close()
    }

    @Test("a single failing write, sync or truncate is retried without being reported")
    func oneFailingStep() async throws {
        for kind in [FaultyDisk.Kind.full, .broken] {
            var step = 0
            while true {
                step += 1
                let home = try await Home()
                let disk = try #require(
                    FaultyDisk(folder: try home.deviceFolder().path, failAt: 0, kind: kind))
                let gate = Gate()
                let device = try await home.open(elapsed: HandClock()) { $0.holdBytes(at: gate) }
                try await device.launch()
                _ = try await device.buy(.of(Self.book))
                await gate.reached()
                disk.arm(failAt: step)
                gate.open()
                for await _ in device.downloadWakes() {
                    let rows = try await device.downloads()
                    #expect(rows.allSatisfy { $0.error == nil }, "\(kind), step \(step)")
                    if rows.map(\.state) == [.finished] { break }
                }
                try await home.untilFinished()
                let hasFired = disk.stop()
                await device.close()
                disk.end()
                guard hasFired else { break }
            }
            #expect(step > 2, "to record an end takes a write and a sync at least")
        }
    }

    // MARK: - Files that are removed or replaced

    @Test("a download whose records were deleted is reported as stopped")
    func recordsAreGone() async throws {
        let gate = Gate()
        let device = try await launch { $0.holdBytes(at: gate) }
        let updates = device.updates()
        _ = try await device.buy(.of(Self.book))
        await gate.reached()
        try FileManager.default.removeItem(atPath: try home.deviceFolder().databasePath)
        gate.open()
        let reported = await updates.first(stopped)
        #expect(reported?.error?.code == .storeReplaced)
        let error = await #expect(throws: StoreError.self) { try await device.downloads() }
        #expect(error?.code == .storeReplaced)
        await device.close()
    }

    @Test("a download whose partial folder is removed fails, and can be resumed")
    func partialIsGone() async throws {
        let gate = Gate()
        let device = try await launch { $0.holdBytes(at: gate) }
        _ = try await device.buy(.of(Self.book))
        await gate.reached()
        try FileManager.default.removeItem(atPath: try home.deviceFolder().partialPath)
        gate.open()
        try await until(device, .failed, error: .deviceUnreadable)
        try await device.resumeDownloads(of: Self.book)
        try await until(device, .finished)
        try await home.expectWholeBook(on: device)
        await device.close()
    }

    @Test(
        "a content or partial folder replaced by a link is not followed",
        arguments: ["content", "partial"])
    func linkedFolder(_ name: String) async throws {
        let device = try await launch()
        let place = try home.deviceFolder().path + "/" + name
        let victim = home.folder.path + "/victim"
        try FileManager.default.createDirectory(
            atPath: victim, withIntermediateDirectories: true)
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: victim)
        _ = try await device.buy(.of(Self.book))
        try await until(device, .failed, error: .deviceUnreadable)
        #expect(try FileManager.default.contentsOfDirectory(atPath: victim).isEmpty)
        let error = try await device.downloads().first?.error
        #expect(error?.found?.text.contains("link") == true)

        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        try await device.resumeDownloads(of: Self.book)
        try await until(device, .finished)
        try await home.expectWholeBook(on: device)
        await device.close()
    }

    @Test("deleting content removes nothing behind a link")
    func linkedRemoval() async throws {
        let device = try await launch()
        _ = try await device.buy(.of(Self.book))
        try await until(device, .finished)
        let place = try home.deviceFolder().contentPath
        let victim = home.folder.path + "/victim"
        try FileManager.default.moveItem(atPath: place, toPath: victim)
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: victim)
        try await device.deleteContent(of: Self.book)
        #expect(FileManager.default.fileExists(atPath: "\(victim)/\(Self.book)"))
        await device.close()
    }

    @Test("a link in place of CACHEDIR.TAG is refused, and its target stays unchanged")
    func plantedTag() async throws {
        let folder = try home.deviceFolder()
        let victim = home.folder.path + "/victim.txt"
        try home.folder.write("A precious file.", to: "victim.txt")
        for isHard in [false, true] {
            try FileManager.default.createDirectory(
                atPath: folder.contentPath, withIntermediateDirectories: true)
            let tag = folder.contentPath + "/CACHEDIR.TAG"
            if isHard {
                try FileManager.default.linkItem(atPath: victim, toPath: tag)
            } else {
                try FileManager.default.createSymbolicLink(
                    atPath: tag, withDestinationPath: victim)
            }
            let error = await #expect(throws: StoreError.self) { try await home.open() }
            #expect(error?.code == .deviceUnreadable)
            #expect(try String(contentsOfFile: victim, encoding: .utf8) == "A precious file.")
            try FileManager.default.removeItem(atPath: folder.path)
        }
    }

    // MARK: - Content that changes in the store

    @Test("a package that changes during its download arrives in its new form")
    func packageChanges() async throws {
        let gate = Gate()
        let device = try await launch { $0.holdBytes(at: gate) }
        _ = try await device.buy(.of(Self.book))
        await gate.reached()
        try home.folder.write(
            String(repeating: "Another lamp. ", count: 9_000), to: "content/book/one.txt")
        try FileManager.default.removeItem(
            atPath: home.folder.path + "/content/book/part/two.txt")
        gate.open()
        try await until(device, .finished)
        let path = try #require(try await device.contentPath(of: Self.book, contentID: "text"))
        #expect(
            FileManager.default.contents(atPath: path + "/Contents/one.txt")
                == FileManager.default.contents(
                    atPath: home.folder.path + "/content/book/one.txt"))
        #expect(!FileManager.default.fileExists(atPath: path + "/Contents/part/two.txt"))
        await device.close()
    }

    @Test("a download reports the content version that was fetched")
    func fetchedVersion() async throws {
        let device = try await launch { script in
            script.changeManifest = { manifest in
                var manifest = manifest
                manifest.version = "2.0"
                let signed = try? TestStore.signer().sign(
                    manifest, of: Self.book, identity: TestStore.identity,
                    at: Timestamp(milliseconds: 1_800_000_000_000))
                return signed ?? manifest
            }
        }
        _ = try await device.buy(.of(Self.book))
        try await until(device, .finished)
        #expect(try await device.downloads().map(\.version) == ["2.0"])
        let path = try await device.contentPath(of: Self.book, contentID: "text")
        #expect(path?.hasSuffix("/text/2.0") == true)
        try await home.expectWholeBook(on: device)
        await device.close()
    }

    // MARK: - States and rates

    @Test("a download that no process runs is waiting, even if one left it active")
    func noProcessRunsIt() async throws {
        let gate = Gate()
        let first = try await launch { script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                await gate.passWhenCancelled()
            }
        }
        let other = try await home.open()
        _ = try await first.buy(.of(Self.book))
        await gate.reached()
        #expect(try await other.downloads().map(\.state) == [.active])
        await first.close()
        #expect(try await other.downloads().map(\.state) == [.waiting])
        #expect(await !other.isAttended)
    }

    @Test("pausing or cancelling a finished download is refused")
    func nothingToPause() async throws {
        let device = try await launch()
        _ = try await device.buy(.of(Self.book))
        try await until(device, .finished)
        let paused = await #expect(throws: StoreError.self) {
            try await device.pauseDownloads(of: Self.book)
        }
        #expect(paused?.code == .downloadNotActive)
        #expect(paused?.found == "finished")
        let cancelled = await #expect(throws: StoreError.self) {
            try await device.cancelDownloads(of: Self.book)
        }
        #expect(cancelled?.code == .downloadNotActive)
        try await home.expectWholeBook(on: device)
        await device.close()
    }

    @Test("deleted content is listed as deleted, also if it was removed by hand")
    func deleted() async throws {
        let device = try await launch()
        _ = try await device.buy(.of(Self.book))
        try await until(device, .finished)
        let path = try #require(try await device.contentPath(of: Self.book, contentID: "text"))
        try FileManager.default.removeItem(atPath: path)
        #expect(try await device.downloads().map(\.state) == [.deleted])
        #expect(try await device.contentPath(of: Self.book, contentID: "text") == nil)
        try await device.resumeDownloads(of: Self.book)
        try await until(device, .finished)
        try await device.deleteContent(of: Self.book)
        let row = try #require(try await device.downloads().first)
        #expect(row.state == .deleted)
        #expect(row.bytesReceived == 0)
        await device.close()
    }

    @Test("a book that was never on this device has no download to pause, cancel or delete")
    func neverHere() async throws {
        let device = try await launch()
        let actions: [(ProductID) async throws -> Void] = [
            { try await device.pauseDownloads(of: $0) },
            { try await device.cancelDownloads(of: $0) }, device.deleteContent,
        ]
        for action in actions {
            let error = await #expect(throws: StoreError.self) { try await action(Self.book) }
            #expect(error?.code == .downloadNotFound)
        }
        await device.close()
    }

    @Test("the download rate is measured by the given clock")
    func rate() async throws {
        let gate = Gate()
        let clock = clock
        let device = try await launch { script in
            script.beforeBytes = { (_: String, offset: Int64, _: Int) async throws(StoreError) in
                clock.pass(.seconds(1))
                if offset > Int64(DeviceLimits.chunkBytesMax) { await gate.pass() }
            }
        }
        _ = try await device.buy(.of(Self.book))
        await gate.reached()
        // One second passes at each request: two pieces have arrived, the third is requested.
        let row = try #require(try await device.downloads().first)
        #expect(row.bytesPerSecond == Double(DeviceLimits.chunkBytesMax))
        gate.open()
        try await until(device, .finished)
        await device.close()
    }
}
