import Foundation
@testable import StoreCatalog
import StoreDevice
import StoreHost
import StoreModel
import Testing

/// A front end other than the program: it links `StoreHost`, sells and buys.
@Suite struct OtherFrontEndTests {
    private static let coins = CatalogProduct(
        id: "front.coins", type: .consumable, name: ["en": "Coins"],
        prices: .byTerritory(["USA": 990]), grant: Grant(unit: "coins", amount: 10))
    private static let catalog = Catalog(
        bundleID: "com.example.front", appName: ["en": "Front"], defaultTerritory: "USA",
        defaultLocale: "en_US", products: [coins])

    private static func open(_ storage: StoreConfiguration.Storage) async throws -> StoreHost {
        try await StoreHost.open(
            StoreConfiguration(
                identity: try AppIdentity(of: catalog), storage: storage, catalog: catalog,
                catalogDigest: "one", locale: "en_US"))
    }

    @Test(
        "a store is not opened through a link in place of one of its folders",
        arguments: ["keys", "keys/chain", "packages", "packages/manifests", "devices"])
    func linkedFolder(folder: String) async throws {
        let home = FileManager.default.temporaryDirectory.path + "/\(UUID())"
        defer { try? FileManager.default.removeItem(atPath: home) }
        let store = home + "/store"
        _ = try await Self.open(.folder(store))
        let (path, aside) = (store + "/" + folder, home + "/aside")
        let files = FileManager.default
        try files.createDirectory(atPath: path, withIntermediateDirectories: true)
        try files.moveItem(atPath: path, toPath: aside)
        try files.createSymbolicLink(atPath: path, withDestinationPath: aside)
        let error = await #expect(throws: StoreError.self) { try await Self.open(.folder(store)) }
        #expect(error?.code == .storeUnreadable && error?.subject == path)
        #expect(error?.found == "a link, which is not followed")
    }

    @Test("a front end opens an ephemeral store, sells, and buys on a device of its own")
    func buysInAnEphemeralStore() async throws {
        let folder = try Folder()
        let host = try await Self.open(.ephemeral(folder.path))
        let device = try await host.buy(Self.coins.id, on: "phone")
        #expect(try await device.balances() == [Balance(unit: "coins", amount: 10)])
        #expect(host.noticesOtherProcesses)
        await device.close()
    }

    @Test("a purchase in a stored folder is there when the folder is opened again")
    func buysInAFolder() async throws {
        let folder = try Folder()
        let path = folder.path + "/made/by/the/host"
        let first = try await Self.open(.folder(path))
        let root = first.session(account: "aoi", device: "phone", locale: "en_US").rootCertificate
        try await first.buy(Self.coins.id, on: "phone").close()

        let again = try await Self.open(.folder(path))
        let session = again.session(account: "aoi", device: "phone", locale: "en_US")
        #expect(session.rootCertificate == root)
        #expect(try await again.storeOperator.takings().map(\.sales) == [1])
        let device = try await again.device(account: "aoi", name: "phone", locale: "en_US")
        #expect(try await device.balances() == [Balance(unit: "coins", amount: 10)])
        await device.close()
    }

    @Test("an app identity from a catalog is checked before it names a folder")
    func identityOfACatalog() throws {
        let identity = try AppIdentity(of: Self.catalog, appAppleID: 7, environment: .production)
        #expect(identity.bundleID == "com.example.front")
        #expect(identity.appAppleID == 7)
        #expect(identity.environment == .production)
        #expect(throws: StoreError.self) { try AppIdentity(of: Self.catalog, bundleID: "../x") }
        #expect(throws: StoreError.self) {
            try AppIdentity(of: Self.catalog, environment: StoreEnvironment("Moon"))
        }
    }
}

/// A temporary folder for one test.
private final class Folder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "storefront-host-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
