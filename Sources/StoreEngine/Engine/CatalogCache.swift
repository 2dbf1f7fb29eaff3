import Foundation
import StoreCatalog
import StoreModel
import Synchronization

/// A catalog with the digest that names it, so that two are told apart without reading them.
struct CatalogInForce: Sendable {
    var digest: String
    var index: CatalogIndex
}

/// The catalog in force, read once per revision.
final class CatalogCache: Sendable {
    private let ledger: any Ledger
    /// What this process read from its own file: spares it reading the same from the ledger.
    private let own: CatalogInForce
    private let shelved = Mutex<CatalogInForce?>(nil)

    init(ledger: any Ledger, catalog: Catalog, digest: String) {
        self.ledger = ledger
        own = CatalogInForce(digest: digest, index: CatalogIndex(catalog))
    }

    /// The catalog of a revision; this process's own while the store has none yet.
    func catalog(_ revision: CatalogRevision?) async throws(StoreError) -> CatalogInForce {
        guard let revision, revision.digest != own.digest else { return own }
        if let known = shelved.withLock({ $0 }), known.digest == revision.digest {
            return known
        }
        guard let body = try await ledger.attachment(revision.digest) else {
            throw StoreError(
                .storeUnreadable, subject: "catalog", found: "revision \(revision.number) missing")
        }
        let inForce: CatalogInForce
        do {
            let index = CatalogIndex(try JSONDecoder().decode(Catalog.self, from: body))
            inForce = CatalogInForce(digest: revision.digest, index: index)
        } catch {
            throw StoreError(.storeUnreadable, subject: "catalog", cause: String(describing: error))
        }
        shelved.withLock { $0 = inForce }
        return inForce
    }
}
