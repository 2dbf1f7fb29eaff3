import Basics
package import DurableFiles
import Foundation
import SQLiteLedger
package import StoreCatalog
package import StoreDevice
package import StoreEngine
package import StoreModel
import StoreSigning

/// An opened store and the devices that use it. It combines folder, keys, ledger, engine and
/// devices for every front end.
package struct StoreHost: Sendable {
    package let engine: StoreEngine
    private let parts: StoreParts
    private let catalog: Catalog
    /// Of the devices that are opened from now on.
    package var contentServers: (any ContentServers)?
    private let onDelay: @Sendable (OpeningDelay) -> Void

    /// Opens the store of a configuration, and creates it if there is none. Several processes may
    /// open the same store at once; all get the same keys. A store that cannot be written is opened
    /// for reading, with the catalog in force.
    ///
    /// - Parameter onDelay: called, possibly several times, if opening takes longer than a second,
    ///   also that of a device later: another process holds the file, or it is being migrated to
    ///   this version.
    /// - Throws: `notAStore` for a folder with other files; `storeOfAnotherApp` if the folder holds
    ///   another app's store; `storeOnNetwork` if it is on a network file system; errors of
    ///   creating folders, reading keys and opening the ledger.
    package static func open(
        _ configuration: StoreConfiguration,
        onDelay: @escaping @Sendable (OpeningDelay) -> Void = { _ in }
    ) async throws(StoreError) -> StoreHost {
        let parts = try await StoreParts.open(configuration.storage, onDelay: onDelay)
        let home = Storefront.choose(
            account: nil, catalogDefault: configuration.catalog.defaultTerritory,
            locale: configuration.locale)
        let engine = try await StoreEngine(
            ledger: parts.ledger, identity: configuration.identity, keys: parts.keys,
            clock: configuration.clock, catalog: configuration.catalog,
            catalogDigest: configuration.catalogDigest,
            catalogSource: configuration.catalogSource.map { Data($0) },
            homeTerritory: home.countryCode, lookedAt: configuration.lookedAt,
            packageFiles: PackageFiles(folder: parts.folder + "/packages"),
            packageChunks: parts.database?.attachments, offerKeys: parts.offerKeys,
            known: parts.database?.absence?.known)
        if let pair = configuration.offerKey { try await engine.keep(pair) }
        return StoreHost(
            engine: engine, parts: parts, catalog: configuration.catalog,
            contentServers: configuration.contentServers, onDelay: onDelay)
    }

    /// Throws `notAStore` for a folder that has files but none of a store. A folder that was named
    /// by mistake must not be filled with a store's files, or later be deleted together with them.
    static func refuseOtherFolder(_ path: String) throws(StoreError) {
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let isStore = entries.contains { name in
            name == "keys" || name == "devices" || name.hasPrefix("store.sqlite")
        }
        guard !isStore, let other = entries.min() else { return }
        throw StoreError(.notAStore, subject: path, found: other)
    }

    /// Throws `storeOnNetwork` for a folder on a network file system, and `storeUnreadable` if a folder
    /// of a store in it, or of a machine's devices, is a link.
    static func refuseUnsafe(_ folder: String) throws(StoreError) {
        try PrivateFolder.refuseNetwork(folder)
        try PrivateFolder.refuseLinks(
            [
                "keys/chain", "keys/offers", "packages/manifests",
                "packages/\(PackageFiles.partialFolder)", "devices", "server",
            ], in: folder)
    }

    /// Throws `fileUnreadable` for a folder without a ledger.
    static func refuseMissing(_ folder: String) throws(StoreError) {
        let file = folder + "/store.sqlite"
        guard access(file, F_OK) == 0 else {
            throw StoreError(.fileUnreadable, subject: file, cause: systemMessage(errno))
        }
    }

    private init(
        engine: StoreEngine, parts: StoreParts, catalog: Catalog,
        contentServers: (any ContentServers)?,
        onDelay: @escaping @Sendable (OpeningDelay) -> Void
    ) {
        self.engine = engine
        self.parts = parts
        self.catalog = catalog
        self.contentServers = contentServers
        self.onDelay = onDelay
    }

    /// The folder of the devices' records and downloads; of a store in a folder, also that of the
    /// ledger and the keys.
    package var folder: String { parts.folder }

    var packagesFolder: String { folder + "/packages" }

    /// Nil for a store in a folder.
    package var database: StoreDatabase? { parts.database }

    /// Thrown for every device that is opened for more than reading; nil if the store can be written.
    private var whyReadOnly: StoreError? { parts.whyReadOnly }

    /// If not, the store is polled once a second.
    package var noticesOtherProcesses: Bool { parts.watching?.isWatching ?? true }

    /// A customer's session with the store, through the device's network.
    ///
    /// - Parameters:
    ///   - locale: the locale of names and descriptions; prices follow the account's territory. The
    ///     account's own locale, if it has one, has priority.
    ///   - isLocaleAsked: whether the person asked for this locale, which then has priority.
    package func session(
        account: AccountName, device: DeviceName, locale: String, isLocaleAsked: Bool = false
    ) -> some Store {
        // A name that cannot be part of a path belongs to no device, and so has no network that
        // could be cut.
        let path = try? DeviceFolder(storeFolder: folder, device: device, account: account).path
        return DeviceNetwork(folder: path ?? folder + "/devices")
            .reached(
                engine.session(
                    account: account, device: device, locale: locale, isLocaleAsked: isLocaleAsked))
    }

    /// The store as an app's own server uses it: it reads packages and checks purchases of any
    /// account.
    package var contentServerStore: some ContentServerStore { engine.contentServerStore }

    /// The store as its own server uses it.
    package var servedStore: some ServedStore { engine.servedStore }

    /// The notifications to the app's backend.
    package var outboxStore: some OutboxStore { engine.outboxStore }

    package var storeOperator: some StoreOperator { engine.storeOperator }

    /// Why the configuration's catalog did not come into force, with positions in its file: it
    /// changes products that were sold. The store continues with the catalog in force. Empty if the
    /// configuration's catalog is in force.
    ///
    /// - Parameter path: the file from which the catalog was read.
    package func catalogProblems(path: String) async throws(StoreError) -> [CatalogProblem] {
        guard engine.catalogRefusal != nil else { return [] }
        return try await problems(of: catalog, path: path)
    }

    /// The conflicts that keep a catalog from becoming this store's next revision, with positions
    /// in its file; empty if there are none.
    package func problems(
        of catalog: Catalog, path: String
    ) async throws(StoreError) -> [CatalogProblem] {
        let conflicts = try await engine.conflicts(of: catalog)
        return CatalogReader.problems(of: conflicts, path: path)
    }

    /// Like `problems(of:path:)`, for a store that is not open. Nil if the folder has no store; a
    /// new store accepts any catalog. Creates no store.
    package static func problems(
        of catalog: Catalog, path: String, inStoreAt folder: String
    ) async throws(StoreError) -> [CatalogProblem]? {
        let file = folder + "/store.sqlite"
        guard access(file, F_OK) == 0 else {
            // If the path cannot be searched, it is unknown whether there is a store.
            guard errno == ENOENT else { throw StoreError(errno: errno, path: folder) }
            return nil
        }
        let conflicts = try await SQLiteLedger(path: file).conflicts(of: catalog)
        return CatalogReader.problems(of: conflicts, path: path)
    }

    /// Like `problems(of:path:)`, for the store of a database.
    package static func problems(
        of catalog: Catalog, path: String, in database: StoreDatabase
    ) async throws(StoreError) -> [CatalogProblem] {
        CatalogReader.problems(of: try await database.ledger.conflicts(of: catalog), path: path)
    }

    /// Opens a device of an account. A new device is registered with the store. The device is not
    /// launched.
    ///
    /// - Parameters:
    ///   - locale: the locale of names and descriptions, as for `session`; likewise
    ///     `isLocaleAsked`.
    ///   - speed: the speed of the device's network.
    ///   - downloadsAtOnce: the most packages that are fetched at the same time; at least 1.
    ///   - leavesFinishing: whether the app finishes what it bought (`Device.finish`).
    /// - Throws: `storeReadOnly`, `invalidName`, `rootChanged`, `storeBehind`; errors of opening
    ///   the device's records.
    package func device(
        account: AccountName, name: DeviceName, locale: String, isLocaleAsked: Bool = false,
        speed: NetworkSpeed = .unlimited, downloadsAtOnce: Int = DeviceLimits.downloadsAtOnce,
        leavesFinishing: Bool = false
    ) async throws(StoreError) -> Device {
        if let whyReadOnly { throw whyReadOnly }
        return try await openDevice(
            account, name, locale, isLocaleAsked: isLocaleAsked, speed: speed,
            downloadsAtOnce: downloadsAtOnce, leavesFinishing: leavesFinishing)
    }

    /// Opens a device for reading its records, even if the store cannot be written. Every other
    /// call on the device then throws `storeReadOnly`.
    ///
    /// - Throws: as `device`; `storeReadOnly` only if the store cannot be written and the device is
    ///   not registered.
    package func deviceToRead(
        account: AccountName, name: DeviceName, locale: String, isLocaleAsked: Bool = false
    ) async throws(StoreError) -> Device {
        try await openDevice(
            account, name, locale, isLocaleAsked: isLocaleAsked, isOnlyRead: whyReadOnly != nil)
    }

    private func openDevice(
        _ account: AccountName, _ name: DeviceName, _ locale: String, isLocaleAsked: Bool,
        speed: NetworkSpeed = .unlimited, downloadsAtOnce: Int = DeviceLimits.downloadsAtOnce,
        leavesFinishing: Bool = false, isOnlyRead: Bool = false
    ) async throws(StoreError) -> Device {
        let elapsed = ContinuousClock()
        return try await Device(
            store: engine.session(
                account: account, device: name, locale: locale, isLocaleAsked: isLocaleAsked),
            storeFolder: folder, clock: engine.clock, elapsed: elapsed,
            pacer: speed.pacer(clock: elapsed), downloadsAtOnce: downloadsAtOnce,
            contentServers: contentServers, isDurable: parts.isDurable,
            leavesFinishing: leavesFinishing, isOnlyRead: isOnlyRead, onDelay: onDelay)
    }
}
