import ContentPackages
import Foundation
@testable import StoreCatalog
import StoreDevice
import StoreHost
import StoreModel
import Testing

/// Newer versions of installed content.
@Suite(.timeLimit(.minutes(5))) struct ContentUpdateTests {
    private static let book: ProductID = "front.book"
    private let folder: PackageFolder
    private let host: StoreHost

    /// A store whose catalog has the book's folder as version 1.0.
    init() async throws {
        folder = try PackageFolder()
        host = try await folder.open(folder.catalog([.hosted(Self.book, at: "book")]))
    }

    private func device(_ speed: NetworkSpeed = .unlimited) async throws -> Device {
        try await host.device(account: "aoi", name: "phone", locale: "en_US", speed: speed)
    }

    /// A device with the first version installed.
    private func bought() async throws -> Device {
        let device = try await device()
        try await device.launch()
        try await host.buy(Self.book, on: device)
        try await device.until(Self.book) { $0.state == .finished }
        return device
    }

    private var partial: String {
        folder.path + "/store/devices/phone/aoi/partial/\(Self.book)"
    }

    private func release(_ version: String, _ text: String) async throws {
        let source = folder.path + "/source-\(version)"
        try folder.write(text, to: source + "/part/one.txt")
        let info = ContentInfo(
            productID: Self.book, version: try #require(ContentVersion(version)))
        _ = try PackagePacker.pack(source, as: info, to: source + ".zip")
        let release = try await host.hostPackage(at: source + ".zip").release
        _ = try await host.storeOperator.perform(
            .package(
                .setState(
                    Self.book, contentID: release.contentID, version: release.version, .approved)))
    }

    private func text(on device: Device) async throws -> String {
        let bytes = try await device.readContent(
            product: Self.book, contentID: "text", path: "part/one.txt", offset: 0, count: 1000)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The versions on this device's disk.
    private func versions() throws -> [String] {
        try FileManager.default.contentsOfDirectory(
            atPath: folder.path + "/store/devices/phone/aoi/content/\(Self.book)/text"
        ).sorted()
    }

    @Test("a newer version is found, fetched beside the old, and takes its place [E3]")
    func updated() async throws {
        let device = try await bought()
        #expect(try await device.contentUpdates().isEmpty)
        try await release("1.1", "new text")
        let update = try #require(try await device.contentUpdates().first)
        #expect(update.installedVersion == "1.0" && update.offeredVersion == "1.1")
        #expect(try await device.downloads().map(\.installedVersion) == ["1.0"])
        #expect(try await device.updateContent(of: Self.book) == [update])
        try await device.until(Self.book) { $0.state == .finished && $0.version == "1.1" }
        #expect(try await text(on: device) == "new text")
        #expect(try await device.contentUpdates().isEmpty)
        #expect(try await device.updateContent(of: Self.book).isEmpty)
        await device.close()
        // The next launch removes the old version, if it is still there.
        let next = try await self.device()
        try await next.launch()
        try await next.until(Self.book) { _ in (try? versions()) == ["1.1"] }
        await next.close()
    }

    @Test("while a newer version is fetched, and when it fails, the old one is there [E3]")
    func oldStays() async throws {
        await (try await bought()).close()
        try await release("1.1", String(repeating: "much more text ", count: 3000))
        let device = try await device(.stopsAt(percent: 40))
        try await device.launch()
        _ = try await device.updateContent(of: Self.book)
        try await device.until(Self.book) { $0.state == .active && $0.bytesReceived > 0 }
        let download = try #require(try await device.downloads().first)
        #expect(download.version == "1.1" && download.installedVersion == "1.0")
        #expect(download.installedBytes == 8 && download.bytesExpected > 8 && download.isUpdate)
        #expect(download.beforeUpdate.bytesReceived == 8)
        #expect(try await text(on: device) == "old text")
        #expect(
            try await device.contentPath(of: Self.book, contentID: "text")?.hasSuffix("/1.0")
                == true)
        // A cancelled update leaves no trace, and is offered again.
        try await device.cancelDownloads(of: Self.book)
        let kept = try #require(try await device.downloads().first)
        #expect(kept.state == .finished && kept.version == "1.0")
        #expect(kept.bytesExpected == 8 && kept.bytesReceived == 8 && !kept.isUpdate)
        #expect(try await text(on: device) == "old text")
        #expect(try await device.contentUpdates().map(\.offeredVersion) == ["1.1"])
        #expect(try versions() == ["1.0"])
        await device.close()
    }

    @Test("an update that was cancelled stops, and begins again when it is asked for")
    func cancelledAndAskedAgain() async throws {
        await (try await bought()).close()
        try await release("1.1", String(repeating: "much more text ", count: 3000))
        let device = try await device(.stopsAt(percent: 40))
        try await device.launch()
        for _ in 1...2 {
            _ = try await device.updateContent(of: Self.book)
            try await device.until(Self.book) { $0.state == .active && $0.bytesReceived > 0 }
            try await device.cancelDownloads(of: Self.book)
            #expect(try await device.downloads().map(\.state) == [.finished])
        }
        // Another process cancels the update and requests it again at once.
        _ = try await device.updateContent(of: Self.book)
        try await device.until(Self.book) { $0.state == .active && $0.bytesReceived > 0 }
        let other = try await self.device()
        try await other.cancelDownloads(of: Self.book)
        _ = try await other.updateContent(of: Self.book)
        try await device.until(Self.book) { $0.state == .active && $0.bytesReceived > 0 }
        #expect(try await device.downloads().allSatisfy { $0.error == nil })
        await device.close()
        try await other.launch()
        try await other.until(Self.book) { $0.state == .finished && $0.version == "1.1" }
        #expect(!FileManager.default.fileExists(atPath: partial))
        await other.close()
    }

    @Test("the version that was open is listed until it is closed, and removed then")
    func closedReader() async throws {
        let device = try await bought()
        _ = try await device.contentFiles(of: Self.book)
        await device.closeContent()
        #expect(try versions() == ["1.0"], "no newer one has replaced it")
        for (old, new) in [("1.0", "1.1"), ("1.1", "1.2")] {
            #expect(try await device.contentFiles(of: Self.book).map(\.version) == [old])
            let before = try await text(on: device)
            try await release(new, "text \(new)")
            _ = try await device.updateContent(of: Self.book)
            try await device.until(Self.book) { $0.state == .finished && $0.version == new }
            // The next chapter comes from the opened version, too.
            #expect(try await device.contentFiles(of: Self.book).map(\.version) == [old])
            #expect(try await text(on: device) == before)
            #expect(try versions() == [old, new])
            await device.closeContent()
            #expect(try versions() == [new])
            #expect(try await text(on: device) == "text \(new)")
        }
        await device.close()
    }

    @Test("what was open and was removed is listed as what was fetched in its place")
    func openAndRemoved() async throws {
        let device = try await bought()
        _ = try await device.contentFiles(of: Self.book)
        try await device.deleteContent(of: Self.book)
        #expect(try await device.contentFiles(of: Self.book).isEmpty)
        try await release("1.1", "new text")
        try await device.resumeDownloads(of: Self.book)
        try await device.until(Self.book) { $0.state == .finished && $0.version == "1.1" }
        #expect(try await device.contentFiles(of: Self.book).map(\.version) == ["1.1"])
        #expect(try await text(on: device) == "new text")
        await device.close()
    }

    @Test("who has the old version open reads it to its end [E3]")
    func openReader() async throws {
        let device = try await bought()
        #expect(try await device.contentFiles(of: Self.book).map(\.version) == ["1.0"])
        try await release("1.1", "new text")
        // The reader is in another process than the download.
        let other = try await host.device(account: "aoi", name: "phone", locale: "en_US")
        _ = try await other.updateContent(of: Self.book)
        try await device.until(Self.book) { $0.state == .finished && $0.version == "1.1" }
        #expect(try await text(on: device) == "old text")
        #expect(try versions() == ["1.0", "1.1"])
        #expect(try await text(on: other) == "new text")
        #expect(try await device.contentFiles(of: Self.book).map(\.version) == ["1.0"])
        // When it is opened again, the reader gets the new version.
        await device.closeContent()
        #expect(try await device.contentFiles(of: Self.book).map(\.version) == ["1.1"])
        #expect(try await text(on: device) == "new text")
        #expect(try versions() == ["1.1"])
        await other.close()
        await device.close()
    }

    @Test(
        "room is made by what was read longest ago, not what is open; it can be fetched again [E6]")
    func room() async throws {
        let device = try await bought()
        let before = try await device.contentSpace()
        #expect(before.packages == 1 && before.bytes == 8 && before.partialBytes == 0)
        // Another process has the book open.
        let reader = try await self.device()
        _ = try await reader.contentFiles(of: Self.book)
        #expect(try await device.freeContent(bytes: 1).isEmpty)
        await reader.close()
        let removed = try await device.freeContent(bytes: 1)
        #expect(removed.map(\.bytesReceived) == [8])
        #expect(try await device.contentSpace().bytes == 0)
        #expect(try await device.downloads().map(\.state) == [.deleted])
        try await device.resumeDownloads(of: Self.book)
        try await device.until(Self.book) { $0.state == .finished }
        #expect(try await text(on: device) == "old text")
        await device.close()
    }

    @Test("a refund takes every version")
    func refunded() async throws {
        let device = try await bought()
        try await release("1.1", "new text")
        let sale = try #require(try await device.downloads().first?.transactionID)
        _ = try await host.storeOperator.perform(.refund(sale, .rest, reason: .other))
        try await device.until(Self.book) { $0.state == .deleted }
        #expect(try await device.contentUpdates().isEmpty)
        #expect(try await device.contentPath(of: Self.book, contentID: "text") == nil)
        await device.close()
    }
}
