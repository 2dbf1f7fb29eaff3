package import DurableFiles
import Foundation
import SQLiteLedger
package import StoreCatalog
package import StoreDevice
package import StoreEngine
package import StoreModel
import StoreSigning

/// An opened store and the devices that use it. Folder, keys, ledger, engine and devices are put
/// together here, for every front end.
package struct StoreHost: Sendable {
    /// The engine that serves every session of this process.
    package let engine: StoreEngine
    /// The folder of the devices' records and downloads; for a durable store also of ledger and
    /// keys.
    package let folder: String
    private let catalog: Catalog
    private let contentServers: (any ContentServers)?
    /// Nil for a store in memory.
    private let durable: SQLiteLedger?
    /// The error of every device that is not only read, where nothing in the folder can be written; nil
    /// where it can.
    private let whyReadOnly: StoreError?

    /// Opens the store of a configuration; creates it if there is none. Several processes may open
    /// the same store at once; all of them get the same keys. One that cannot be written to is
    /// opened to be read, with the catalog it has.
    ///
    /// - Parameter onDelay: called, possibly several times, when opening takes longer than a
    ///   second: another process holds the store, or the store is being migrated to this version.
    /// - Throws: `notAStore` for a folder with other files, `storeOfAnotherApp` if the folder holds
    ///   another app's store, `storeOnNetwork` if it is on a network file system, and errors of
    ///   making folders, reading keys and opening the ledger.
    package static func open(
        _ configuration: StoreConfiguration,
        onDelay: @escaping @Sendable (OpeningDelay) -> Void = { _ in }
    ) async throws(StoreError) -> StoreHost {
        let folder: String
        let ledger: any Ledger
        let keys: StoreKeys
        var durable: SQLiteLedger?
        var whyReadOnly: StoreError?
        let offerKeys: OfferKeys
        switch configuration.storage {
        case .memory(let devicesFolder):
            folder = devicesFolder
            ledger = InMemoryLedger()
            keys = try StoreKeys.generate()
            offerKeys = OfferKeys()
        case .folder(let path):
            folder = path
            try refuseOtherFolder(path)
            // A store that can only be read still answers what needs no writing.
            whyReadOnly = try PrivateFolder.makeOrRead(path)
            try PrivateFolder.refuseNetwork(path)
            keys = try StoreKeys.open(folder: URL(filePath: path + "/keys"))
            offerKeys = OfferKeys(folder: URL(filePath: path + "/keys/offers"))
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
            catalogDigest: configuration.catalogDigest,
            catalogSource: configuration.catalogSource.map { Data($0) },
            homeTerritory: home.countryCode,
            packageFiles: PackageFiles(folder: folder + "/packages"), offerKeys: offerKeys)
        if let pair = configuration.offerKey { try engine.keep(pair) }
        return StoreHost(
            engine: engine, folder: folder, catalog: configuration.catalog,
            contentServers: configuration.contentServers, durable: durable,
            whyReadOnly: whyReadOnly)
    }

    /// Throws `notAStore` for a folder that holds files but nothing of a store: one named by mistake
    /// must not fill with a store's files, or end up deleted together with them.
    private static func refuseOtherFolder(_ path: String) throws(StoreError) {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let isStore = entries.contains { name in
            name == "keys" || name == "devices" || name.hasPrefix("store.sqlite")
        }
        guard !isStore, let other = entries.min() else { return }
        throw StoreError(.notAStore, subject: path, found: other)
    }

    private init(
        engine: StoreEngine, folder: String, catalog: Catalog,
        contentServers: (any ContentServers)?, durable: SQLiteLedger?, whyReadOnly: StoreError?
    ) {
        self.engine = engine
        self.folder = folder
        self.catalog = catalog
        self.contentServers = contentServers
        self.durable = durable
        self.whyReadOnly = whyReadOnly
    }

    /// The folder of the zip files of hosted packages.
    var packagesFolder: String { folder + "/packages" }

    /// Whether commits of other processes are noticed at once; otherwise the store is polled once a
    /// second.
    package var noticesOtherProcesses: Bool { durable?.isWatching ?? true }

    /// A customer's side of the store, behind the device's network.
    ///
    /// - Parameters:
    ///   - locale: of names and descriptions; prices follow the account's territory. The account's
    ///     own locale, if it has one, comes before it.
    ///   - isLocaleAsked: whether the person asked for the locale: it then comes first.
    package func session(
        account: AccountName, device: DeviceName, locale: String, isLocaleAsked: Bool = false
    ) -> some Store {
        // Names that cannot be part of a path belong to no device, and have no network to cut.
        let path = try? DeviceFolder(storeFolder: folder, device: device, account: account).path
        return DeviceNetwork(folder: path ?? folder + "/devices")
            .reached(
                engine.session(
                    account: account, device: device, locale: locale, isLocaleAsked: isLocaleAsked))
    }

    /// This store as an app's own server sees it: packages, and checks of purchases, without regard
    /// to any account.
    package var contentServerStore: some ContentServerStore { engine.contentServerStore }

    /// The operator's side of the store.
    package var storeOperator: some StoreOperator { engine.storeOperator }

    /// Why the catalog of the configuration is not sold, with places in its file: it changes
    /// products that were sold. The store goes on with the last good catalog. Empty if the catalog
    /// is sold.
    ///
    /// - Parameter path: the file the catalog was read from.
    package func catalogProblems(path: String) async throws(StoreError) -> [CatalogProblem] {
        guard engine.catalogRefusal != nil else { return [] }
        return try await problems(of: catalog, path: path)
    }

    /// Why a catalog cannot become this store's next revision, with places in its file; empty if it
    /// can.
    package func problems(
        of catalog: Catalog, path: String
    ) async throws(StoreError) -> [CatalogProblem] {
        let conflicts = try await engine.conflicts(of: catalog)
        return CatalogReader.problems(of: conflicts, path: path)
    }

    /// The same for a store that is not open; nil where the folder holds none, which would take any
    /// catalog. Does not create one.
    package static func problems(
        of catalog: Catalog, path: String, inStoreAt folder: String
    ) async throws(StoreError) -> [CatalogProblem]? {
        let file = folder + "/store.sqlite"
        guard access(file, F_OK) == 0 else {
            // A path that cannot be looked into tells nothing about a store.
            guard errno == ENOENT else { throw StoreError(errno: errno, path: folder) }
            return nil
        }
        let conflicts = try await SQLiteLedger(path: file).conflicts(of: catalog)
        return CatalogReader.problems(of: conflicts, path: path)
    }

    /// A device of an account. Registers it with the store if it is new; does not launch it.
    ///
    /// - Parameters:
    ///   - locale: as of `session`, and `isLocaleAsked` too.
    ///   - speed: of its network.
    ///   - downloadsAtOnce: how many packages it fetches at the same time; at least 1.
    /// - Throws: `storeReadOnly`, `invalidName`, `rootChanged`, `storeBehind`, and errors of opening its records.
    package func device(
        account: AccountName, name: DeviceName, locale: String, isLocaleAsked: Bool = false,
        speed: NetworkSpeed = .unlimited, downloadsAtOnce: Int = DeviceLimits.downloadsAtOnce
    ) async throws(StoreError) -> Device {
        if let whyReadOnly { throw whyReadOnly }
        return try await openDevice(
            account, name, locale, isLocaleAsked: isLocaleAsked, speed: speed,
            downloadsAtOnce: downloadsAtOnce)
    }

    /// The same for a caller that only reads what the device knows: also of a store that nothing can be
    /// written to. Everything else that it is asked for throws `storeReadOnly` then.
    ///
    /// - Throws: as `device`; `storeReadOnly` only where nothing can be written and the device is not
    ///   registered.
    package func deviceToRead(
        account: AccountName, name: DeviceName, locale: String, isLocaleAsked: Bool = false
    ) async throws(StoreError) -> Device {
        try await openDevice(
            account, name, locale, isLocaleAsked: isLocaleAsked, isOnlyRead: whyReadOnly != nil)
    }

    private func openDevice(
        _ account: AccountName, _ name: DeviceName, _ locale: String, isLocaleAsked: Bool,
        speed: NetworkSpeed = .unlimited, downloadsAtOnce: Int = DeviceLimits.downloadsAtOnce,
        isOnlyRead: Bool = false
    ) async throws(StoreError) -> Device {
        let elapsed = ContinuousClock()
        return try await Device(
            store: engine.session(
                account: account, device: name, locale: locale, isLocaleAsked: isLocaleAsked),
            storeFolder: folder, clock: engine.clock, elapsed: elapsed,
            pacer: speed.pacer(clock: elapsed), downloadsAtOnce: downloadsAtOnce,
            contentServers: contentServers, isOnlyRead: isOnlyRead)
    }
}
