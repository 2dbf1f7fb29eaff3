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
}
