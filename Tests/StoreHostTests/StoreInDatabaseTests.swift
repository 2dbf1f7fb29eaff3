import ContentPackages
import Foundation
import SQLiteLedger
import StoreCatalog
import StoreDevice
import StoreEngine
import StoreHost
import StoreModel
import Testing

/// Two machines with one store, whose database is played by a file and a table in memory.
@Suite(.timeLimit(.minutes(5))) struct StoreInDatabaseTests {
    private static let book: ProductID = "front.book"
    private let folder: PackageFolder
    private let attachments = Table()

    init() throws { folder = try PackageFolder() }

    /// What a database keeps beside the ledger.
    private actor Table: StoreAttachments {
        private var keys: [String: String]?
        private var offerKeys: [(id: String, text: String)] = []
        private var chunks: [String: [Int: Data]] = [:]

        func signingKeys() -> [String: String]? { keys }

        func signingKeys(
            orMake make: @Sendable () throws(StoreError) -> [String: String]
        ) throws(StoreError) -> [String: String] {
            if let keys { return keys }
            let made = try make()
            keys = made
            return made
        }

        func read(_ id: String) -> String? { offerKeys.last { $0.id == id }?.text }
        func ids() -> [String] { offerKeys.map(\.id) }
        func write(_ text: String, as id: String) {
            offerKeys.removeAll { $0.id == id }
            offerKeys.append((id, text))
        }
        nonisolated func path(of id: String) -> String { id }

        func chunk(_ number: Int, of sha256: String) -> Data? { chunks[sha256]?[number] }
        func keep(_ chunk: Data, _ number: Int, of sha256: String) {
            chunks[sha256, default: [:]][number] = chunk
        }
        func removeChunks(except files: Set<String>) {
            chunks = chunks.filter { files.contains($0.key) }
        }

        var files: Set<String> { Set(chunks.keys) }
        func change(_ chunk: Data?) {
            chunks = chunks.mapValues { _ in chunk.map { [0: $0] } ?? [:] }
        }
    }

    private func machine(_ name: String) async throws -> StoreHost {
        let catalog = folder.catalog([
            CatalogProduct(Self.book, .embedded), CatalogProduct("front.coins", .embedded),
        ])
        let database = StoreDatabase(
            address: try DatabaseAddress("postgresql://db.example.com/shop"),
            ledger: try SQLiteLedger(path: folder.path + "/ledger.sqlite"),
            attachments: attachments, id: UUID(),
            server: DatabaseServer(
                version: "PostgreSQL 15.4", isStandby: false, unsafeSettings: []))
        return try await StoreHost.open(
            StoreConfiguration(
                identity: try AppIdentity(of: catalog),
                storage: .database(database, devices: folder.path + "/" + name),
                catalog: catalog, catalogDigest: "one", locale: "en_US"))
    }

    private func host(_ text: String, _ version: String, in host: StoreHost) async throws
        -> PackageRelease
    {
        let source = folder.path + "/source-" + version
        try folder.write(text, to: source + "/one.txt")
        let info = ContentInfo(
            productID: Self.book, version: try #require(ContentVersion(version)),
            contentID: "text")
        _ = try PackagePacker.pack(source, as: info, to: source + ".zip")
        let release = try await host.hostPackage(at: source + ".zip").release
        _ = try await host.storeOperator.perform(.package(.set(release, .approved)))
        return release
    }

    @Test("a second machine has the same keys, and downloads what the first one hosts")
    func secondMachine() async throws {
        let first = try await machine("first")
        let release = try await host("long text", "1.1", in: first)
        #expect(await attachments.files == [release.sha256])
        let second = try await machine("second")
        #expect(second.folder != first.folder)
        let session = second.session(account: "aoi", device: "tablet", locale: "en_US")
        #expect(
            session.rootCertificate
                == first.session(account: "aoi", device: "phone", locale: "en_US").rootCertificate)
        let device = try await second.buy(Self.book, on: "tablet")
        let download = try #require(try await device.downloads().first)
        #expect(download.state == .finished && download.version == "1.1")
        let place = try #require(
            try await device.contentPath(of: Self.book, contentID: "text"))
        #expect(try folder.files(of: place)["Contents/one.txt"] == "long text")
        let copies = try folder.files(of: second.folder + "/packages/partial")
        #expect(copies.isEmpty, "the copy is moved into place")
        await device.close()
    }

    @Test(
        "a file that the database has lost or changed is not handed out", arguments: [true, false])
    func damagedFile(isLost: Bool) async throws {
        let release = try await host("text", "1.1", in: try await machine("first"))
        await attachments.change(isLost ? nil : Data(count: Int(release.length)))
        let second = try await machine("second")
        let error = await #expect(throws: StoreError.self) {
            try await second.contentServerStore.contentManifest(
                product: Self.book, contentID: "text")
        }
        #expect(error?.code == .contentUnavailable)
        let packages = second.folder + "/packages/" + release.sha256 + ".zip"
        #expect(!FileManager.default.fileExists(atPath: packages))
    }

    @Test("a store in a database is not emptied from one machine")
    func emptying() async throws {
        let host = try await machine("first")
        let error = #expect(throws: StoreError.self) { try host.empty() }
        #expect(error?.code == .unsupported)
    }

    @Test("each home of a machine has a device of its own, which stays the same")
    func usualDevices() throws {
        var paths = StoragePaths.current
        let database = StoreDatabase(
            address: try DatabaseAddress("postgresql://h/d"),
            ledger: try SQLiteLedger(path: folder.path + "/ledger.sqlite"),
            attachments: attachments, id: UUID(),
            server: DatabaseServer(version: "15.4", isStandby: false, unsafeSettings: []))
        var names: [DeviceName] = []
        for home in ["one", "two", "one"] {
            paths.environment = ["HOME": folder.path + "/" + home]
            let machine = try MachineFolder(of: database, in: paths)
            names.append(try #require(try machine.usualDevice()))
            #expect(try machine.usualDevice(isMade: false) == names.last)
        }
        #expect(names[0] == names[2] && names[0] != names[1])
        try NameRule.check(names[0].rawValue, for: "device")
    }
}
