package import Foundation
package import StoreCatalog
package import StoreModel
package import StoreSigning

/// A store, opened once in a process. It makes the sessions of customers and of the operator.
package final class StoreEngine: Sendable {
    package let identity: AppIdentity
    let ledger: any Ledger
    /// Of the ledger's cursors.
    let epoch: Int64
    let committer: Committer
    let catalogs: CatalogCache
    let payloads: Payloads
    let hostedReads = HostedReads()
    let unanswered = UnansweredPayments()
    let manifests: FolderManifests
    /// Nil for a store that hosts no packages.
    let packageFiles: PackageFiles?
    /// Nil unless the store is in a database.
    let sharedPackages: SharedPackages?
    /// The store's time: the same in every process and on every device of the store.
    package let clock: LedgerClock
    let keys: StoreKeys
    let offerKeys: OfferKeys
    /// Measures how long this process waits for due items; it does not stop with the store's clock.
    /// If nil, this process does not wait: the next request or read that depends on due items
    /// records them.
    let elapsed: (any Clock<Duration>)?
    /// The territory of accounts that have no settings yet.
    let homeTerritory: String
    /// The territory that settings name for every account while this process only looks at it; nil
    /// for the account's own.
    let lookedAt: Storefront?
    /// Why the catalog with which the store was opened did not come into force
    /// (`soldProductChanged` or `storeReadOnly`), so that the previous one stays; nil if it is in
    /// force.
    package let catalogRefusal: StoreError?
    /// Whether opening the store made the catalog a new revision, whose settings then took effect.
    package let adoptedCatalog: Bool

    /// Opens the store on a ledger. A catalog that differs from the one in force becomes a new
    /// revision, for every process. If it changes a property of a sold product, it does not: the
    /// store opens with the previous catalog, and `catalogRefusal` has the reason. Writes nothing
    /// if nothing changes.
    ///
    /// - Parameters:
    ///   - clock: the system's clock, from which the store's time is computed.
    ///   - elapsed: measures how long this process waits for due items while a reader follows its
    ///     events. If nil, this process does not wait: a request or read that depends on due items
    ///     records them.
    ///   - catalogDigest: identifies the catalog; catalogs with equal digests are equal.
    ///   - catalogSource: the text of the catalog's file without private keys, kept with a new
    ///     revision; nil if there is none to keep.
    ///   - homeTerritory: the territory of accounts that have no settings yet (ISO 3166-1 alpha-3).
    ///   - lookedAt: a territory to show to every account in place of its own.
    ///   - packageFiles: the folder of the zip files of hosted packages; nil to host none.
    ///   - packageChunks: where a store in a database keeps these files; the folder has copies.
    ///   - offerKeys: the keys that sign promotional offers; they may be in memory only.
    ///   - known: what is known of a store whose server is away, with its own catalog and root
    ///     certificate: the ledger is asked nothing.
    /// - Throws: `storeOfAnotherApp` naming the field that differs, and errors of the ledger.
    package init(
        ledger: any Ledger, identity: AppIdentity, keys: StoreKeys, clock: any StoreClock,
        elapsed: (any Clock<Duration>)? = ContinuousClock(), catalog: Catalog,
        catalogDigest: String, catalogSource: Data? = nil, homeTerritory: String,
        lookedAt: Storefront? = nil, packageFiles: PackageFiles? = nil,
        packageChunks: (any PackageChunks)? = nil, offerKeys: OfferKeys = OfferKeys(),
        known: KnownStore? = nil
    ) async throws(StoreError) {
        self.elapsed = elapsed
        self.identity = identity
        self.ledger = ledger
        epoch = if let known { known.epoch } else { try await ledger.head().epoch }
        let clock = LedgerClock(system: clock)
        self.clock = clock
        self.homeTerritory = homeTerritory
        self.lookedAt = lookedAt
        self.keys = keys
        self.packageFiles = packageFiles
        sharedPackages =
            if let packageFiles, let packageChunks {
                SharedPackages(packageChunks, copiedTo: packageFiles)
            } else {
                nil
            }
        let manifestsFolder = packageFiles.map { $0.folder + "/manifests" }
        manifests = FolderManifests(folder: manifestsFolder)
        self.offerKeys = offerKeys
        catalogs = CatalogCache(
            ledger: ledger, catalog: catalog, digest: catalogDigest,
            environment: identity.environment, manifests: manifestsFolder)
        committer = Committer(ledger: ledger, catalogs: catalogs, clock: clock)
        payloads = Payloads(
            identity: identity, signer: TransactionSigner(keys: keys), clock: clock)
        if let known {
            clock.begin(in: known.clock)
            (adoptedCatalog, catalogRefusal) = (false, nil)
            return
        }
        (adoptedCatalog, catalogRefusal) = try await Self.recordCatalog(
            catalog, digest: catalogDigest, source: catalogSource, identity, ledger, committer,
            clock)
    }

    /// Records the identity and the catalog if they are new. It reads first, so that it writes
    /// nothing if nothing changes. Returns whether the catalog became a new revision, or why it was
    /// refused.
    private static func recordCatalog(
        _ catalog: Catalog, digest: String, source: Data?, _ identity: AppIdentity,
        _ ledger: any Ledger, _ committer: Committer, _ clock: LedgerClock
    ) async throws(StoreError) -> (isNew: Bool, refusal: StoreError?) {
        let known = try await ledger.snapshot(LedgerQuery())
        clock.update(from: known)
        if known.unfinishedCopyOf != nil { try known.refuseMoved() }
        if known.identity != identity {
            try await committer.submit(OpenRequest(identity: identity))
        }
        guard known.catalog?.file != digest else { return (false, nil) }
        do {
            try await revise(catalog, digest: digest, source: source, committer)
            return (true, nil)
        } catch
            where error.code == .soldProductChanged
            || [.storeReadOnly, .storeMoved, .clockOutOfRange].contains(error.code)
                && known.catalog != nil
        {
            return (false, error)
        }
    }

    /// Puts a catalog into force. A catalog that differs from the one in force becomes a new
    /// revision, for every process; the same catalog changes nothing.
    ///
    /// - Parameters:
    ///   - digest: identifies the catalog; catalogs with equal digests are equal.
    ///   - source: the text of its file without private keys, kept with the revision.
    /// - Returns: whether it became a new revision.
    /// - Throws: `soldProductChanged` if it changes the type, group or hosting of a sold product;
    ///   the catalog in force then stays. Errors of the ledger.
    @discardableResult
    package func sell(
        _ catalog: Catalog, digest: String, source: Data? = nil
    ) async throws(StoreError) -> Bool {
        guard try await ledger.snapshot(LedgerQuery()).catalog?.file != digest else { return false }
        try await Self.revise(catalog, digest: digest, source: source, committer)
        return true
    }

    /// The catalog in force, and the text of the file it was read from without private keys; nil
    /// for a revision whose text was not kept.
    package func catalogInForce() async throws(StoreError) -> (catalog: Catalog, source: Data?) {
        let revision = try await ledger.snapshot(LedgerQuery()).catalog
        let catalog = try await catalogs.catalog(revision).index.catalog
        guard let key = revision?.source else { return (catalog, nil) }
        return (catalog, try await ledger.attachment(key))
    }

    /// Empty if the catalog can become the next revision.
    package func conflicts(of catalog: Catalog) async throws(StoreError) -> [CatalogConflict] {
        try await ledger.conflicts(of: catalog)
    }

    private static func revise(
        _ catalog: Catalog, digest: String, source: Data?, _ committer: Committer
    ) async throws(StoreError) {
        _ = try await committer.submit(
            ReviseCatalogRequest(
                catalog: catalog, digest: digest, body: try catalog.body(), source: source))
    }

    /// - Parameters:
    ///   - locale: the locale of names and descriptions; prices follow the account's territory. The
    ///     account's own locale, if it has one, has priority.
    ///   - isLocaleAsked: whether the person asked for this locale, which then has priority.
    package func session(
        account: AccountName, device: DeviceName, locale: String, isLocaleAsked: Bool = false
    ) -> some Store {
        StoreSession(
            engine: self,
            customer: Customer(
                account: account, device: device, homeTerritory: homeTerritory),
            locale: locale, isLocaleAsked: isLocaleAsked)
    }

    package var storeOperator: some StoreOperator { storeOperator(as: nil) }

    /// The operator's session. For an account, its session as the organizer of its family: it
    /// answers for its family and changes it, and is refused everything else (`notOrganizer`,
    /// `operatorOnly`).
    ///
    /// - Parameter customer: the account on whose own device the console runs. A child's own
    ///   console cannot answer the child's requests (`notOrganizer`).
    package func storeOperator(
        as account: AccountName?, besides customer: AccountName? = nil
    ) -> some StoreOperator {
        OperatorSession(engine: self, actor: account, customer: customer)
    }

    /// Throws `storeNewer` if the ledger has an entry about the account that this program does not
    /// know.
    package func refuseUnknownFacts(of account: AccountName) async throws(StoreError) {
        try await ledger.snapshot(LedgerQuery { $0.accounts = [account] })
            .refuseUnknownFacts(of: account)
    }

    /// The account's settings. An account without settings has those of the catalog in force, or
    /// the defaults.
    func settings(of account: AccountName) async throws(StoreError) -> AccountSettings {
        try await settings(
            of: account, in: ledger.snapshot(LedgerQuery { $0.accounts = [account] }))
    }

    /// The snapshot's query must have included the account.
    func settings(
        of account: AccountName, in found: LedgerSnapshot
    ) async throws(StoreError) -> AccountSettings {
        let catalog = try await catalogs.catalog(found.catalog).index.catalog
        var settings =
            found.accounts[account]
            ?? AccountSettings(new: account, home: homeTerritory, catalog: catalog.settings)
        if let lookedAt { settings.territory = lookedAt.countryCode }
        // A child's payments always wait for approval, whatever its own setting is.
        if found.families[account]?.isChild(account) == true { settings.askToBuy = true }
        return settings
    }

    /// Throws `transactionNotFound` if the result has none or it was deleted.
    func transaction(
        _ id: TransactionID, _ query: LedgerQuery
    ) async throws(StoreError) -> TransactionRow {
        guard let row = try await ledger.snapshot(query).transactions[id], !row.state.isDeleted
        else { throw StoreError(.transactionNotFound, transactionID: id) }
        return row
    }

    /// The requests as people see them: with all their devices, and with what each would charge.
    func waiting(_ requests: [ApprovalRequest]) async throws(StoreError) -> [ApprovalRequest] {
        guard !requests.isEmpty else { return [] }
        let lookup = try await committer.lookUp { lookup in
            for request in requests { RequestRules.addKeys(on: request.number, to: &lookup) }
        }
        let context = RuleContext(
            snapshot: lookup.found, catalog: lookup.catalog, now: clock.now())
        return try await history.requests(requests).map { request in
            var request = request
            request.charge = RequestRules.charge(of: request, in: context)
            return request
        }
    }

    var history: HistoryReader { HistoryReader(ledger: ledger) }

    func eventFeed(for device: DeviceName?) -> EventFeed {
        EventFeed(engine: self, device: device)
    }
}

extension Ledger {
    /// Empty if the catalog can become the next revision.
    ///
    /// - Throws: `storeUnreadable` if the catalog in force cannot be decoded; errors of the ledger.
    package func conflicts(of catalog: Catalog) async throws(StoreError) -> [CatalogConflict] {
        let found = try await snapshot(LedgerQuery { $0.wantsSoldProducts = true })
        let inForce =
            found.catalog == nil
            ? nil
            : try await CatalogCache(
                ledger: self, catalog: catalog, digest: "",
                environment: found.identity?.environment ?? .sandbox
            ).catalog(found.catalog).index.catalog
        // The new catalog keeps the packages that an operator has hosted for its products.
        let offered = inForce.map { catalog.keepingReleases(of: $0) } ?? catalog
        return offered.conflicts(with: found.soldProducts, after: inForce)
    }
}
