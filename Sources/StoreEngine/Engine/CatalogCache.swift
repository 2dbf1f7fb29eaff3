import Basics
import Foundation
import StoreCatalog
import StoreModel
import Synchronization

/// A catalog with its digest. Two catalogs are compared by their digests.
struct CatalogInForce: Sendable {
    var digest: String
    var index: CatalogIndex
}

/// Caches the catalog in force, so that a process does not decode it for every request.
final class CatalogCache: Sendable {
    private let ledger: any Ledger
    /// Used if the catalog in force has the same digest.
    private let own: CatalogInForce
    private let cached = Mutex<CatalogInForce?>(nil)
    /// Of products that the catalog in force lacks, from earlier revisions. A nil value means that
    /// no kept revision has the product.
    private let pastNames = Memo<ProductID, LocalizedText?>(limit: 20_000)

    private let environment: StoreEnvironment
    /// Nil to keep no manifests.
    private let manifests: String?

    init(
        ledger: any Ledger, catalog: Catalog, digest: String, environment: StoreEnvironment,
        manifests: String? = nil
    ) {
        self.ledger = ledger
        self.environment = environment
        self.manifests = manifests
        own = CatalogInForce(
            digest: digest, index: CatalogIndex(catalog, in: environment, manifests: manifests))
    }

    /// The catalog of a revision; this process's own catalog if the store has none yet.
    ///
    /// - Throws: `storeUnreadable` if the ledger lacks the catalog or it cannot be decoded; errors
    ///   of the ledger.
    func catalog(_ revision: CatalogRevision?) async throws(StoreError) -> CatalogInForce {
        guard let revision, revision.digest != own.digest else { return own }
        if let known = cached.withLock({ $0 }), known.digest == revision.digest {
            return known
        }
        guard let body = try await ledger.attachment(revision.digest) else {
            throw StoreError(
                .storeUnreadable, subject: "catalog", found: "revision \(revision.number) missing")
        }
        let inForce: CatalogInForce
        do {
            let index = CatalogIndex(
                try JSONDecoder().decode(Catalog.self, from: body), in: environment,
                manifests: manifests)
            inForce = CatalogInForce(digest: revision.digest, index: index)
        } catch {
            throw StoreError(.storeUnreadable, subject: "catalog", cause: String(describing: error))
        }
        cached.withLock { $0 = inForce }
        return inForce
    }

    /// The names under which products were last offered, in a locale: by the catalog in force or by
    /// an earlier revision. Decodes earlier revisions, newest first, only for products that a
    /// catalog has dropped, and each of these once in a process.
    func names(
        of products: Set<ProductID>, in locale: String, _ index: CatalogIndex
    ) async throws(StoreError) -> [ProductID: String] {
        let dropped = products.filter { index.product($0) == nil && pastNames[$0] == nil }
        if !dropped.isEmpty { try await findNames(of: dropped) }
        var names: [ProductID: String] = [:]
        for product in products {
            let texts = index.product(product)?.name ?? pastNames[product]?.flatMap(\.self)
            names[product] = texts?.text(for: locale, fallback: index.catalog.defaultLocale)
        }
        return names
    }

    private func findNames(of products: Set<ProductID>) async throws(StoreError) {
        var left = products
        var cursor = try await ledger.head()
        while !left.isEmpty, cursor.position > 0 {
            let page = try await ledger.entries(
                before: cursor, filter: HistoryFilter(kinds: [.catalogRevised]), limit: 100)
            for recorded in page.entries where !left.isEmpty {
                guard case .catalogRevised(let revision) = recorded.entry.fact,
                    let body = try await ledger.attachment(revision.digest),
                    let catalog = try? JSONDecoder().decode(Catalog.self, from: body)
                else { continue }
                for product in catalog.products where left.remove(product.id) != nil {
                    pastNames[product.id] = .some(product.name)
                }
            }
            cursor = page.cursor
        }
        for product in left { pastNames[product] = .some(nil) }
    }
}
