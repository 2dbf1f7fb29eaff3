import StoreCatalog
import StoreEngine
import StoreHost
import StoreModel
import Synchronization

/// The opener of stores in databases that this executable was given.
enum ProgramDatabases {
    private static let chosen = Mutex<(any StoreDatabases)?>(nil)

    /// Nil for an executable without a database's library.
    static var current: (any StoreDatabases)? {
        get { chosen.withLock { $0 } }
        set { chosen.withLock { $0 = newValue } }
    }
}

/// A store in a database that a command is for, before its engine is open.
struct ChosenDatabase {
    let database: StoreDatabase
    let machine: MachineFolder
    /// Nil for a new store, and where the person names a catalog for one whose server answers.
    let kept: StoredCatalog?

    init(_ database: StoreDatabase, _ paths: StoragePaths, namesCatalog: Bool) async throws {
        self.database = database
        machine = try MachineFolder(of: database, in: paths)
        kept = namesCatalog ? nil : try await database.ledger.storedCatalog()
    }

    /// The store of an address whose server is away; nil if this machine does not know it.
    init?(
        of address: DatabaseAddress, _ paths: StoragePaths, away error: StoreError
    ) throws(StoreError) {
        guard let known = MachineFolder.known(at: paths.key(of: address), in: paths),
            let stored = known.storedCatalog
        else { return nil }
        database = StoreDatabase(StoreAbsence(error, known: known), at: address)
        machine = try MachineFolder(of: database, in: paths)
        kept = stored
    }

    /// Keeps what this machine needs to open the store while its server is away. That this fails is
    /// no reason not to open it now.
    func keepKnown(of host: StoreHost, _ paths: StoragePaths) async {
        guard database.absence == nil else { return }
        var stored = host.engine.adoptedCatalog ? nil : kept
        if stored == nil { stored = try? await database.ledger.storedCatalog() }
        guard let stored else { return }
        try? machine.keep(
            host.engine.known(of: database, stored), openedBy: paths.key(of: database.address))
    }
}

extension GlobalOptions {
    /// Nil for a store in a folder.
    private func databaseAddress(_ paths: StoragePaths) throws(StoreError) -> DatabaseAddress? {
        guard !ephemeral, case .database(let address)? = try paths.chosenStore(option: store)
        else { return nil }
        return address
    }

    /// Opens the store of the options if it is in a database, and makes it unless it is there; nil
    /// for a store in a folder.
    func openDatabase(_ paths: StoragePaths) async throws -> ChosenDatabase? {
        guard let address = try databaseAddress(paths) else { return nil }
        return try await ChosenDatabase(
            address.opened(by: ProgramDatabases.current), paths,
            namesCatalog: paths.namesCatalog(option: catalog))
    }

    /// The store of the options as this machine knows it; nil if it does not, or for a store in a
    /// folder.
    func knownDatabase(
        _ paths: StoragePaths, away error: StoreError
    ) throws(StoreError) -> ChosenDatabase? {
        guard let address = try databaseAddress(paths) else { return nil }
        return try ChosenDatabase(of: address, paths, away: error)
    }

    /// Like `openDatabase`, for a command that makes no store. Nil also if there is none.
    func findDatabase(_ paths: StoragePaths) async throws -> ChosenDatabase? {
        guard let address = try databaseAddress(paths),
            let database = try await address.open(by: ProgramDatabases.current, isMade: false)
        else { return nil }
        return try await ChosenDatabase(
            database, paths, namesCatalog: paths.namesCatalog(option: catalog))
    }

    /// The catalog that the person names; else, of a store in a database, the one in force, because
    /// the store is others', too; else the one that is found here.
    func readCatalog(_ paths: StoragePaths, of chosen: ChosenDatabase?) throws -> CatalogReading {
        guard let chosen, let kept = chosen.kept else { return try readCatalog(paths) }
        return CatalogReading(
            kept.catalog, path: chosen.database.address.text, sourceDigest: kept.file)
    }

    /// The store's own, where its catalog is the one in force and the options say nothing else.
    func identity(
        of catalog: Catalog, in chosen: ChosenDatabase?
    ) throws(StoreError) -> AppIdentity {
        guard let known = chosen?.kept?.identity else { return try identity(of: catalog) }
        return try AppIdentity(
            of: catalog, bundleID: bundleID ?? known.bundleID,
            appAppleID: appAppleID ?? known.appAppleID,
            environment: isEnvironmentGiven ? StoreEnvironment(environment) : known.environment)
    }

    /// From `--device`, else from the environment; else, of a store in a database, the one that is
    /// named by this machine.
    ///
    /// - Parameter isMade: whether this machine gets a name if it has none.
    func deviceName(
        _ paths: StoragePaths, in chosen: ChosenDatabase?, isMade: Bool = true
    ) throws(StoreError) -> DeviceName {
        if let name = device ?? paths.environment["STOREFRONT_DEVICE"] { return DeviceName(name) }
        return try chosen?.machine.usualDevice(isMade: isMade) ?? "terminal"
    }
}
