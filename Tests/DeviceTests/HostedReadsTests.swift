import Foundation
import StoreCatalog
import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// A package of many files takes few ledger reads, not one for each file.
@Suite(.timeLimit(.minutes(10))) struct HostedReadsTests {
    private static let book = SampleCatalog.book

    @Test("downloading a package does not query the ledger for every file")
    func fewQuestions() async throws {
        let count = 300
        let book = Dictionary(
            uniqueKeysWithValues: (0..<count).map {
                ("book/part-\($0 % 7)/\($0).txt", "page \($0)")
            })
        let ledger = FaultyLedger(InMemoryLedger(), failAt: 0, moment: .before)
        let home = try await Home(ledger: ledger, book: book)
        let device = try await home.launch()
        _ = try await device.buy(.of(Self.book))
        try await home.untilFinished()
        try await device.deleteContent(of: Self.book)
        let before = ledger.calls
        try await device.resumeDownloads(of: Self.book)
        for await _ in device.downloadWakes() {
            if try await device.downloads().map(\.state) == [.finished] { break }
        }
        #expect(ledger.calls - before < count / 10)
        let path = try #require(try await device.contentPath(of: Self.book, contentID: "text"))
        for (name, text) in book {
            let file = path + "/Contents/" + name.dropFirst("book/".count)
            #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
        }
        await device.close()
    }

    @Test("a catalog revision is noticed while a package is being read")
    func revisedWhileRead() async throws {
        let home = try await Home()
        let session = home.session()
        _ = try await session.purchase(.of(Self.book))
        func piece() async throws -> String {
            let bytes = try await session.contentBytes(
                product: Self.book, contentID: "text", path: "part/three/four.txt", offset: 0,
                count: 9)
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(try await piece() == "End.")
        try home.folder.write("Another end.", to: "content/other/part/three/four.txt")
        var catalog = SampleCatalog.catalog(contentFolder: home.folder.path + "/content")
        let place = try #require(catalog.products.firstIndex { $0.id == Self.book })
        catalog.products[place].delivery = .hosted([
            .init(id: "text", version: "1.0", path: "other")
        ])
        try await home.store.engine.sell(catalog, digest: "two")
        var pieces: [String] = []
        for _ in 0...StoreLimits.piecesUnasked { pieces.append(try await piece()) }
        #expect(pieces.last == "Another e")
    }

    @Test("a hosted file replaced by a link during a download is not followed [E1]")
    func replacedByALink() async throws {
        let home = try await Home()
        let session = home.session()
        _ = try await session.purchase(.of(Self.book))
        func piece() async throws -> Data {
            try await session.contentBytes(
                product: Self.book, contentID: "text", path: "one.txt", offset: 0, count: 9)
        }
        _ = try await piece()
        try home.folder.write("secret", to: "secret.txt")
        let file = home.folder.path + "/content/book/one.txt"
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(
            atPath: file, withDestinationPath: home.folder.path + "/secret.txt")
        let error = await #expect(throws: StoreError.self) { try await piece() }
        #expect(error?.code == .contentUnavailable)
    }
}
