import Foundation
package import StoreCatalog
package import StoreModel
package import StoreSigning

/// A store: opened once per process, it hands out sessions to customers and one to the operator.
package final class StoreEngine: Sendable {
    package let identity: AppIdentity
    let ledger: any Ledger
    let committer: Committer
    let shelf: CatalogShelf
    let payloads: Payloads
    let hostedReads = HostedReads()
    let clock: any StoreClock
    let rootCertificate: Data
    let homeTerritory: String

    /// Opens the store on a ledger for an app, with the catalog it shall sell from now on. A catalog
    /// that differs from the one in force becomes a new revision, visible to every process.
    ///
    /// - Parameter homeTerritory: where accounts buy that the store has not met yet.
    /// - Throws: `storeOfAnotherApp` naming what differs, and what the ledger throws.
    package init(
        ledger: any Ledger, identity: AppIdentity, keys: StoreKeys, clock: any StoreClock,
        catalog: Catalog, catalogDigest: String, homeTerritory: String
    ) async throws(StoreError) {
        self.identity = identity
        self.ledger = ledger
        self.clock = clock
        self.homeTerritory = homeTerritory
        rootCertificate = keys.rootCertificateDER
        shelf = CatalogShelf(ledger: ledger, catalog: catalog, digest: catalogDigest)
        committer = Committer(ledger: ledger, shelf: shelf, clock: clock)
        payloads = Payloads(
            identity: identity, signer: TransactionSigner(keys: keys), clock: clock)
        try await settle(catalog, digest: catalogDigest)
    }

    /// Looks before it writes, so that opening a store that is as it should be writes nothing.
    private func settle(_ catalog: Catalog, digest: String) async throws(StoreError) {
        let known = try await ledger.snapshot(LedgerQuery())
        if known.identity != identity { _ = try await committer.submit(.open(identity)) }
        if known.catalog?.digest != digest { try await revise(catalog, digest: digest) }
    }

    /// Sells this catalog from now on. One that differs from the one in force becomes a new
    /// revision, visible to every process; the same again changes nothing.
    ///
    /// - Parameter digest: names the catalog; equal digests are equal catalogs.
    package func sell(_ catalog: Catalog, digest: String) async throws(StoreError) {
        guard try await ledger.snapshot(LedgerQuery()).catalog?.digest != digest else { return }
        try await revise(catalog, digest: digest)
    }

    private func revise(_ catalog: Catalog, digest: String) async throws(StoreError) {
        let body: Data
        do { body = try JSONEncoder().encode(catalog) } catch {
            throw StoreError(.systemError, subject: "catalog", cause: String(describing: error))
        }
        _ = try await committer.submit(
            .reviseCatalog(digest: digest, productCount: catalog.products.count, body: body))
    }

    /// A customer at a device. `locale` is the person's language; prices follow the territory.
    package func session(
        account: AccountName, device: DeviceName, locale: String
    ) -> some Store {
        StoreSession(
            engine: self,
            customer: Request.Customer(
                account: account, device: device, homeTerritory: homeTerritory),
            locale: locale)
    }

    package var storeOperator: some StoreOperator { OperatorSession(engine: self) }

    /// The catalog in force.
    func catalog() async throws(StoreError) -> (index: CatalogIndex, revision: Int64) {
        let revision = try await ledger.snapshot(LedgerQuery()).catalog
        return (try await shelf.catalog(revision).index, revision?.number ?? 0)
    }

    func settings(of account: AccountName) async throws(StoreError) -> AccountSettings {
        var query = LedgerQuery()
        query.accounts = [account]
        return try await ledger.snapshot(query).accounts[account]
            ?? AccountSettings(name: account, territory: homeTerritory)
    }

    func feed(after cursor: FeedCursor, account: AccountName?) -> StoreEventStream {
        EventFeed(ledger: ledger, payloads: payloads).stream(after: cursor, account: account)
    }
}
