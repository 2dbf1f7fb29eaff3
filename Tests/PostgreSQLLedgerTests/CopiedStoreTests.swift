#if PostgreSQL
import ContentPackages
import Foundation
import PostgreSQLLedger
import SQLLedger
import StoreEngine
import StoreHost
import StoreModel
import StoreSigning
import StoreTestSupport
import Synchronization
import TestBasics
import Testing

/// Whole stores, with keys and hosted packages, that move between folders and databases.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: PrivateServer.shared != nil, "no PostgreSQL server is installed")
) struct CopiedStoreTests {
    private let folder: TemporaryFolder
    private let packageFile: String

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("from the catalog", to: "book/one.txt")
        packageFile = folder.path + "/package.zip"
        // More than a chunk, which does not shrink when it is packed.
        var random = SplitMix64(seed: 35)
        let words = (0..<200_000).map { _ in random.next() }
        try folder.write("hosted", to: "source/one.txt")
        try words.withUnsafeBytes { Data($0) }
            .write(to: URL(filePath: folder.path + "/source/two.bin"))
        let info = ContentInfo(
            productID: SampleCatalog.book, version: try #require(ContentVersion("1.1")),
            contentID: "text")
        _ = try PackagePacker.pack(folder.path + "/source", as: info, to: packageFile)
    }

    // MARK: - Stores

    private func open(_ storage: StoreConfiguration.Storage) async throws -> StoreHost {
        let catalog = SampleCatalog.catalog(contentFolder: folder.path)
        return try await StoreHost.open(
            StoreConfiguration(
                identity: try AppIdentity(of: catalog), storage: storage, catalog: catalog,
                catalogDigest: "one", locale: "en_US"))
    }

    private func open(_ database: StoreDatabase) async throws -> StoreHost {
        try await open(.database(database, devices: folder.path + "/" + database.id.uuidString))
    }

    private func made(_ store: ServedStore) async throws -> StoreDatabase {
        try #require(
            try await PostgreSQLDatabases().open(store.databaseAddress(), isMade: true))
    }

    private func session(_ host: StoreHost) -> some Store {
        host.session(account: "aoi", device: "phone", locale: "en_US")
    }

    private func buy(_ product: ProductID, in host: StoreHost) async throws -> SignedTransaction {
        let outcome = try await session(host).purchase(.of(product))
        guard case .purchased(let signed, _, _) = outcome else {
            throw StoreError(.unknown, cause: "not bought: \(outcome)")
        }
        return signed
    }

    /// The store of a folder, with sales, offer keys and a hosted package.
    private func filled(
        _ path: String
    ) async throws -> (signed: SignedTransaction, release: PackageRelease) {
        let host = try await open(.folder(path))
        let release = try await host.hostPackage(at: packageFile).release
        _ = try await host.storeOperator.perform(
            .package(
                .setState(
                    release.productID, contentID: release.contentID, version: release.version,
                    .approved)))
        let keys = FolderKeys(path: path + "/keys")
        for id in ["B", "C", "A"] { try keys.write("key \(id)", as: id) }
        let signed = try await buy(SampleCatalog.book, in: host)
        _ = try await buy(SampleCatalog.monthly, in: host)
        let coins = try await session(host).purchase(.of(SampleCatalog.coins))
        let refunded = OperatorAction.refund(try #require(coins.number), .rest, reason: .other)
        _ = try await host.storeOperator.perform(refunded)
        return (signed, release)
    }

    @discardableResult private func copy(
        _ source: StoreEnd, _ target: StoreEnd, epoch: Int64? = nil,
        interruption: Interruption = Interruption()
    ) async throws -> Int64 {
        try await StoreHost.copy(
            source, to: target, epoch: epoch,
            onStep: { (_) throws(StoreError) in try interruption.pass() })
    }

    private func expect(
        _ host: StoreHost, verifies signed: SignedTransaction,
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        let verifier = try TransactionVerifier(
            rootCertificate: session(host).rootCertificate, bundleID: "com.example.test",
            environment: .sandbox)
        let result = await verifier.verify(signed)
        guard case .verified = result else {
            Issue.record("not verified: \(result)", sourceLocation: location)
            return
        }
    }

    /// The rights of everything in a folder that is not the user's alone.
    private func openToOthers(_ path: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: path)
        return try (names + ["."]).filter { name in
            let facts = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
            let rights = (facts[.posixPermissions] as? NSNumber)?.intValue ?? 0o777
            return rights & 0o077 != 0
        }
    }

    // MARK: - Copying

    @Test("a store that moves to a database and back has its keys, packages, sales and numbers")
    func bothWays() async throws {
        let first = folder.path + "/first"
        let (signed, release) = try await filled(first)
        let keys = try FolderKeys(path: first + "/keys").signingKeys()
        let source = try StoreEnd.folder(first, isMade: false)
        let (rows, entries) = (
            try await source.ledger.allRows(), try await source.ledger.allEntries()
        )
        let database = try await made(try ServedStore())
        try await copy(source, .database(database))
        #expect(try await database.ledger.allRows() == rows)
        #expect(
            try await Array(database.ledger.allEntries().prefix(entries.count)) == entries)
        #expect(try await database.attachments.signingKeys() == keys)
        #expect(try await database.attachments.ids() == ["B", "C", "A"])
        #expect(try await database.attachments.read("C") == "key C")
        #expect(try await PackagePlace.database(database.attachments).has(release))

        let host = try await open(database)
        try await expect(host, verifies: signed)
        let manifest = try await host.contentServerStore.contentManifest(
            product: SampleCatalog.book, contentID: "text")
        #expect(manifest.version == "1.1" && manifest.files.count >= 2)
        _ = try await buy(SampleCatalog.theme, in: host)

        let sold = try await database.ledger.allRows()
        let third = folder.path + "/third"
        let end = try StoreEnd.folder(third, isMade: true)
        try await copy(.database(database), end)
        #expect(try await end.ledger.allRows() == sold)
        let kept = FolderKeys(path: third + "/keys")
        #expect(try kept.signingKeys() == keys && kept.ids() == ["B", "C", "A"])
        #expect(try openToOthers(third + "/keys").isEmpty)
        let file = "\(third)/packages/\(release.sha256).zip"
        #expect(FileManager.default.contentsEqual(atPath: file, andPath: packageFile))
        let back = try await open(.folder(third))
        try await expect(back, verifies: signed)
        let last = try await session(back).purchase(.of(SampleCatalog.coins)).number
        #expect(last.map { sold.transactions[$0] == nil } == true, "a new number")
        let moved = await #expect(throws: StoreError.self) {
            _ = try await buy(SampleCatalog.coins, in: host)
        }
        #expect(moved?.code == .storeMoved && moved?.subject == third)
    }

    @Test("a copy in another database sells beside its store, with the same keys and packages")
    func betweenDatabases() async throws {
        let path = folder.path + "/first"
        let (signed, release) = try await filled(path)
        let one = try await made(try ServedStore())
        try await copy(.folder(path, isMade: false), .database(one))
        let rows = try await one.ledger.allRows()
        let other = try await made(try ServedStore())
        try await copy(.database(one), .database(other), epoch: 4_711)
        let keys = try await one.attachments.signingKeys()
        #expect(keys?.isEmpty == false)
        #expect(try await other.attachments.signingKeys() == keys)
        #expect(try await other.attachments.latest() == "A")
        #expect(try await PackagePlace.database(other.attachments).has(release))
        let copied = try await other.ledger.allRows()
        #expect(copied.transactions == rows.transactions && copied.takings == rows.takings)
        for database in [one, other] {
            let host = try await open(database)
            try await expect(host, verifies: signed)
            _ = try await buy(SampleCatalog.coins, in: host)
        }
        let itself = await #expect(throws: StoreError.self) {
            try await copy(.database(one), .database(one), epoch: 5)
        }
        #expect(itself?.code == .storeExists)
    }

    @Test("a move to a database that was interrupted at any call or step continues to its end")
    func interruptedMove() async throws {
        var count = 0
        while true {
            count += 1
            let path = folder.path + "/from\(count)"
            let (signed, release) = try await filled(path)
            let source = try StoreEnd.folder(path, isMade: false)
            let database = try await made(try ServedStore())
            let interruption = Interruption(at: count)
            let target = StoreDatabase(
                address: database.address, ledger: database.ledger,
                attachments: InterruptedAttachments(
                    base: database.attachments, interruption: interruption),
                id: database.id, server: database.server)
            do {
                try await copy(source, .database(target), interruption: interruption)
                break
            } catch let error as StoreError { #expect(error == Interruption.error) }
            // After its last step the copy is whole.
            var isWhole = false
            if try await database.ledger.head().position > 0 {
                isWhole = (try? await open(database)) != nil
            }
            let sells = (try? await buy(SampleCatalog.coins, in: open(.folder(path)))) != nil
            #expect(!(isWhole && sells), "at \(count) both would sell")
            try await copy(source, .database(database))
            let rows = try await source.ledger.allRows()
            #expect(try await database.ledger.allRows() == rows, "at \(count)")
            let keys = try FolderKeys(path: path + "/keys").signingKeys()
            #expect(try await database.attachments.signingKeys() == keys)
            #expect(try await database.attachments.ids() == ["B", "C", "A"])
            #expect(try await PackagePlace.database(database.attachments).has(release))
            try await expect(try await open(database), verifies: signed)
        }
        #expect(count > 20, "each call was interrupted")
    }

    @Test("a copy from a database to a folder that was interrupted at any call continues")
    func interruptedCopy() async throws {
        let path = folder.path + "/first"
        let (signed, release) = try await filled(path)
        let database = try await made(try ServedStore())
        try await copy(.folder(path, isMade: false), .database(database))
        let keys = try await database.attachments.signingKeys()
        var count = 0
        while true {
            count += 1
            let interruption = Interruption(at: count)
            let source = StoreDatabase(
                address: database.address, ledger: database.ledger,
                attachments: InterruptedAttachments(
                    base: database.attachments, interruption: interruption),
                id: database.id, server: database.server)
            let place = folder.path + "/to\(count)"
            let target = try StoreEnd.folder(place, isMade: true)
            do {
                try await copy(
                    .database(source), target, epoch: 9, interruption: interruption)
                break
            } catch let error as StoreError { #expect(error == Interruption.error) }
            let zip = "\(place)/packages/\(release.sha256).zip"
            let isThere = FileManager.default.fileExists(atPath: zip)
            #expect(
                !isThere || FileManager.default.contentsEqual(atPath: zip, andPath: packageFile),
                "a part of a package has its name")
            let isOver = try await target.ledger.head().epoch == 9
            if !isOver { try await copy(.database(database), target, epoch: 9) }
            let kept = FolderKeys(path: place + "/keys")
            #expect(try kept.signingKeys() == keys && kept.ids() == ["B", "C", "A"])
            #expect(try openToOthers(place + "/keys").isEmpty)
            #expect(FileManager.default.contentsEqual(atPath: zip, andPath: packageFile))
            try await expect(try await open(.folder(place)), verifies: signed)
        }
        #expect(count > 10, "each call was interrupted")
    }

    // MARK: - Lists

    @Test("a database's stores are listed with where they continue, and dropped with their roles")
    func lists() async throws {
        let databases = PostgreSQLDatabases()
        let store = try ServedStore()
        let address = try store.databaseAddress()
        #expect(try await databases.create(address, withRoles: true))
        #expect(try await !databases.create(address, withRoles: true), "it is there")
        func listed() async throws -> ListedStore? {
            try await databases.list(address).first { $0.name == store.schema }
        }
        #expect(try await listed()?.entries == 0)
        let path = folder.path + "/first"
        _ = try await filled(path)
        try await copy(.folder(path, isMade: false), .database(made(store)))
        let full = try #require(try await listed())
        #expect((full.entries ?? 0) > 5 && full.begunAt != nil && full.goesOnAt == nil)
        let next = folder.path + "/next"
        try await copy(.database(made(store)), .folder(next, isMade: true))
        #expect(try await listed()?.goesOnAt == next)
        #expect(
            try await StoreEnd.folder(path, isMade: false).ledger.listed(as: "first").goesOnAt
                == address.text)

        let busy = try await made(store)
        try await databases.drop(address)
        #expect(try await listed() == nil)
        #expect(try await databases.open(address, isMade: false)?.id == nil)
        let replaced = await #expect(throws: StoreError.self) { try await busy.ledger.head() }
        #expect(replaced?.code == .storeReplaced)
        let roles = "SELECT count(*) FROM pg_roles WHERE rolname LIKE '\(store.schema)\\_%'"
        #expect(try store.server.sql(roles) == "0")
        let missing = await #expect(throws: StoreError.self) { try await databases.drop(address) }
        #expect(missing?.code == .invalidName)
    }
}

