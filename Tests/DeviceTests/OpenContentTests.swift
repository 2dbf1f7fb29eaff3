import Foundation
import StoreDevice
import StoreModel
import StoreTestSupport
import Testing

/// Files of downloaded packages are listed and read.
@Suite("downloaded content that is opened", .timeLimit(.minutes(10))) struct OpenContentTests {
    private static let book = SampleCatalog.book
    private let home: Home

    init() async throws { home = try await Home() }

    private func launchWithBook() async throws -> Device {
        let device = try await home.launch()
        _ = try await device.buy(.of(Self.book))
        try await home.untilFinished()
        return device
    }

    private func read(
        _ path: String, on device: Device, from offset: Int64 = 0, count: Int = 1 << 20
    ) async throws -> Data {
        try await device.readContent(
            product: Self.book, contentID: "text", path: path, offset: offset, count: count)
    }

    private func code(_ path: String, on device: Device) async -> StoreError.Code? {
        do {
            _ = try await read(path, on: device)
            return nil
        } catch { return (error as? StoreError)?.code }
    }

    @Test("a package's files are listed in its manifest's order and read as they are hosted [A10]")
    func files() async throws {
        let device = try await launchWithBook()
        let files = try await device.contentFiles(of: Self.book)
        #expect(files.map(\.path) == Home.bookFiles)
        #expect(files.reduce(0) { $0 + $1.length } == Home.bookLength)
        for file in files {
            #expect(file.contentID == "text")
            #expect(file.version == "1.0")
            #expect(file.kind == .text)
            let hosted = FileManager.default.contents(
                atPath: "\(home.folder.path)/content/book/\(file.path)")
            #expect(try await read(file.path, on: device) == hosted)
            #expect(FileManager.default.contents(atPath: file.absolutePath) == hosted)
        }
        await device.close()
    }

    @Test("a part of a file is read from its offset, and nothing behind its end")
    func parts() async throws {
        let device = try await launchWithBook()
        let path = "part/three/four.txt"
        #expect(try await read(path, on: device, from: 1, count: 2) == Data("nd".utf8))
        #expect(try await read(path, on: device, from: 3) == Data(".".utf8))
        #expect(try await read(path, on: device, from: 4).isEmpty)
        #expect(try await read(path, on: device, from: Int64.max - 1).isEmpty)
        #expect(try await read(path, on: device, from: -1).isEmpty)
        #expect(try await read(path, on: device, count: -1).isEmpty)
        await device.close()
    }

    @Test("one call reads at most 1 MiB")
    func bound() async throws {
        let home = try await Home(book: [
            "book/long.txt": String(repeating: "x", count: DeviceLimits.contentReadMax + 10)
        ])
        let device = try await home.launch()
        _ = try await device.buy(.of(Self.book))
        try await home.untilFinished()
        let bytes = try await read("long.txt", on: device, count: Int.max)
        #expect(bytes.count == DeviceLimits.contentReadMax)
        await device.close()
    }

    @Test("content that was deleted while it was open is unavailable")
    func deleted() async throws {
        let device = try await launchWithBook()
        #expect(await code("one.txt", on: device) == nil)
        let path = try await device.contentPath(of: Self.book, contentID: "text")
        try FileManager.default.removeItem(atPath: try #require(path) + "/Contents/one.txt")
        #expect(await code("one.txt", on: device) == .contentUnavailable)
        #expect(await code("part/none/four.txt", on: device) == .contentUnavailable)
        try await device.deleteContent(of: Self.book)
        #expect(await code("part/two.txt", on: device) == .contentUnavailable)
        #expect(try await device.contentFiles(of: Self.book).isEmpty)
        await device.close()
    }

    @Test("neither a link nor a path upwards leads out of a package")
    func links() async throws {
        let device = try await launchWithBook()
        let path =
            try #require(
                try await device.contentPath(of: Self.book, contentID: "text")) + "/Contents"
        try FileManager.default.createSymbolicLink(
            atPath: path + "/link.txt", withDestinationPath: "/etc/passwd")
        try FileManager.default.createSymbolicLink(
            atPath: path + "/folder", withDestinationPath: "/etc")
        #expect(try await device.contentFiles(of: Self.book).map(\.path) == Home.bookFiles)
        for path in [
            "link.txt", "folder/passwd", "../Contents/one.txt", "", "/etc/passwd", "part/..",
        ] {
            #expect(await code(path, on: device) == .deviceUnreadable, "\(path)")
        }
        await device.close()
    }

    @Test("a product without hosted content has no files")
    func embedded() async throws {
        let device = try await home.launch()
        _ = try await device.buy(.of(SampleCatalog.theme))
        try await home.untilFinished()
        #expect(try await device.contentFiles(of: SampleCatalog.theme).isEmpty)
        #expect(try await device.contentFiles(of: "unknown").isEmpty)
        await device.close()
    }
}
