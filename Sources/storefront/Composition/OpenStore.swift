import DurableFiles
import Foundation
import SQLiteLedger
import StoreCatalog
import StoreDevice
import StoreEngine
import StoreModel
import StoreSigning

/// A store opened for one command: the one place that puts the concrete parts together.
struct OpenStore {
    let engine: StoreEngine
    let folder: String
    let catalog: CatalogReading
    let account: AccountName
    let deviceName: DeviceName
    let locale: String
    let bandwidth: Int64?
    /// Nil for a store in memory.
    let durable: SQLiteLedger?

    var session: any Store {
        engine.session(account: account, device: deviceName, locale: locale)
    }

    /// This command's device; not launched yet.
    func device() async throws(StoreError) -> Device {
        try await device(account: account, name: deviceName, bytesPerSecond: bandwidth)
    }

    /// The same with another network.
    func device(bytesPerSecond: Int64?) async throws(StoreError) -> Device {
        try await device(account: account, name: deviceName, bytesPerSecond: bytesPerSecond)
    }

    /// Any device of any account.
    func device(
        account: AccountName, name: DeviceName, bytesPerSecond: Int64?
    ) async throws(StoreError) -> Device {
        try await Device(
            store: engine.session(account: account, device: name, locale: locale),
            storeFolder: folder, clock: SystemClock(),
            pacer: BandwidthPacer(bytesPerSecond: bytesPerSecond, clock: ContinuousClock()))
    }

    /// Launches this command's device, and says where other processes are noticed only by looking.
    func launch(_ device: Device) async throws(StoreError) {
        try await device.launch()
        if durable?.isWatching == false {
            Output.note("Files cannot be watched here: other processes are looked at each second.")
        }
    }
}

extension GlobalOptions {
    /// Opens the store these options name.
    func open() async throws -> OpenStore {
        let places = Places.current
        let reading = try readCatalog(places)
        guard let catalog = reading.catalog else { throw BadCatalog(reading: reading) }
        let identity = try identity(of: catalog)
        let account = accountName(places)
        let device = deviceName(places)
        try NameRule.check(account.rawValue, for: "account")
        try NameRule.check(device.rawValue, for: "device")
        let locale = locale ?? places.locale ?? catalog.defaultLocale
        let home = Storefront.choose(
            account: nil, catalogDefault: catalog.defaultTerritory, locale: locale)

        let folder: String
        let ledger: any Ledger
        let keys: StoreKeys
        var durable: SQLiteLedger?
        if ephemeral {
            folder = try EphemeralFolder.make()
            ledger = InMemoryLedger()
            keys = try StoreKeys.generate()
        } else {
            folder = places.storeFolder(option: store, bundleID: identity.bundleID)
            try PrivateFolder.make(folder)
            try PrivateFolder.refuseNetwork(folder)
            keys = try StoreKeys.open(folder: URL(filePath: folder + "/keys"))
            let file = try SQLiteLedger(path: folder + "/store.sqlite")
            durable = file
            ledger = file
        }
        let engine = try await StoreEngine(
            ledger: ledger, identity: identity, keys: keys, clock: SystemClock(),
            catalog: catalog, catalogDigest: reading.sourceDigest,
            homeTerritory: home.countryCode)
        if let territory {
            _ = try await engine.storeOperator.changeAccount(
                account, askToBuy: nil, canMakePayments: nil, territory: territory)
        }
        return OpenStore(
            engine: engine, folder: folder, catalog: reading, account: account,
            deviceName: device, locale: locale, bandwidth: bandwidth.bytesPerSecond,
            durable: durable)
    }

    /// Whose purchases: said here, else in the environment.
    func accountName(_ places: Places) -> AccountName {
        AccountName(account ?? places.environment["STOREFRONT_ACCOUNT"] ?? "me")
    }

    func deviceName(_ places: Places) -> DeviceName {
        DeviceName(device ?? places.environment["STOREFRONT_DEVICE"] ?? "terminal")
    }

    func readCatalog(_ places: Places) throws -> CatalogReading {
        guard let path = places.catalogFile(option: catalog) else { throw NoCatalog() }
        return CatalogReader.read(path: path)
    }

    func identity(of catalog: Catalog) throws -> AppIdentity {
        let environment = StoreEnvironment(environment)
        guard StoreEnvironment.known.contains(environment) else {
            throw StoreError(
                .invalidName, subject: "environment", found: environment.rawValue,
                expected: StoreEnvironment.known.map(\.rawValue).joined(separator: ", "))
        }
        let bundleID = bundleID ?? catalog.bundleID
        try NameRule.check(bundleID, for: "bundle id")
        return AppIdentity(
            bundleID: bundleID, appAppleID: appAppleID ?? catalog.appAppleID,
            environment: environment)
    }
}
