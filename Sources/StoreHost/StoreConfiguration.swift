package import StoreCatalog
package import StoreModel

/// What a front end says about the store it wants opened.
package struct StoreConfiguration: Sendable {
    /// Where the ledger, the keys and the devices' records are kept.
    package enum Storage: Sendable {
        /// Everything below this folder; made (0700) where it is missing, and kept.
        case folder(String)
        /// Ledger and keys in memory, gone with the process. Only devices need files: their records
        /// and downloads go below this folder, which the front end makes and removes.
        case memory(devicesFolder: String)
    }

    package var identity: AppIdentity
    package var storage: Storage
    /// What the store sells from now on; a catalog other than the one in force becomes its next
    /// revision.
    package var catalog: Catalog
    /// SHA-256 of the catalog's file (`CatalogReading.sourceDigest`): equal digests are equal
    /// catalogs.
    package var catalogDigest: String
    /// The person's language. Accounts that never said where they buy, under a catalog that does not
    /// say either, buy in its territory.
    package var locale: String
    package var clock: any StoreClock

    package init(
        identity: AppIdentity, storage: Storage, catalog: Catalog, catalogDigest: String,
        locale: String, clock: any StoreClock = SystemClock()
    ) {
        self.identity = identity
        self.storage = storage
        self.catalog = catalog
        self.catalogDigest = catalogDigest
        self.locale = locale
        self.clock = clock
    }
}
