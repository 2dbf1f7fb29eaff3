package import StoreCatalog
package import StoreModel

/// The choices of a front end for the store that it opens: folder, app, catalog, language and
/// clock.
package struct StoreConfiguration: Sendable {
    /// Where the ledger, the keys and the devices' records are kept.
    package enum Storage: Sendable {
        /// In files below this folder, which is created with mode 0700 if it is missing.
        case folder(String)
        /// The store ends with the process: its keys are in memory, and nothing of its ledger is
        /// synced. The front end removes this folder.
        case ephemeral(String)
    }

    /// The app and environment. They must match those of an existing store.
    package var identity: AppIdentity
    /// Where the store's data is kept.
    package var storage: Storage
    /// The catalog to put into force. If it differs from the one in force, it becomes the next
    /// revision.
    package var catalog: Catalog
    /// SHA-256 of the catalog's file (`CatalogReading.sourceDigest`). Catalogs with equal digests
    /// are considered equal.
    package var catalogDigest: String
    /// The text of the catalog's file without private keys (`CatalogReading.source`), kept with a
    /// new revision; nil if there is none to keep.
    package var catalogSource: [UInt8]?
    /// The key pair in the catalog's file that signs promotional offers (`CatalogReader.offerKey`);
    /// nil for none. The store keeps it separately from the catalog.
    package var offerKey: OfferKeyPair?
    /// The person's locale. An account without a territory buys in this locale's territory, unless
    /// the catalog has a default territory.
    package var locale: String
    /// Reaches apps' own servers; nil for a front end whose devices download only from the store.
    package var contentServers: (any ContentServers)?
    /// The system's clock, from which the store's time is computed.
    package var clock: any StoreClock

    /// Memberwise: the values are not checked.
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
