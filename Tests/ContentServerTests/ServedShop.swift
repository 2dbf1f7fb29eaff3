import ContentClient
import ContentServer
import Foundation
import StoreCatalog
import StoreDevice
import StoreEngine
import StoreModel
import StoreSigning
import StoreTestSupport
import Testing

/// A store whose charts come from the app's own server, and one customer.
struct ServedShop: Sendable {
    static let charts = SampleCatalog.charts
    static let text = String(repeating: "Soundings in fathoms. ", count: 20_000)
    static let files = ["one.txt": text, "part/two.txt": "Sheet two.", "part/empty.txt": ""]

    /// Servers for which a device waits as long as a busy machine may take.
    static let patientServers = HTTPContentServers(patience: .seconds(600))

    let folder: TemporaryFolder
    let store: TestStore

    /// - Parameter url: the address from which the charts are served.
    init(
        url: String = "http://127.0.0.1:1/charts", version: String = "1.0",
        files: [String: String] = Self.files
    ) async throws {
        folder = try TemporaryFolder()
        for (path, text) in files { try folder.write(text, to: "content/atlas/" + path) }
        store = try await TestStore(catalog: Self.catalog(url: url, version: version, in: folder))
    }

    static func catalog(
        url: String, version: String = "1.0", path: String = "atlas", in folder: TemporaryFolder
    ) -> Catalog {
        var catalog = SampleCatalog.catalog(contentFolder: folder.path + "/content")
        for index in catalog.products.indices {
            switch catalog.products[index].id {
            case charts:
                catalog.products[index].delivery = .ownServer(
                    url: url, packages: [.init(id: "atlas", version: version, path: path)])
            case SampleCatalog.book: catalog.products[index].delivery = .embedded
            case SampleCatalog.monthly:
                catalog.products[index].delivery = .ownServer(
                    url: "http://127.0.0.1:1/club",
                    packages: [.init(id: "letters", version: version, path: path)])
            default: break
            }
        }
        return catalog
    }

    var content: any ContentServerStore { store.engine.contentServerStore }

    func responder() throws -> ContentResponder {
        try ContentResponder(store: content, host: "127.0.0.1")
    }

    /// Buys without a device that could download, and returns the signed transaction.
    func buy(
        _ product: ProductID = charts, account: AccountName = "aoi", device: DeviceName = "phone"
    ) async throws -> SignedTransaction {
        let session = store.session(account: account, device: device)
        let id = try #require(try await session.purchase(.of(product)).number)
        return try await session.transaction(id)
    }

    func identifier(account: AccountName = "aoi", device: DeviceName = "phone") -> UUID {
        DeviceVerification(
            bundleID: TestStore.identity.bundleID, account: account, device: device
        ).identifier
    }

    /// A device that is launched and has bought the charts.
    func bought(_ servers: (any ContentServers)? = patientServers) async throws -> Device {
        let device = try await device(servers)
        try await device.launch()
        _ = try await device.buy(.of(Self.charts))
        return device
    }

    /// Runs an app's own server on a free port, for a shop whose catalog names it, until `body`
    /// returns.
    static func serving(_ body: (ServedShop, _ port: Int) async throws -> Void) async throws {
        let port = try RawServer().port
        let shop = try await ServedShop(url: "http://127.0.0.1:\(port)/charts")
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let server = try HTTPServer(shop.responder(), port: port)
        let serving = Task { try await server.run { listening.yield($0) } }
        for await found in ports {
            #expect(found == port)
            break
        }
        try await body(shop, port)
        serving.cancel()
        try await serving.value
    }

    /// A device that reaches apps' own servers through `servers`; with nil it can reach none.
    func device(_ servers: (any ContentServers)?) async throws -> Device {
        try await Device(
            store: store.session(), storeFolder: folder.path, clock: store.engine.clock,
            elapsed: ContinuousClock(),
            pacer: BandwidthPacer(bytesPerSecond: nil, clock: ContinuousClock()),
            system: store.clock, contentServers: servers)
    }
}

extension Device {
    func untilDownload(_ states: Download.State...) async throws -> Download {
        for await _ in downloadWakes() {
            if let row = try await downloads().first, states.contains(row.state) { return row }
        }
        throw CancellationError()
    }

    /// The downloaded files by path.
    func charts() async throws -> [String: String] {
        let path =
            try #require(
                try await contentPath(of: ServedShop.charts, contentID: "atlas")) + "/Contents"
        var files: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path + "/" + name, isDirectory: &isFolder),
                !isFolder.boolValue
            else { continue }
            files[name] = try String(contentsOfFile: path + "/" + name, encoding: .utf8)
        }
        return files
    }
}
