import Foundation
@testable import StoreCatalog
import StoreDevice
import StoreHost
import StoreModel
import Testing

/// A temporary folder with a catalog's content.
final class PackageFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "storefront-packages-" + UUID().uuidString
        try write("old text", to: path + "/Content/book/part/one.txt")
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ text: String, to path: String) throws {
        let url = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    /// The texts of all files below a folder.
    func files(of folder: String) throws -> [String: String] {
        var files: [String: String] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder) {
            var isFolder: ObjCBool = false
            let path = folder + "/" + name
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
                !isFolder.boolValue
            else { continue }
            files[name] = try String(contentsOfFile: path, encoding: .utf8)
        }
        return files
    }
}

extension PackageFolder {
    func catalog(_ products: [CatalogProduct]) -> Catalog {
        Catalog(
            bundleID: "com.example.front", appName: ["en": "Front"], defaultTerritory: "USA",
            defaultLocale: "en_US", products: products, contentFolder: path + "/Content")
    }

    /// A store in this folder.
    func open(
        _ catalog: Catalog, digest: String = "one", environment: StoreEnvironment = .sandbox
    ) async throws -> StoreHost {
        try await StoreHost.open(
            StoreConfiguration(
                identity: try AppIdentity(
                    of: catalog, appAppleID: environment == .production ? 7 : nil,
                    environment: environment),
                storage: .folder(path + "/store"), catalog: catalog, catalogDigest: digest,
                locale: "en_US"))
    }
}

extension CatalogProduct {
    /// For $0.99.
    init(_ id: ProductID, _ delivery: CatalogDelivery, type: ProductType = .nonConsumable) {
        self.init(
            id: id, type: type, name: ["en": id.rawValue], prices: .byTerritory(["USA": 990]),
            delivery: delivery)
    }

    /// Its content is the one package "text", from a folder.
    static func hosted(
        _ id: ProductID, at path: String, version: String = "1.0"
    ) -> CatalogProduct {
        CatalogProduct(id, .hosted([.init(id: "text", version: version, path: path)]))
    }
}

extension StoreHost {
    @discardableResult
    func buy(_ id: ProductID, on device: Device) async throws -> PurchaseOutcome {
        let session = session(account: "aoi", device: device.device, locale: "en_US")
        let product = try #require(try await session.products([id]).products.first)
        return try await device.buy(
            Payment(id: PaymentID.made(at: Date()), productID: id, shownPrice: product.price))
    }

    /// Buys, and returns once the sale is finished.
    func buy(_ id: ProductID, on name: DeviceName = "phone") async throws -> Device {
        let device = try await device(account: "aoi", name: name, locale: "en_US")
        let updates = device.updates()
        try await device.launch()
        let outcome = try await buy(id, on: device)
        guard case .purchased(_, let bought, _) = outcome else {
            Issue.record("not bought: \(outcome)")
            return device
        }
        for await update in updates where update == .event(.finished(bought)) { break }
        return device
    }
}

extension Device {
    /// Its first package; nil if it has no download.
    func download(of product: ProductID) async throws -> Download? {
        try await downloads().first { $0.productID == product }
    }

    func until(_ product: ProductID, _ isSo: (Download) -> Bool) async throws {
        for await _ in downloadWakes() {
            if let row = try await download(of: product), isSo(row) { return }
        }
    }
}
