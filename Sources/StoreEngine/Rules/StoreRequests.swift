import Foundation
import StoreCatalog
import StoreModel

/// Opens the store for an app. The first app that opens the store owns it; any other is refused
/// (`storeOfAnotherApp`).
struct OpenRequest: Request {
    var identity: AppIdentity

    func addKeys(to lookup: inout Lookup) {}
    func collisions(in context: RuleContext) -> [CollisionKey] { [.everything] }

    func decide(in context: RuleContext) throws(StoreError) -> Verdict<Void> {
        try CatalogRules.open(identity, in: context)
    }
}

/// Puts a catalog into force as the store's next revision. Idempotent by the digest. A catalog that
/// changes a property of a sold product (`SoldProduct`) is refused (`soldProductChanged`).
struct ReviseCatalogRequest: Request {
    var catalog: Catalog
    /// SHA-256 of the file that the catalog was read from. Catalogs with equal digests are equal.
    var digest: String
    /// The catalog in the encoding that the ledger keeps.
    var body: Data
    /// The file's text without private keys (`CatalogReading.source`); nil if it is not to be kept.
    var source: Data?

    /// All accounts only if the catalog's settings change them.
    func addKeys(to lookup: inout Lookup) {
        lookup.query.wantsSoldProducts = true
        let changes = catalog.settings?.changes(after: lookup.catalog.catalog.settings)
        if changes?.isEmpty == false { lookup.query.wantsAllAccounts = true }
    }

    func collisions(in context: RuleContext) -> [CollisionKey] { [.everything] }

    func decide(in context: RuleContext) throws(StoreError) -> Verdict<CatalogRevision> {
        try CatalogRules.revise(
            catalog, digest: digest, body: body, source: source, in: context)
    }
}
