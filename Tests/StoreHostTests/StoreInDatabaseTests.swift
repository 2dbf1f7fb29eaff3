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
    private let id = UUID()

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

    private var catalog: Catalog {
        folder.catalog([
            CatalogProduct(Self.book, .embedded), CatalogProduct("front.coins", .embedded),
        ])
    }

    private func database(_ id: UUID) throws -> StoreDatabase {
        StoreDatabase(
            address: try DatabaseAddress("postgresql://db.example.com/shop"),
            ledger: try SQLiteLedger(path: folder.path + "/ledger.sqlite"),
            attachments: attachments, id: id,
            server: DatabaseServer(
                version: "PostgreSQL 15.4", isStandby: false, unsafeSettings: []))
    }

    private func open(_ database: StoreDatabase, devices: String) async throws -> StoreHost {
        try await StoreHost.open(
            StoreConfiguration(
                identity: try AppIdentity(of: catalog),
                storage: .database(database, devices: devices),
                catalog: catalog, catalogDigest: "one", locale: "en_US"))
    }

    private func machine(_ name: String) async throws -> StoreHost {
        try await open(try database(id), devices: folder.path + "/" + name)
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

    private func paths(_ home: String) -> StoragePaths {
        var paths = StoragePaths.current
        paths.environment = ["HOME": folder.path + "/" + home]
        return paths
    }

    @Test("each home of a machine has a device of its own, which stays the same")
    func usualDevices() throws {
        let database = try database(id)
        var names: [DeviceName] = []
        for home in ["one", "two", "one"] {
            let machine = try MachineFolder(of: database, in: paths(home))
            names.append(try #require(try machine.usualDevice()))
            #expect(try machine.usualDevice(isMade: false) == names.last)
        }
        #expect(names[0] == names[2] && names[0] != names[1])
        try NameRule.check(names[0].rawValue, for: "device")
    }

    // MARK: - Without the server

    private static let file = "/store.json"

    private func set(_ date: Double, of machine: MachineFolder) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: date)],
            ofItemAtPath: machine.path + Self.file)
    }

    /// What the machine of a host knows of the store.
    private func known(_ host: StoreHost, _ database: StoreDatabase) async throws -> KnownStore {
        let stored = try #require(try await database.ledger.storedCatalog())
        return host.engine.known(of: database, stored)
    }

    @Test("a machine finds a store by each address that led to it last, and by no other one")
    func knownStores() async throws {
        let paths = paths("home")
        let (first, second) = (try database(id), try database(UUID()))
        let machine = try MachineFolder(of: first, in: paths)
        let host = try await open(first, devices: machine.path)
        let known = try await self.known(host, first)
        #expect(MachineFolder.known(at: "one", in: paths) == nil)
        try machine.keep(known, openedBy: "one")
        try machine.keep(known, openedBy: "two")
        for address in ["one", "two"] {
            let found = try #require(MachineFolder.known(at: address, in: paths))
            #expect(found.id == id && found.addresses == ["one", "two"])
            #expect(found.identity == host.engine.identity)
            #expect(found.storedCatalog?.catalog == catalog && found.storedCatalog?.file == "one")
            let session = host.session(account: "aoi", device: "phone", locale: "en_US")
            #expect(found.rootCertificate == session.rootCertificate)
        }
        #expect(MachineFolder.known(at: "three", in: paths) == nil)
        let path = machine.path + Self.file
        #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("PRIVATE"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions]
        #expect(mode as? Int == 0o600)

        // Another store takes its place at one of its addresses, and goes again.
        let other = try MachineFolder(of: second, in: paths)
        _ = try other.usualDevice()
        let itsOwn = try await self.known(host, second)
        try other.keep(itsOwn, openedBy: "one")
        try set(1_000, of: machine)
        try set(2_000, of: other)
        #expect(MachineFolder.known(at: "one", in: paths)?.id == second.id)
        #expect(MachineFolder.known(at: "two", in: paths)?.id == id)
        try machine.keep(known, openedBy: "one")
        #expect(MachineFolder.known(at: "one", in: paths)?.id == id)

        try Data("{".utf8).write(to: URL(filePath: path))
        #expect(MachineFolder.known(at: "two", in: paths) == nil)
        #expect(MachineFolder.known(at: "one", in: paths)?.id == second.id)
    }

    @Test("an address that leaves out its server is told apart by what completes it")
    func completedAddress() throws {
        let address = try DatabaseAddress("postgresql:///shop")
        var paths = paths("home")
        let usual = paths.key(of: address)
        paths.environment["PGHOST"] = "db.example.com"
        let other = paths.key(of: address)
        paths.environment["PGPASSWORD"] = "secret"
        #expect(usual != other && paths.key(of: address) == other)
    }

    private func code(_ call: () async throws -> Void) async -> StoreError.Code? {
        do { try await call() } catch { return (error as? StoreError)?.code }
        return nil
    }

    @Test("a store whose server is away answers, records and signs nothing; its device knows much")
    func away() async throws {
        let database = try database(id)
        let path = try MachineFolder(of: database, in: paths("home")).path
        let first = try await open(database, devices: path)
        let before = try await first.buy(Self.book, on: "phone")
        let coins = try #require(
            try await before.products(nil).value.products.first { $0.id == "front.coins" })
        await before.close()
        let head = try await database.ledger.head()

        let error = StoreError(.storeUnreachable, subject: database.address.text)
        let absence = StoreAbsence(error, known: try await known(first, database))
        let host = try await open(
            StoreDatabase(absence, at: database.address), devices: path)
        #expect(host.engine.catalogRefusal == nil && !host.engine.adoptedCatalog)
        let session = host.session(account: "aoi", device: "tablet", locale: "en_US")
        #expect(session.rootCertificate == absence.known.rootCertificate)
        #expect(session.identity == first.engine.identity)
        let console = host.storeOperator
        // It needs no entry, only the key.
        #expect(await code { _ = try await session.revokedCertificates() } == .storeUnreachable)
        #expect(await code { _ = try await console.head() } == .storeUnreachable)
        #expect(await code { _ = try await console.perform(.clock(.stop)) } == .storeUnreachable)
        #expect(await code { _ = try await host.engine.catalogInForce() } == .storeUnreachable)
        let unregistered = await code {
            _ = try await host.device(account: "aoi", name: "tablet", locale: "en_US")
        }
        #expect(unregistered == .storeUnreachable)

        let device = try await host.device(account: "aoi", name: "phone", locale: "en_US")
        try await device.launch()
        let owned = try await device.entitlements()
        #expect(!owned.isFresh && owned.value.map(\.productID) == [Self.book])
        #expect(try await !device.products(nil).isFresh)
        let payment = Payment(
            id: PaymentID.made(at: Date()), productID: coins.id, shownPrice: coins.price)
        #expect(await code { _ = try await device.buy(payment) } == .storeUnreachable)
        #expect(try await device.queuedPayments().isEmpty)
        await device.close()
        #expect(try await database.ledger.head() == head)
    }
}
