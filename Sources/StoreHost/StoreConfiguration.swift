package import StoreCatalog
package import StoreEngine
package import StoreModel

/// The choices of a front end for the store that it opens: folder, app, catalog, language and
/// clock.
package struct StoreConfiguration: Sendable {
    /// Where the ledger, the keys and the devices' records are kept.
    package enum Storage: Sendable {
        /// In files below this folder, which is created with mode 0700 if it is missing.
        case folder(String)
        /// In a database; the devices of this machine are below the folder, which is created, too.
        case database(StoreDatabase, devices: String)
        /// The store ends with the process: its keys are in memory, and nothing of its ledger is
        /// synced. The front end removes this folder. Where a process has several such stores, the
        /// numbers of their transactions tell them apart.
        case ephemeral(
            String, firstTransactionNumber: Int64 = StoreLimits.firstTransactionNumber)
    }

    /// Must match an existing store's.
    package var identity: AppIdentity
    package var storage: Storage
    /// Becomes the next revision if it differs from the one in force.
    package var catalog: Catalog
    /// `CatalogReading.sourceDigest`. Catalogs with equal digests are considered equal.
    package var catalogDigest: String
    /// Without private keys (`CatalogReading.source`), kept with a new revision; nil if there is
    /// none to keep.
    package var catalogSource: [UInt8]?
    /// From the catalog's file (`CatalogReader.offerKey`). The store keeps it separately from the
    /// catalog.
    package var offerKey: OfferKeyPair?
    /// An account without a territory buys in this locale's territory, unless the catalog has a
    /// default territory.
    package var locale: String
    /// Nil for a front end whose devices download only from the store.
    package var contentServers: (any ContentServers)?
    /// The territory whose products, prices and names every account is shown; nothing is recorded,
    /// and a purchase is still made in the account's own. Nil for the account's own.
    package var lookedAt: Storefront?
    /// The store's time is computed from it.
    package var clock: any StoreClock

    package init(
        identity: AppIdentity, storage: Storage, catalog: Catalog, catalogDigest: String,
        catalogSource: [UInt8]? = nil, locale: String, clock: any StoreClock = SystemClock()
    ) {
        self.identity = identity
        self.storage = storage
        self.catalog = catalog
        self.catalogDigest = catalogDigest
        self.catalogSource = catalogSource
        self.locale = locale
        self.clock = clock
    }
}
