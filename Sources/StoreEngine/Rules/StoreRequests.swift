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
/// one that changes a property of a sold product (`SoldProduct`) is refused (`soldProductChanged`).
package struct ReviseCatalogRequest: Request {
    var catalog: Catalog
    var digest: String
    var body: Data
    var source: Data?

    /// - Parameters:
    ///   - digest: SHA-256 of the file it was read from; equal digests are equal catalogs.
    ///   - body: the catalog encoded as the ledger keeps it.
    ///   - source: the file's text without private keys (`CatalogReading.source`); nil if it is not
    ///     to be kept.
    package init(_ catalog: Catalog, digest: String, body: Data, source: Data? = nil) {
        self.catalog = catalog
        self.digest = digest
        self.body = body
        self.source = source
    }

    /// Every product that was ever sold; all accounts, if the catalog's settings change them.
    package func addDependencies(to query: inout LedgerQuery, catalog: CatalogIndex) {
        query.wantsSoldProducts = true
        let changes = self.catalog.settings?.changes(after: catalog.catalog.settings)
        if changes?.isEmpty == false { query.wantsAllAccounts = true }
    }

    /// Everything.
    package func collisions(in context: RuleContext) -> [CollisionKey] { [.everything] }

    /// By `CatalogRules.revise`.
    package func decide(in context: RuleContext) -> Verdict<CatalogRevision> {
        CatalogRules.revise(
            catalog, digest: digest, body: body, source: source, in: context)
    }
}
