import DurableFiles
import Foundation
import StoreCatalog
import StoreDevice
import StoreEngine
import StoreModel
import StoreTestSupport
import Testing

/// A store, and the folder of its devices.
struct Home: Sendable {
    let folder: TemporaryFolder
    let store: TestStore
    private static let book = [
        "book/one.txt": String(repeating: "The lamp was lit. ", count: 36_000),
        "book/part/two.txt": String(repeating: "It went out. ", count: 40),
        "book/part/three/four.txt": "End.", "book/empty.txt": "",
    ]

    /// The sample catalog's book is hosted: several files in several folders.
    init(
        ledger: any Ledger = InMemoryLedger(), book: [String: String] = Self.book,
        changing change: (inout [CatalogProduct]) -> Void = { _ in }
    ) async throws {
        folder = try TemporaryFolder()
        for (path, text) in book { try folder.write(text, to: "content/" + path) }
        var catalog = SampleCatalog.catalog(contentFolder: folder.path + "/content")
        for index in catalog.products.indices {
            catalog.products[index].unlocks = Self.unlocks[catalog.products[index].id]
        }
        change(&catalog.products)
        store = try await TestStore(ledger: ledger, catalog: catalog)
    }

    /// The unlocks of the sample products in these tests.
    static let unlocks: [ProductID: [UnlockID]] = [
        SampleCatalog.theme: ["theme.sepia"], SampleCatalog.monthly: ["club", "theme.sepia"],
        SampleCatalog.pass: ["pass"],
    ]

    static var bookLength: Int64 { Int64(book.values.reduce(0) { $0 + $1.utf8.count }) }
    static var bookFiles: [String] {
        book.keys.map { String($0.dropFirst("book/".count)) }.sorted()
    }

    func session(_ device: DeviceName = "phone", of account: AccountName = "aoi") -> some Store {
        store.session(account: account, device: device)
    }

    func open(
        _ device: DeviceName = "phone", of account: AccountName = "aoi",
        elapsed: any Clock<Duration> = ContinuousClock(),
        pacer: some Pacer = BandwidthPacer(bytesPerSecond: nil, clock: ContinuousClock()),
        networkTime: SetTime? = nil, servers: (any ContentServers)? = nil,
        script: (inout ScriptedStore) -> Void = { _ in }
    ) async throws -> Device {
        var scripted = ScriptedStore(session(device, of: account))
        script(&scripted)
        let time: @Sendable () -> NetworkTime = { networkTime?.value ?? .now() }
        return try await Device(
            store: scripted, storeFolder: folder.path, clock: store.engine.clock,
            elapsed: elapsed, pacer: pacer, system: store.clock, networkTime: time,
            contentServers: servers)
    }

    func launch(
        _ device: DeviceName = "phone", of account: AccountName = "aoi",
        script: (inout ScriptedStore) -> Void = { _ in }
    ) async throws -> Device {
        let opened = try await open(device, of: account, script: script)
        try await opened.launch()
        return opened
    }

    func deviceFolder(
        _ device: DeviceName = "phone", of account: AccountName = "aoi"
    ) throws -> DeviceFolder {
        try DeviceFolder(storeFolder: folder.path, device: device, account: account)
    }

    /// Buys on a device, until each product is delivered and finished.
    func sell(_ products: ProductID...) async throws {
        let device = try await launch()
        for product in products { _ = try await device.buy(.of(product)) }
        try await untilDelivered(products.count, on: device)
        try await untilFinished()
        await device.close()
    }

    /// Edits a device's records with SQLite directly, while the device is not open.
    func alter(_ sql: String, of account: AccountName = "aoi") throws {
        try RawDatabase(try deviceFolder(of: account).databasePath).execute(sql)
    }

    /// Expects the book in the form of a package, and each of its files to equal the hosted one,
    /// byte for byte.
    func expectWholeBook(on device: Device, at location: SourceLocation = #_sourceLocation)
        async throws
    {
        let package = try #require(
            try await device.contentPath(of: SampleCatalog.book, contentID: "text"),
            sourceLocation: location)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: package).sorted()
                == ["ContentInfo.plist", "Contents"], sourceLocation: location)
        let path = package + "/Contents"
        let names = try FileManager.default.subpathsOfDirectory(atPath: path).filter { name in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(
                atPath: path + "/" + name, isDirectory: &isFolder) && !isFolder.boolValue
        }
        #expect(names.sorted() == Self.bookFiles, sourceLocation: location)
        for name in names {
            let hosted = FileManager.default.contents(atPath: "\(folder.path)/content/book/\(name)")
            let here = FileManager.default.contents(atPath: path + "/" + name)
            #expect(hosted == here, "\(name)", sourceLocation: location)
        }
    }

    // MARK: - Waiting for a condition

    /// Checks the states of the device's downloads after every change of its records.
    func until(_ device: Device, _ state: Download.State) async throws {
        try await until(device) { try await device.downloads().map(\.state) == [state] }
    }

    /// Checks the condition after every change of the device's records, by any process.
    func until(_ device: Device, _ isSo: () async throws -> Bool) async throws {
        let path = try deviceFolder(device.device, of: device.account).databasePath
        let notifier = try CommitNotifier(databasePath: path)
        try await until(wakes: notifier.subscribe(), isSo)
    }

    /// Checks the condition after every entry of the store.
    func untilStore(_ isSo: () async throws -> Bool) async throws {
        try await until(wakes: store.ledger.changes(), isSo)
    }

    private func until(
        wakes: AsyncStream<Void>, _ isSo: () async throws -> Bool
    ) async throws {
        while try await !isSo() {
            guard await wakes.nextWake() else { throw CancellationError() }
        }
    }

    func untilDelivered(_ count: Int, on device: Device) async throws {
        try await until(device) { try await device.deliveries().count == count }
    }

    func untilFinished(of account: AccountName = "aoi") async throws {
        try await untilStore { try await store.ledger.unfinished(of: account).isEmpty }
    }

    func salesCount() async throws -> Int {
        try await Int(store.console.takings().reduce(0) { $0 + $1.sales })
    }
}

extension AsyncStream<DeviceUpdate> {
    /// The first value that `find` finds in an update; nil when the stream ends.
    func first<Value>(_ find: (DeviceUpdate) -> Value?) async -> Value? {
        for await update in self {
            if let value = find(update) { return value }
        }
        return nil
    }
}

extension DeviceUpdate {
    var arrived: TransactionID? {
        if case .transaction(.verified(let payload), _, _) = self {
            payload.transactionId
        } else {
            nil
        }
    }

    var finishedID: TransactionID? { if case .event(.finished(let id)) = self { id } else { nil } }

    var revisedID: TransactionID? {
        if case .revised(let payload, _, _) = self { payload.transactionId } else { nil }
    }

    var unverified: VerificationError? {
        if case .transaction(.unverified(_, let error), _, _) = self { error } else { nil }
    }

    var failure: StoreError? {
        if case .event(.failed(_, let error, _)) = self { error } else { nil }
    }
    var trouble: StoreError? {
        if case .trouble(let error, in: _, ended: _) = self { error } else { nil }
    }
}

extension [Balance] {
    var coins: Int64 { first { $0.unit == "coins" }?.amount ?? 0 }
}

extension DeviceFolder {
    /// The public key that verifies the record of unlocks, PEM.
    var unlocksKeyPath: String { path + "/unlocks.pem" }
    /// The file that records whether the network is on or cut.
    var networkPath: String { path + "/network" }
}