/// Ends a copy at one of its calls or steps, as a kill would.
private final class Interruption: Sendable {
    private let left: Mutex<Int>

    static let error = StoreError(.systemError, cause: "interrupted")

    /// - Parameter count: of the call; by default, none is interrupted.
    init(at count: Int = .max) { left = Mutex(count) }

    func pass() throws(StoreError) {
        let isOver = left.withLock { left in
            left -= 1
            return left == 0
        }
        if isOver { throw Self.error }
    }
}

/// What a database keeps beside the ledger, until it is interrupted.
private struct InterruptedAttachments: StoreAttachments {
    let base: any StoreAttachments
    let interruption: Interruption

    func signingKeys() async throws(StoreError) -> [String: String]? {
        try interruption.pass()
        return try await base.signingKeys()
    }

    func signingKeys(
        orMake make: @Sendable () throws(StoreError) -> [String: String]
    ) async throws(StoreError) -> [String: String] {
        try interruption.pass()
        return try await base.signingKeys(orMake: make)
    }

    func read(_ id: String) async throws(StoreError) -> String? {
        try interruption.pass()
        return try await base.read(id)
    }

    func ids() async throws(StoreError) -> [String] {
        try interruption.pass()
        return try await base.ids()
    }

    func write(_ text: String, as id: String) async throws(StoreError) {
        try interruption.pass()
        try await base.write(text, as: id)
    }

    func path(of id: String) -> String { base.path(of: id) }

    func chunk(_ number: Int, of sha256: String) async throws(StoreError) -> Data? {
        try interruption.pass()
        return try await base.chunk(number, of: sha256)
    }

    func keep(_ chunk: Data, _ number: Int, of sha256: String) async throws(StoreError) {
        try interruption.pass()
        try await base.keep(chunk, number, of: sha256)
    }

    func removeChunks(except files: Set<String>) async throws(StoreError) {
        try interruption.pass()
        try await base.removeChunks(except: files)
    }
}
#endif
