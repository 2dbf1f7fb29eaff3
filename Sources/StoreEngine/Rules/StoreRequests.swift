package import Foundation
package import StoreCatalog
package import StoreModel

/// Opens the store for an app. The first app that opens the store owns it; any other is refused
/// (`storeOfAnotherApp`).
package struct OpenRequest: Request {
    var identity: AppIdentity

    package init(_ identity: AppIdentity) { self.identity = identity }

    package func addKeys(to lookup: inout Lookup) {}
    package func collisions(in context: RuleContext) -> [CollisionKey] { [.everything] }

    package func decide(in context: RuleContext) throws(StoreError) -> Verdict<Void> {
        try CatalogRules.open(identity, in: context)
    }
}

/// Puts a catalog into force as the store's next revision. Idempotent by the digest. A catalog that
/// changes a property of a sold product (`SoldProduct`) is refused (`soldProductChanged`).
package struct ReviseCatalogRequest: Request {
    var catalog: Catalog
    var digest: String
    var body: Data
    var source: Data?

    /// - Parameters:
    ///   - digest: SHA-256 of the file that the catalog was read from. Catalogs with equal digests
    ///     are equal.
    ///   - body: the catalog in the encoding that the ledger keeps.
    ///   - source: the file's text without private keys (`CatalogReading.source`); nil if it is not
    ///     to be kept.
    package init(_ catalog: Catalog, digest: String, body: Data, source: Data? = nil) {
        self.catalog = catalog
        self.digest = digest
        self.body = body
        self.source = source
    }

    /// All accounts only if the catalog's settings change them.
    package func addKeys(to lookup: inout Lookup) {
        lookup.query.wantsSoldProducts = true
        let changes = catalog.settings?.changes(after: lookup.catalog.catalog.settings)
        if changes?.isEmpty == false { lookup.query.wantsAllAccounts = true }
    }

    package func collisions(in context: RuleContext) -> [CollisionKey] { [.everything] }

    package func decide(in context: RuleContext) throws(StoreError) -> Verdict<CatalogRevision> {
        try CatalogRules.revise(
            catalog, digest: digest, body: body, source: source, in: context)
    }
}
