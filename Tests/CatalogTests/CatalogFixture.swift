import Foundation
@testable import StoreCatalog
import StoreModel

/// A temporary folder for the catalogs of one test, deleted when this object is.
final class CatalogFixture {
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "catalog-tests-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    @discardableResult
    func write(_ name: String, _ bytes: Data) throws -> String {
        let path = folder + "/" + name
        try FileManager.default.createDirectory(
            at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: URL(filePath: path))
        return path
    }

    @discardableResult
    func write(_ name: String, _ text: String) throws -> String {
        try write(name, Data(text.utf8))
    }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/" + name, withDestinationPath: target)
    }

    /// Reads a native catalog whose hosted book is `Content/book-1/text.txt`.
    func read(native text: String) throws -> CatalogReading {
        try write("Content/book-1/text.txt", "It was a dark and stormy night.")
        return CatalogReader.read(path: try write("catalog.json", text))
    }

    func read(storekit text: String) throws -> CatalogReading {
        CatalogReader.read(path: try write("My Shop.storekit", text))
    }

    /// A valid catalog: each of the four App Store types, and each kind of delivery.
    static let good = """
        {
          "$schema": "./catalog.schema.json",
          "format": 1,
          "app": {
            "bundleId": "com.example.lantern", "appAppleId": 1234567890,
            "name": {"en": "Lantern", "ja": "ランタン"}
          },
          "defaults": {"territory": "USA", "locale": "en_US"},
          "content": "Content",
          "sections": [{"id": "books", "name": {"en": "Books", "ja": "本"}}],
          "subscriptionGroups": [{"id": "club", "name": {"en": "Club"}}],
          "products": [
            {
              "id": "coins", "type": "consumable", "name": {"en": "Coins"},
              "prices": {"USA": "0.99", "JPN": "160", "KWT": "0.300"},
              "grants": {"unit": "gold", "amount": 10}
            },
            {
              "id": "book", "type": "nonConsumable", "section": "books",
              "name": {"en": "Book", "ja": "書籍"}, "description": {"en": "A book.\\nLong."},
              "prices": {"USA": "3.99"}, "familyShareable": true,
              "delivery": {
                "kind": "hosted",
                "packages": [{"id": "text", "version": "1.0", "path": "book-1"}]
              }
            },
            {
              "id": "monthly", "type": "autoRenewable", "name": {"en": "Monthly"},
              "prices": {"USA": "4.99"},
              "subscription": {"group": "club", "level": 2, "period": "P1M"}
            },
            {
              "id": "season", "type": "nonRenewing", "name": {"en": "Season"},
              "prices": {"USA": "9.5"}, "period": "P90D", "unlocks": ["page.season", "theme.ice-2"]
            },
            {
              "id": "atlas", "type": "nonConsumable", "name": {"en": "Atlas"},
              "prices": {"USA": "12"},
              "delivery": {"kind": "ownServer", "url": "http://127.0.0.1:8090/atlas"}
            }
          ]
        }
        """
}

extension CatalogIndex {
    /// The products outside any campaign, in the sandbox, for an account without purchases.
    func products(
        _ asked: [ProductID]?, in storefront: Storefront, locale: String
    ) -> (products: [Product], invalid: [ProductID]) {
        products(
            asked, in: storefront, locale: locale,
            for: Visit(now: .earliest, environment: .sandbox))
    }
}
