import Foundation
import StoreCatalog
import StoreModel
import Testing

struct HostedContentFolderTests {
    private let fixture: CatalogFixture
    private let folder: HostedContentFolder

    init() throws {
        fixture = try CatalogFixture()
        folder = HostedContentFolder(root: fixture.folder + "/Content")
        try fixture.write("secret.txt", "secret")
        try fixture.write("Content/book/b.txt", "bb")
        try fixture.write("Content/book/a/z.txt", "abc")
        try fixture.write("Content/book/é.txt", "")
        try fixture.write("Content/one.txt", "0123456789")
    }

    private func package(_ path: String) -> CatalogDelivery.Package {
        CatalogDelivery.Package(id: "text", version: "1.0", path: path)
    }

    @Test("a manifest lists every file in order, with its length and SHA-256")
    func manifestNamesEveryFileInOrder() throws {
        let manifest = try folder.opened(package("book")).manifest
        #expect(manifest.contentID == "text")
        #expect(manifest.version == "1.0")
        #expect(manifest.files.map(\.path) == ["a/z.txt", "b.txt", "é.txt"])
        #expect(manifest.files.map(\.length) == [3, 2, 0])
        #expect(
            manifest.files.first?.sha256
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(try folder.length(of: package("book")) == 5)
    }

    @Test("a package may be a single file")
    func packageMayBeOneFile() throws {
        let manifest = try folder.opened(package("one.txt")).manifest
        #expect(manifest.files.map(\.path) == ["one.txt"])
        #expect(manifest.length == 10)
    }

    @Test("a file's bytes can be read from any offset")
    func bytesAreGivenInPieces() throws {
        func piece(_ offset: Int64, _ count: Int) throws -> String {
            let data = try folder.bytes(
                of: package("one.txt"), path: "one.txt", offset: offset, count: count)
            return String(decoding: data, as: UTF8.self)
        }
        #expect(try piece(0, 4) == "0123")
        #expect(try piece(8, 4) == "89")
        #expect(try piece(10, 4) == "")
        #expect(try piece(99, 4) == "")
        #expect(throws: StoreError.self) { try piece(-1, 4) }
        #expect(throws: StoreError.self) {
            try folder.bytes(of: package("book"), path: "../one.txt", offset: 0, count: 1)
        }
    }

    @Test(
        "a package path that leaves the folder or names no files is refused [E1]",
        arguments: [
            "", "..", "../secret.txt", "book/../../secret.txt", "/etc/passwd", "missing", "empty",
            "leaving", "leaving.txt", "holding", "circle", "broken", "a\u{1B}b",
            "linked/../../secret.txt",
        ])
    func nothingOutsideIsReached(path: String) throws {
        try fixture.write("outside/x.txt", "secret")
        try FileManager.default.createDirectory(
            atPath: folder.root + "/empty", withIntermediateDirectories: true)
        try fixture.link("Content/leaving", to: "../outside")
        try fixture.link("Content/leaving.txt", to: fixture.folder + "/secret.txt")
        try fixture.write("Content/holding/fine.txt", "x")
        try fixture.link("Content/holding/deep.txt", to: "../../secret.txt")
        try fixture.write("Content/circle/fine.txt", "x")
        try fixture.link("Content/circle/up", to: "../circle")
        try fixture.link("Content/broken", to: "nowhere")
        for attempt in 0..<2 {
            let error = #expect(throws: StoreError.self) {
                if attempt == 0 { _ = try folder.length(of: package(path)) }
                if attempt == 1 { _ = try folder.opened(package(path)) }
            }
            #expect(error?.code == .contentUnavailable)
            #expect(error?.found?.text.isEmpty == false)
        }
    }

    @Test("a link to another place in the folder is followed")
    func linkInsideTheFolderIsFollowed() throws {
        try fixture.link("Content/again", to: "book")
        #expect(try folder.length(of: package("again")) == 5)
    }

    @Test("a package larger than 2 GB is refused")
    func packageOverTheLimitIsRefused() throws {
        let path = try fixture.write("Content/huge/huge.bin", "")
        let handle = try #require(FileHandle(forWritingAtPath: path))
        try handle.truncate(atOffset: UInt64(HostedContentFolder.packageBytesMax) + 1)
        try handle.close()
        let error = #expect(throws: StoreError.self) { try folder.length(of: package("huge")) }
        #expect(error?.expected == "at most 2 GB a package")
    }

    @Test("a catalog whose package leaves the content folder is refused [E1]")
    func catalogWithAnEscapingPackageIsRefused() throws {
        try fixture.link("Content/book-1", to: "../..")
        let text = CatalogFixture.good
        let reading = CatalogReader.read(path: try fixture.write("catalog.json", text))
        #expect(reading.catalog == nil)
        #expect(reading.problems.map(\.path) == ["products[1].delivery.packages[0].path"])
        #expect(
            reading.problems.map(\.found) == ["\"book-1\": a link that leaves the content folder"])
    }
}
