package import StoreCatalog
package import StoreModel

/// A front end's choices for the store it opens: folder, app, catalog, language and clock.
package struct StoreConfiguration: Sendable {
    /// Where the ledger, the keys and the devices' records are kept.
    package enum Storage: Sendable {
        /// In files below this folder, which is created with mode 0700 if it is missing.
        case folder(String)
        /// Ledger and keys in memory, gone with the process. Devices still need files: their
        /// records and downloads go below this folder, which the front end creates and removes.
        case memory(devicesFolder: String)
    }

    /// The app and environment; must match the store's if it exists.
    package var identity: AppIdentity
    /// Where the store is kept.
    package var storage: Storage
    /// The catalog that the store sells from now on. One that differs from the one in force becomes
    /// the next revision.
    package var catalog: Catalog
    /// SHA-256 of the catalog's file (`CatalogReading.sourceDigest`). Catalogs with equal digests
    /// are taken to be equal.
    package var catalogDigest: String
    /// The catalog's file without private keys (`CatalogReading.source`), kept with a new revision;
    /// nil if there is none to keep.
    package var catalogSource: [UInt8]?
    /// The key pair in the catalog's file that signs promotional offers
    /// (`CatalogReader.offerKey`). The store keeps it in a place of its own; nil for none.
    package var offerKey: OfferKeyPair?
    /// The person's locale. Accounts without a territory buy in the territory of this locale if the
    /// catalog has no default territory.
    package var locale: String
    /// Reaches apps' own servers; nil for a front end whose devices download from the store alone.
    package var contentServers: (any ContentServers)?
    /// The system's time, from which the store's time is derived.
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
