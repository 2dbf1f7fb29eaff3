package import Foundation
package import StoreCatalog
package import StoreModel

/// A request to open the store for an app. The first app to open it owns it; another one is refused
/// (`storeOfAnotherApp`).
package struct OpenRequest: Request {
    var identity: AppIdentity

    /// Memberwise.
    package init(_ identity: AppIdentity) { self.identity = identity }

    /// None: every snapshot has the store's identity.
    package func addDependencies(to query: inout LedgerQuery, catalog: CatalogIndex) {}
    /// Everything.
    package func collisions(in context: RuleContext) -> [CollisionKey] { [.everything] }

    /// By `CatalogRules.open`.
    package func decide(in context: RuleContext) -> Verdict<Void> {
        CatalogRules.open(identity, in: context)
    }
}

/// A request to put a catalog into force as the store's next revision. Idempotent by the digest;
/// one that changes what a sold product is, is refused (`soldProductChanged`).
package struct ReviseCatalogRequest: Request {
    var catalog: Catalog
    var digest: String
    var body: Data

    /// - Parameters:
    ///   - digest: SHA-256 of the file it was read from; equal digests are equal catalogs.
    ///   - body: the catalog encoded as the ledger keeps it.
    package init(_ catalog: Catalog, digest: String, body: Data) {
        self.catalog = catalog
        self.digest = digest
        self.body = body
    }

    /// Every product that was ever sold.
    package func addDependencies(to query: inout LedgerQuery, catalog: CatalogIndex) {
        query.wantsSoldProducts = true
    }

    /// Everything.
    package func collisions(in context: RuleContext) -> [CollisionKey] { [.everything] }

    /// By `CatalogRules.revise`.
    package func decide(in context: RuleContext) -> Verdict<CatalogRevision> {
        CatalogRules.revise(catalog, digest: digest, body: body, in: context)
    }
}
