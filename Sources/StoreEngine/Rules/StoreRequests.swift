package import Foundation
package import StoreCatalog
package import StoreModel

/// Opens a store for an app: the first to open it owns it.
package struct OpenRequest: Request {
    package var identity: AppIdentity

    package init(_ identity: AppIdentity) { self.identity = identity }

    package func addDependencies(to query: inout LedgerQuery, catalog: CatalogIndex) {}
    package func collisions(in context: RuleContext) -> [CollisionKey] { [.everything] }

    package func decide(in context: RuleContext) -> Verdict<Void> {
        CatalogRules.open(identity, in: context)
    }
}

/// Makes a catalog the store's next revision.
package struct ReviseCatalogRequest: Request {
    package var catalog: Catalog
    /// Names the catalog; equal digests are equal catalogs.
    package var digest: String
    /// The catalog as it is kept.
    package var body: Data

    package init(_ catalog: Catalog, digest: String, body: Data) {
        self.catalog = catalog
        self.digest = digest
        self.body = body
    }

    package func addDependencies(to query: inout LedgerQuery, catalog: CatalogIndex) {
        query.wantsSoldProducts = true
    }

    package func collisions(in context: RuleContext) -> [CollisionKey] { [.everything] }

    package func decide(in context: RuleContext) -> Verdict<CatalogRevision> {
        CatalogRules.revise(catalog, digest: digest, body: body, in: context)
    }
}
