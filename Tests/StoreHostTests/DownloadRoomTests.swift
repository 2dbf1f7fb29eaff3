import Foundation
@testable import StoreCatalog
import StoreDevice
import StoreHost
@testable import StoreModel
import Testing

/// Downloads on a small disk, on a metered connection, and in the order of the requests for them.
@Suite(.timeLimit(.minutes(5))) struct DownloadRoomTests {
    private static let books: [ProductID] = ["front.one", "front.two", "front.three"]
    private static let length = 20_000
    /// A book of three times that length.
    private static let long: ProductID = "front.long"
    private let folder: PackageFolder
    private let host: StoreHost

    /// A store with three books of 20,000 bytes and one of 60,000.
    init() async throws {
        folder = try PackageFolder()
        var products: [CatalogProduct] = []
        for book in Self.books + [Self.long] {
            let length = book == Self.long ? 3 * Self.length : Self.length
            let text = String(repeating: "x", count: length)
            try folder.write(text, to: folder.path + "/Content/\(book)/text.txt")
            products.append(.hosted(book, at: book.rawValue))
        }
        host = try await folder.open(folder.catalog(products))
    }

    private func device(_ speed: NetworkSpeed = .unlimited, atOnce: Int = 2) async throws -> Device
    {
        let device = try await host.device(
            account: "aoi", name: "phone", locale: "en_US", speed: speed, downloadsAtOnce: atOnce)
        try await device.launch()
        return device
    }

    @Test(
        "a too full disk is found before a byte is fetched; the person makes room or drops it [A9]"
    )
    func fullDisk() async throws {
        let device = try await device()
        let (first, second) = (Self.books[0], Self.books[1])
        try await host.buy(first, on: device)
        try await device.until(first) { $0.state == .finished }
        // Two books, with the CACHEDIR.TAG of their folders, do not fit on this disk.
        try await device.setDownloadFaults(.init(diskBytes: Int64(Self.length) * 3 / 2))
        try await host.buy(second, on: device)
        try await device.until(second) { $0.error?.code == .deviceFull }
        let held = try #require(try await device.download(of: second))
        #expect(held.state == .waiting && held.bytesReceived == 0)
        // Content that a reader has open is not removed.
        _ = try await device.contentFiles(of: first)
        #expect(try await device.makeRoom(for: second).isEmpty)
        _ = try await device.contentFiles(of: Self.books[2])
        await device.close()
        let next = try await self.device()
        try await next.until(second) { $0.error?.code == .deviceFull }
        let removed = try await next.makeRoom(for: second)
        #expect(removed.map(\.productID) == [first])
        try await next.until(second) { $0.state == .finished }
        #expect(try await next.download(of: first)?.state == .deleted)
        // The removed book stays owned, and can be downloaded again.
        try await next.setDownloadFaults(.init())
        try await next.resumeDownloads(of: first)
        try await next.until(first) { $0.state == .finished }
        await next.close()
    }

    @Test("room that was made in vain is told with the bytes that are free by then")
    func roomInVain() async throws {
        let device = try await device()
        let (first, second) = (Self.books[0], Self.books[1])
        try await host.buy(first, on: device)
        try await device.until(first) { $0.state == .finished }
        try await device.setDownloadFaults(.init(diskBytes: Int64(Self.length) - 1))
        try await host.buy(second, on: device)
        try await device.until(second) { $0.error?.code == .deviceFull }
        #expect(try await device.download(of: second)?.error?.found == "0")
        #expect(try await device.makeRoom(for: second).map(\.productID) == [first])
        // The CACHEDIR.TAG of the folders takes room on the disk, too.
        try await device.until(second) { row in
            row.error?.found?.number.map { (1..<Int64(Self.length)).contains($0) } ?? false
        }
        #expect(try await device.download(of: second)?.error?.expected == "\(Self.length)")
        // When there is room, the download continues without a person.
        try await device.setDownloadFaults(.init())
        try await device.until(second) { $0.state == .finished }
        await device.close()
    }

    @Test("a download that waits for room leaves its place to others, and takes one when it fits")
    func fullDiskTakesNoPlace() async throws {
        let device = try await device(atOnce: 1)
        let short = Self.books[0]
        let disk = Int64(Self.length) * 5 / 2
        try await device.setDownloadFaults(.init(stallAt: 10_000, diskBytes: disk))
        try await host.buy(Self.long, on: device)
        try await device.until(Self.long) { $0.waitsForRoom }
        try await host.buy(short, on: device)
        try await device.until(short) { $0.bytesReceived == 10_000 }
        #expect(try await device.download(of: Self.long)?.waitsForRoom == true)
        // The disk has room for it now, but the other download occupies the only slot.
        try await device.setDownloadFaults(.init(stallAt: 10_000))
        try await device.until(Self.long) { $0.state == .waiting && $0.error == nil }
        #expect(try await device.download(of: short)?.state == .active)
        // When a person requests it, it takes over the slot of the other download.
        try await device.resumeDownloads(of: Self.long)
        try await device.until(Self.long) { $0.bytesReceived == 10_000 }
        #expect(try await device.download(of: short)?.state == .waiting)
        try await device.setDownloadFaults(.init())
        for book in [short, Self.long] {
            try await device.until(book) { $0.state == .finished }
        }
        await device.close()
    }

    @Test("a device that may make room by itself does, and tells it in its log [E6]")
    func makesRoom() async throws {
        let device = try await device()
        var settings = DeviceSettings()
        settings.makesRoom = true
        try await device.change(settings)
        try await host.buy(Self.books[0], on: device)
        try await device.until(Self.books[0]) { $0.state == .finished }
        try await device.setDownloadFaults(.init(diskBytes: Int64(Self.length) * 3 / 2))
        try await host.buy(Self.books[1], on: device)
        try await device.until(Self.books[1]) { $0.state == .finished }
        #expect(try await device.download(of: Self.books[0])?.state == .deleted)
        let log = try await device.logEntries(before: nil, limit: 20).map(\.what)
        #expect(log.contains(.contentDeleted(Self.books[0])))
        await device.close()
    }

    @Test("on a metered connection a large download waits for consent, which ends with it [E5]")
    func metered() async throws {
        let device = try await device()
        var settings = DeviceSettings()
        settings.isMetered = true
        settings.meteredBytes = Int64(Self.length)
        try await device.change(settings)
        let book = Self.books[0]
        try await host.buy(book, on: device)
        try await device.until(book) { $0.needsConsent }
        let held = try #require(try await device.download(of: book))
        #expect(held.state == .waiting && !held.isWorkedOn && held.isStopped)
        try await device.consentToDownload(of: book)
        try await device.until(book) { $0.state == .finished }
        try await device.deleteContent(of: book)
        try await device.resumeDownloads(of: book)
        try await device.until(book) { $0.needsConsent }
        // When the connection is no longer metered, the download goes on by itself.
        try await device.change(DeviceSettings())
        try await device.until(book) { $0.state == .finished }
        await device.close()
    }

    @Test("what was just bought takes the place of what was bought before")
    func boughtLast() async throws {
        let device = try await device(atOnce: 1)
        let (first, second) = (Self.books[0], Self.books[1])
        try await device.setDownloadFaults(.init(stallAt: 10_000))
        try await host.buy(first, on: device)
        try await device.until(first) { $0.bytesReceived == 10_000 }
        try await host.buy(second, on: device)
        try await device.until(second) { $0.bytesReceived == 10_000 }
        #expect(try await device.download(of: first)?.state == .waiting)
        try await device.setDownloadFaults(.init())
        for book in [first, second] { try await device.until(book) { $0.state == .finished } }
        await device.close()
    }

    @Test("what is asked for now takes the place of what runs, which goes on afterwards")
    func priority() async throws {
        let device = try await device(atOnce: 1)
        let (first, second) = (Self.books[0], Self.books[1])
        try await host.buy(first, on: device)
        try await device.until(first) { $0.state == .finished }
        try await device.deleteContent(of: first)
        try await device.setDownloadFaults(.init(stallAt: 10_000))
        try await host.buy(second, on: device)
        try await device.until(second) { $0.bytesReceived == 10_000 }
        try await device.resumeDownloads(of: first)
        try await device.until(first) { $0.bytesReceived == 10_000 }
        #expect(try await device.download(of: second)?.state == .waiting)
        try await device.setDownloadFaults(.init())
        for book in [first, second] { try await device.until(book) { $0.state == .finished } }
        await device.close()
    }
}
