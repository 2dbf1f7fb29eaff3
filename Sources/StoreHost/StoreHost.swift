package import DurableFiles
import Foundation
import SQLiteLedger
package import StoreCatalog
package import StoreDevice
package import StoreEngine
package import StoreModel
import StoreSigning

/// A store with everything it stands on, and the devices that use it: folder, keys, ledger, engine
/// and devices are put together here, once, for every front end.
package struct StoreHost: Sendable {
    package let engine: StoreEngine
    /// Holds the devices' records and downloads; of a durable store also ledger and keys.
    package let folder: String
    private let catalog: Catalog
    /// Nil for a store in memory.
    private let durable: SQLiteLedger?

    /// Opens the store of a configuration, making it where there is none. Several processes may
    /// open the same one at once; all of them get the same keys.
    ///
    /// - Parameter onDelay: called, again and again, when opening takes longer than a second: another
    ///   process holds the store, or it is brought up to this version.
    /// - Throws: `storeOfAnotherApp` where the folder holds another app's store, `storeOnNetwork`
    ///   where file locks do not hold, and what making folders, reading keys and opening the ledger
    ///   throw.
    package static func open(
        _ configuration: StoreConfiguration,
        onDelay: @escaping @Sendable (OpeningDelay) -> Void = { _ in }
    ) async throws(StoreError) -> StoreHost {
        let folder: String
        let ledger: any Ledger
        let keys: StoreKeys
        var durable: SQLiteLedger?
        switch configuration.storage {
        case .memory(let devicesFolder):
            folder = devicesFolder
            ledger = InMemoryLedger()
            keys = try StoreKeys.generate()
        case .folder(let path):
            folder = path
            try PrivateFolder.make(path)
            try PrivateFolder.refuseNetwork(path)
            keys = try StoreKeys.open(folder: URL(filePath: path + "/keys"))
            let file = try SQLiteLedger(path: path + "/store.sqlite", onDelay: onDelay)
            durable = file
            ledger = file
        }
        let home = Storefront.choose(
            account: nil, catalogDefault: configuration.catalog.defaultTerritory,
            locale: configuration.locale)
        let engine = try await StoreEngine(
            ledger: ledger, identity: configuration.identity, keys: keys,
            clock: configuration.clock, catalog: configuration.catalog,
            catalogDigest: configuration.catalogDigest, homeTerritory: home.countryCode)
        return StoreHost(
            engine: engine, folder: folder, catalog: configuration.catalog, durable: durable)
    }

    private init(
        engine: StoreEngine, folder: String, catalog: Catalog, durable: SQLiteLedger?
    ) {
        self.engine = engine
        self.folder = folder
        self.catalog = catalog
        self.durable = durable
    }

    /// True where what other processes do is noticed at once; else it is looked for each second.
    package var noticesOtherProcesses: Bool { durable?.isWatching ?? true }

    /// A customer at a device. `locale` is the person's language; prices follow the territory.
    package func session(
        account: AccountName, device: DeviceName, locale: String
    ) -> some Store {
        engine.session(account: account, device: device, locale: locale)
    }

    package var storeOperator: some StoreOperator { engine.storeOperator }

    /// Why the catalog of the configuration is not sold, with places in its file: it makes something
    /// else of products that were sold. The last good catalog goes on selling. Empty where all is
    /// well.
    ///
    /// - Parameter path: the file the catalog was read from.
    package func catalogProblems(path: String) async throws(StoreError) -> [CatalogProblem] {
        guard engine.catalogRefusal != nil else { return [] }
        return try await problems(of: catalog, path: path)
    }

    /// What keeps a catalog from becoming this store's next revision, with places in its file.
    package func problems(
        of catalog: Catalog, path: String
    ) async throws(StoreError) -> [CatalogProblem] {
        let conflicts = catalog.conflicts(with: try await engine.soldProducts())
        return CatalogReader.problems(of: conflicts, path: path)
    }

    /// The same for a store nobody has opened. Makes none.
    ///
    /// - Throws: `storeUnreadable` where the folder holds no store.
    package static func problems(
        of catalog: Catalog, path: String, inStoreAt folder: String
    ) async throws(StoreError) -> [CatalogProblem] {
        let file = folder + "/store.sqlite"
        guard access(file, F_OK) == 0 else {
            throw StoreError(.storeUnreadable, subject: folder, found: "no store is there")
        }
        let conflicts = catalog.conflicts(with: try await SQLiteLedger(path: file).soldProducts())
        return CatalogReader.problems(of: conflicts, path: path)
    }

    /// A device of an account, registered with the store when it is new, not launched yet.
    ///
    /// - Parameter bytesPerSecond: the speed of its network; nil for no limit.
    /// - Throws: `invalidName`, `rootChanged`, and what opening its records throws.
    package func device(
        account: AccountName, name: DeviceName, locale: String, bytesPerSecond: Int64? = nil
    ) async throws(StoreError) -> Device {
        let elapsed = ContinuousClock()
        return try await Device(
            store: session(account: account, device: name, locale: locale),
            storeFolder: folder, clock: engine.clock, elapsed: elapsed,
            pacer: BandwidthPacer(bytesPerSecond: bytesPerSecond, clock: elapsed))
    }
}
