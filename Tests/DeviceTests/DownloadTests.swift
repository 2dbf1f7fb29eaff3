import DurableFiles
import Foundation
import StoreCatalog
import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DownloadTests {
    private static let book = SampleCatalog.book
    private let home: Home

    init() async throws { home = try await Home() }

    /// Expects the whole book, and no partial folder of it.
    private func expectWholeBook(on device: Device) async throws {
        try await home.expectWholeBook(on: device)
        let partial = try home.deviceFolder(device.device).partialPath
        #expect(!FileManager.default.fileExists(atPath: "\(partial)/\(Self.book)/text"))
    }

    /// Resumes the download, in this process or by another, and expects its end.
    private func expectResumed(_ device: Device, by other: Device? = nil) async throws {
        try await (other ?? device).resumeDownloads(of: Self.book)
        try await home.until(device, .finished)
        try await expectWholeBook(on: device)
    }

    /// Lets `pieces` requests for content succeed; every later one fails with a network error.
    private func cutAfter(_ pieces: Int64, _ tally: Tally = Tally())
        -> @Sendable (String, Int64, Int) async throws(StoreError) -> Void
    {
        { (_: String, _: Int64, _: Int) async throws(StoreError) in
            if tally.add() > pieces { throw StoreError(.networkError) }
        }
    }

    @Test("a package of several files is downloaded completely and its sale finished [A8, A11]")
    func aPackageOfSeveralFilesArrivesWholeAndTheSaleIsFinished() async throws {
        let device = try await home.launch()
        let id = try #require(try await device.buy(.of(Self.book)).number)
        try await home.until(device, .finished)
        try await home.untilFinished()
        let download = try #require(try await device.downloads().first)
        #expect(download.transactionID == id)
        #expect(download.bytesReceived == Home.bookLength)
        #expect(download.progress == 1)
        try await expectWholeBook(on: device)
    }

    @Test("a package that is still downloading when its plan renews twice finishes all sales")
    func renewedWhileDownloading() async throws {
        let home = try await Home { products in
            let book = products.first { $0.id == Self.book }
            for index in products.indices where products[index].id == SampleCatalog.monthly {
                products[index].delivery = book?.delivery ?? .embedded
            }
        }
        let gate = Gate()
        let device = try await home.launch { $0.holdBytes(at: gate) }
        let first = try #require(try await device.buy(.of(SampleCatalog.monthly)).number)
        try await home.until(device, .active)
        var owner = first
        for _ in 1...2 {
            _ = try await home.store.console.perform(.clock(.next))
            try await home.until(device) { [owner] in
                try await device.downloads().first.map { $0.transactionID != owner } ?? false
            }
            owner = try #require(try await device.downloads().first).transactionID
        }
        gate.open()
        try await home.untilFinished()
        #expect(try await device.downloads().map(\.state) == [.finished])
    }

    @Test("a sale that was refunded before its delivery downloads nothing")
    func refundedBeforeItsDelivery() async throws {
        let sold = try #require(try await home.session().purchase(.of(Self.book)).number)
        _ = try await home.store.console.perform(.refund(sold, .rest, reason: .other))
        let device = try await home.launch()
        try await home.untilFinished()
        #expect(try await device.downloads().isEmpty)
    }

    @Test("a restore that comes before a sale's own event does not take its download away")
    func restoredBeforeItsDelivery() async throws {
        try await home.launch().close()
        _ = try await home.session().purchase(.of(Self.book))
        let early = try await home.open()
        #expect(try await early.restore().restored.map(\.productId) == [Self.book])
        #expect(try await early.downloads().isEmpty, "a restore downloads nothing by itself")
        await early.close()
        let device = try await home.launch()
        try await home.until(device, .finished)
        try await home.untilFinished()
        try await expectWholeBook(on: device)
    }

    @Test("what a person cancelled is not queued again when the store lists its sale as unfinished")
    func cancelledStaysCancelled() async throws {
        let device = try await home.launch { script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                throw StoreError(.networkError)
            }
            script.beforeFinish = { (_: TransactionID) async throws(StoreError) in
                throw StoreError(.networkError)
            }
        }
        _ = try await device.buy(.of(Self.book))
        try await home.untilDelivered(1, on: device)
        await #expect(throws: StoreError.self) { try await device.cancelDownloads(of: Self.book) }
        await device.close()
        let again = try await home.launch()
        try await home.untilFinished()
        #expect(try await again.downloads().map(\.state) == [.cancelled])
    }

    @Test("a sale is not finished before its download [A10, A11]")
    func aSaleIsNotFinishedBeforeItsDownload() async throws {
        let gate = Gate()
        let device = try await home.launch { $0.holdBytes(at: gate) }
        _ = try await device.buy(.of(Self.book))
        await gate.reached()
        #expect(try await home.store.ledger.unfinished(of: "aoi").count == 1)
        #expect(try await device.contentPath(of: Self.book, contentID: "text") == nil)
        gate.open()
        try await home.untilFinished()
        try await expectWholeBook(on: device)
    }

    // MARK: - Stopping and resuming

    @Test("a download continues after the device was suspended")
    func aDownloadContinuesAfterSuspension() async throws {
        let gate = Gate()
        let asked = Tally()
        let device = try await home.launch { script in
            script.beforeBytes = { (_: String, _: Int64, _ count: Int) async throws(StoreError) in
                if asked.count > 0 {
                    await gate.pass()
                    // Hold the second piece until the suspension has cancelled the download.
                    while !Task.isCancelled, asked.count < Int64(2 * count) { await Task.yield() }
                }
                asked.add(Int64(count))
            }
        }
        _ = try await device.buy(.of(Self.book))
        await gate.reached()
        async let suspending: Void = device.suspend()
        gate.open()
        await suspending
        let before = asked.count
        #expect(try await device.downloads().map(\.state) == [.waiting])
        try await device.launch()
        try await home.until(device, .finished)
        try await home.untilFinished()
        try await expectWholeBook(on: device)
        #expect(before < Home.bookLength)
        #expect(asked.count <= Home.bookLength + Int64(DeviceLimits.chunkBytesMax))
    }

    @Test("a resumed download continues where it was paused [A9]")
    func aPausedDownloadGoesOnWhereItStopped() async throws {
        let gate = Gate()
        let asked = Tally()
        let device = try await home.launch { script in
            script.beforeBytes = { (_: String, _: Int64, _ count: Int) async throws(StoreError) in
                if asked.count > 0 { await gate.pass() }
                asked.add(Int64(count))
            }
        }
        _ = try await device.buy(.of(Self.book))
        await gate.reached()
        try await device.pauseDownloads(of: Self.book)
        #expect(try await device.downloads().map(\.state) == [.paused])
        gate.open()
        try await expectResumed(device)
        #expect(asked.count <= Home.bookLength + Int64(DeviceLimits.chunkBytesMax))
    }

    @Test("a download that was cut off requests only the missing bytes")
    func aKilledDownloadAsksOnlyForWhatIsMissing() async throws {
        let first = try await home.launch { $0.beforeBytes = cutAfter(1) }
        _ = try await first.buy(.of(Self.book))
        try await home.until(first, .failed)
        let here = try #require(try await first.downloads().first).bytesReceived
        #expect(here > 0 && here < Home.bookLength)
        await first.close()

        let asked = Tally()
        let second = try await home.launch { script in
            script.beforeBytes = { (_: String, _: Int64, _ count: Int) async throws(StoreError) in
                asked.add(Int64(count))
            }
        }
        try await second.resumeDownloads(of: Self.book)
        try await home.until(second, .finished)
        #expect(asked.count == Home.bookLength - here)
        try await expectWholeBook(on: second)
        try await home.untilFinished()
    }

    @Test("a download that an ended process left active continues at the next launch [E5]")
    func whatAKilledProcessLeftActiveGoesOnByItself() async throws {
        let gate = Gate()
        let first = try await home.launch { $0.holdBytes(at: gate) }
        _ = try await first.buy(.of(Self.book))
        await gate.reached()
        async let closing: Void = first.close()
        gate.open()
        await closing
        let second = try await home.launch()
        try await home.until(second, .finished)
        try await home.untilFinished()
        try await expectWholeBook(on: second)
    }

    @Test("a network error fails the download with the reason, and it can be resumed [A9]")
    func aBrokenLineFailsWithTheReasonAndResumes() async throws {
        let cut = Tally()
        let device = try await home.launch { script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                if cut.add() == 2 { throw StoreError(.networkError) }
            }
        }
        _ = try await device.buy(.of(Self.book))
        try await home.until(device, .failed)
        #expect(try await device.downloads().first?.error?.code == .networkError)
        #expect(try await home.store.ledger.unfinished(of: "aoi").count == 1)
        try await device.resumeDownloads(of: Self.book)
        try await home.until(device, .finished)
        #expect(try await device.downloads().first?.error == nil)
        try await expectWholeBook(on: device)
    }

    @Test("cancelling a download removes its bytes and finishes the sale [A9]")
    func aCancelledDownloadLeavesNothingAndFinishesTheSale() async throws {
        let device = try await home.launch { $0.beforeBytes = cutAfter(1) }
        _ = try await device.buy(.of(Self.book))
        try await home.until(device, .failed)
        try await device.cancelDownloads(of: Self.book)
        try await home.untilFinished()
        #expect(try await device.downloads().map(\.state) == [.cancelled])
        #expect(try await device.downloads().map(\.bytesReceived) == [0])
        #expect(try await device.contentPath(of: Self.book, contentID: "text") == nil)
    }

    /// Waits until the device's folder `name` has no file of the book.
    private func untilGone(from name: String, of device: Device) async throws {
        let path = try home.deviceFolder().path + "/\(name)/\(Self.book)"
        for await _ in device.downloadWakes() {
            if !FileManager.default.fileExists(atPath: path) { return }
        }
    }

    @Test("a download cancelled while it asks for its files leaves no folders")
    func noFoldersAfterCancelling() async throws {
        let gate = Gate()
        let device = try await home.launch { script in
            script.beforeManifest = { () async throws(StoreError) in await gate.pass() }
        }
        _ = try await device.buy(.of(Self.book))
        await gate.reached()
        try await device.cancelDownloads(of: Self.book)
        gate.open()
        try await home.untilFinished()
        // The download's task creates its folders before it notices its cancellation.
        await device.close()
        let folder = try home.deviceFolder().path
        for name in ["partial", "content"] {
            #expect(!FileManager.default.fileExists(atPath: "\(folder)/\(name)/\(Self.book)"))
        }
    }

    @Test("a download whose bytes were thrown away leaves no folder in partial")
    func noFolderAfterMismatch() async throws {
        let device = try await home.launch { script in
            script.changeBytes = { bytes, _ in Data(bytes.reversed()) }
        }
        _ = try await device.buy(.of(Self.book))
        try await home.until(device, .failed)
        try await untilGone(from: "partial", of: device)
    }

    @Test("at a launch what a killed process left in partial and in the trash is removed")
    func litterOfAKill() async throws {
        let first = try await home.launch()
        _ = try await first.buy(.of(Self.book))
        try await home.until(first, .finished)
        try await home.untilFinished()
        await first.close()
        let folder = try home.deviceFolder().path
        let files = FileManager.default
        for path in ["partial/\(Self.book)/text/files", "trash/one/two"] {
            try files.createDirectory(
                atPath: folder + "/" + path, withIntermediateDirectories: true)
        }
        let second = try await home.launch()
        // The device delivers a purchase only after its launch has resumed every download.
        _ = try await second.buy(.of(SampleCatalog.theme))
        try await home.untilFinished()
        #expect(!files.fileExists(atPath: "\(folder)/partial/\(Self.book)"))
        #expect(try files.contentsOfDirectory(atPath: folder + "/trash").isEmpty)
        try await expectWholeBook(on: second)
        await second.close()
    }

    @Test("deleted content can be downloaded again [A10]")
    func deletedContentIsFetchedAgain() async throws {
        let device = try await home.launch()
        _ = try await device.buy(.of(Self.book))
        try await home.until(device, .finished)
        let path = try #require(try await device.contentPath(of: Self.book, contentID: "text"))
        try await device.deleteContent(of: Self.book)
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try await device.contentPath(of: Self.book, contentID: "text") == nil)
        try await expectResumed(device)
    }

    @Test("content removed by hand can be downloaded again")
    func contentRemovedByHandIsFetchedAgain() async throws {
        let device = try await home.launch()
        _ = try await device.buy(.of(Self.book))
        try await home.until(device, .finished)
        let path = try #require(try await device.contentPath(of: Self.book, contentID: "text"))
        try FileManager.default.removeItem(atPath: path)
        try await device.resumeDownloads(of: Self.book)
        try await home.until(device) {
            try await device.downloads().map(\.state) == [.finished]
                && FileManager.default.fileExists(atPath: path)
        }
        try await expectWholeBook(on: device)
    }

    @Test("content that is bought is downloaded in a territory that does not sell its product [E5]")
    func whatIsNotSoldHereGoesOn() async throws {
        let device = try await home.launch { $0.beforeBytes = cutAfter(0) }
        _ = try await device.buy(.of(Self.book))
        try await home.until(device, .failed)
        await device.close()
        _ = try await home.store.console.changeAccount(
            "aoi", askToBuy: nil, canMakePayments: nil, territory: "DEU")
        let next = try await home.launch()
        #expect(try await home.session().products([Self.book]).products.isEmpty)
        try await expectResumed(next)
    }

    @Test("content of a product that is not owned cannot be downloaded")
    func whatIsNotOwnedIsNotFetched() async throws {
        let device = try await home.launch()
        let error = await #expect(throws: StoreError.self) {
            try await device.resumeDownloads(of: Self.book)
        }
        #expect(error?.code == .notEntitled)
        let refused = await #expect(throws: StoreError.self) {
            try await home.session().contentManifest(product: Self.book, contentID: "text")
        }
        #expect(refused?.code == .notEntitled)
    }

    @Test("finishing a transaction by hand cancels its download [A11]")
    func finishingByHandEndsTheDownload() async throws {
        let device = try await home.launch { $0.beforeBytes = cutAfter(0) }
        let id = try #require(try await device.buy(.of(Self.book)).number)
        try await home.until(device, .failed)
        #expect(try await device.finish(id) == .finished)
        #expect(try await device.downloads().map(\.state) == [.cancelled])
        #expect(try await device.finish(id) == .alreadyFinished)
    }

    // MARK: - Content that does not match

    @Test("content that changed in the store is downloaded from the start")
    func changedContentIsFetchedAfresh() async throws {
        let first = try await home.launch { $0.beforeBytes = cutAfter(1) }
        _ = try await first.buy(.of(Self.book))
        try await home.until(first, .failed)
        await first.close()
        try home.folder.write(
            String(repeating: "Another lamp. ", count: 9_000), to: "content/book/one.txt")
        let second = try await home.launch()
        try await expectResumed(second)
    }

    @Test("corrupt bytes are discarded, and a resumed download fetches them again")
    func corruptBytesAreThrownAwayAndFetchedAfresh() async throws {
        let isBad = Tally()
        let device = try await home.launch { script in
            script.changeBytes = { bytes, path in
                guard path == "one.txt", isBad.add() == 1, !bytes.isEmpty else { return bytes }
                return bytes.dropLast() + [bytes[bytes.endIndex - 1] ^ 1]
            }
        }
        _ = try await device.buy(.of(Self.book))
        try await home.until(device, .failed)
        let download = try #require(try await device.downloads().first)
        #expect(download.error?.code == .contentMismatch)
        #expect(download.error?.subject == "one.txt")
        #expect(download.bytesReceived == 0, "thrown away")
        #expect(try await device.contentPath(of: Self.book, contentID: "text") == nil)
        try await expectResumed(device)
    }

    /// After three pieces the file is complete; it is only checked then.
    @Test("a partial file that was tampered with fails its checksum", arguments: [1, 3])
    func aPartialFileTamperedWithIsFoundOut(pieces: Int64) async throws {
        let first = try await home.launch { $0.beforeBytes = cutAfter(pieces) }
        _ = try await first.buy(.of(Self.book))
        try await home.until(first, .failed)
        await first.close()
        let partial = try home.deviceFolder().partialPath + "/\(Self.book)/text/files/one.txt"
        var bytes = try #require(FileManager.default.contents(atPath: partial))
        bytes[0] ^= 1
        try bytes.write(to: URL(filePath: partial))
        let second = try await home.launch()
        try await second.resumeDownloads(of: Self.book)
        try await home.until(second) {
            try await second.downloads().first?.error?.code == .contentMismatch
        }
        try await expectResumed(second)
    }

    @Test(
        "a manifest path that leaves the package is refused [E1]",
        arguments: ["../out.txt", "/etc/out.txt", "a/../../out.txt", "a//b", "", ".", "a\u{1B}b"])
    func aPathThatLeavesThePackageIsRefused(_ path: String) async throws {
        let device = try await home.launch { script in
            script.changeManifest = { manifest in
                var manifest = manifest
                manifest.files[0].path = path
                return manifest
            }
        }
        _ = try await device.buy(.of(Self.book))
        try await home.until(device, .failed)
        #expect(try await device.downloads().first?.error?.code == .contentMismatch)
        let folder = try home.deviceFolder()
        #expect(!FileManager.default.fileExists(atPath: folder.partialPath + "/\(Self.book)"))
    }

    // MARK: - Another process

    @Test("a pause from another process stops the download")
    func aPauseByAnotherProcessIsObeyed() async throws {
        let begun = Gate()
        let stopped = Gate()
        let pieces = Tally()
        let first = try await home.launch { script in
            script.beforeBytes = { (_: String, _: Int64, _: Int) async throws(StoreError) in
                guard pieces.add() == 1 else { return }
                begun.open()
                // Only the pause from the other device may stop this download.
                while !Task.isCancelled { await Task.yield() }
                stopped.open()
            }
        }
        let other = try await home.open()
        _ = try await first.buy(.of(Self.book))
        await begun.pass()
        try await other.pauseDownloads(of: Self.book)
        await stopped.pass()
        #expect(try await first.downloads().map(\.state) == [.paused])
        try await expectResumed(first, by: other)
    }

    @Test("a download requested by another process is carried out")
    func aDownloadAskedForByAnotherProcessIsRun() async throws {
        let first = try await home.launch()
        let other = try await home.launch()
        _ = try await other.buy(.of(Self.book))
        try await home.until(other, .finished)
        try await home.untilFinished()
        try await expectWholeBook(on: other)
        try await other.deleteContent(of: Self.book)
        try await expectResumed(first, by: other)
    }
}
