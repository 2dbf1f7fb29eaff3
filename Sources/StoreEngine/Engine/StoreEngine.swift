import Foundation
package import StoreCatalog
package import StoreModel
package import StoreSigning

/// A store: opened once per process, it hands out sessions to customers and one to the operator.
package final class StoreEngine: Sendable {
    package let identity: AppIdentity
    let ledger: any Ledger
    let committer: Committer
    let catalogs: CatalogCache
    let payloads: Payloads
    let hostedReads = HostedReads()
    /// The store's time: the same for every process and device of the store.
    package let clock: LedgerClock
    let rootCertificate: Data
    /// Elapsed time: how long this process waits for what is due. Stopping the store's clock does
    /// not stop it. Nil where nobody waits: what is due happens when somebody looks.
    let elapsed: (any Clock<Duration>)?
    let homeTerritory: String
    /// Why the catalog it was opened with is not sold (`soldProductChanged`), and the last good one
    /// is; nil where all is well.
    package let catalogRefusal: StoreError?

    /// Opens the store on a ledger for an app, with the catalog it shall sell from now on. A catalog
    /// that differs from the one in force becomes a new revision, visible to every process. One that
    /// makes something else of a sold product does not; the store opens and says so in
    /// `catalogRefusal`.
    ///
    /// - Parameters:
    ///   - clock: the system's time, which the store's own is reckoned from.
    ///   - elapsed: by which this process waits for what is due while somebody follows its events; nil
    ///     leaves what is due until somebody looks.
    ///   - homeTerritory: where accounts buy that the store has not met yet.
    /// - Throws: `storeOfAnotherApp` naming what differs, and what the ledger throws.
    package init(
        ledger: any Ledger, identity: AppIdentity, keys: StoreKeys, clock: any StoreClock,
        elapsed: (any Clock<Duration>)? = ContinuousClock(), catalog: Catalog,
        catalogDigest: String, homeTerritory: String
    ) async throws(StoreError) {
        self.elapsed = elapsed
        self.identity = identity
        self.ledger = ledger
        let clock = LedgerClock(system: clock)
        self.clock = clock
        self.homeTerritory = homeTerritory
        rootCertificate = keys.rootCertificateDER
        catalogs = CatalogCache(ledger: ledger, catalog: catalog, digest: catalogDigest)
        committer = Committer(ledger: ledger, catalogs: catalogs, clock: clock)
        payloads = Payloads(
            identity: identity, signer: TransactionSigner(keys: keys), clock: clock)
        catalogRefusal = try await Self.recordCatalog(
            catalog, digest: catalogDigest, identity, ledger, committer, clock)
    }

    /// Looks before it writes, so that opening a store that is as it should be writes nothing.
    private static func recordCatalog(
        _ catalog: Catalog, digest: String, _ identity: AppIdentity, _ ledger: any Ledger,
        _ committer: Committer, _ clock: LedgerClock
    ) async throws(StoreError) -> StoreError? {
        let known = try await ledger.snapshot(LedgerQuery())
        clock.learn(known)
        if known.identity != identity { _ = try await committer.submit(OpenRequest(identity)) }
        guard known.catalog?.digest != digest else { return nil }
        do {
            try await revise(catalog, digest: digest, committer)
            return nil
        } catch  where error.code == .soldProductChanged { return error }
    }

    /// Sells this catalog from now on. One that differs from the one in force becomes a new
    /// revision, visible to every process; the same again changes nothing.
    ///
    /// - Parameter digest: names the catalog; equal digests are equal catalogs.
    /// - Throws: `soldProductChanged` where it makes something else of a product that was sold; the
    ///   catalog in force stays.
    package func sell(_ catalog: Catalog, digest: String) async throws(StoreError) {
        guard try await ledger.snapshot(LedgerQuery()).catalog?.digest != digest else { return }
        try await Self.revise(catalog, digest: digest, committer)
    }

    /// Every product that was ever sold, as what.
    package func soldProducts() async throws(StoreError) -> [ProductID: SoldProduct] {
        try await ledger.soldProducts()
    }

    private static func revise(
        _ catalog: Catalog, digest: String, _ committer: Committer
    ) async throws(StoreError) {
        let body: Data
        do { body = try catalog.body() } catch {
            throw StoreError(.systemError, subject: "catalog", cause: String(describing: error))
        }
        _ = try await committer.submit(
            ReviseCatalogRequest(catalog, digest: digest, body: body))
    }

    /// A customer at a device. `locale` is the person's language; prices follow the territory.
    package func session(
        account: AccountName, device: DeviceName, locale: String
    ) -> some Store {
        StoreSession(
            engine: self,
            customer: Customer(
                account: account, device: device, homeTerritory: homeTerritory),
            locale: locale)
    }

    package var storeOperator: some StoreOperator { OperatorSession(engine: self) }

    /// The catalog in force.
    func catalog() async throws(StoreError) -> (index: CatalogIndex, revision: Int64) {
        let revision = try await ledger.snapshot(LedgerQuery()).catalog
        return (try await catalogs.catalog(revision).index, revision?.number ?? 0)
    }

    func settings(of account: AccountName) async throws(StoreError) -> AccountSettings {
        var query = LedgerQuery()
        query.accounts = [account]
        return try await ledger.snapshot(query).accounts[account]
            ?? AccountSettings(name: account, territory: homeTerritory)
    }

    func eventFeed(for device: DeviceName?) -> EventFeed {
        EventFeed(engine: self, device: device)
    }
}

extension Ledger {
    /// Every product that was ever sold, as what.
    package func soldProducts() async throws(StoreError) -> [ProductID: SoldProduct] {
        var query = LedgerQuery()
        query.wantsSoldProducts = true
        return try await snapshot(query).soldProducts
    }
}
