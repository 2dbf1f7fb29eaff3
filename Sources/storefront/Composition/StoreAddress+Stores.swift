import SQLLedger
import StoreCatalog
import StoreEngine
import StoreHost
import StoreModel

extension GlobalOptions {
    /// Of the chosen store; without a choice, that of the catalog's app. Throws `ValidationError` in a
    /// customer's shell.
    func storeAddress() throws -> StoreAddress {
        try refuseCustomer()
        let paths = StoragePaths.current
        if let chosen = try paths.chosenStore(option: store) { return chosen }
        let reading = try readCatalog(paths)
        guard let catalog = reading.catalog else { throw BadCatalog(reading: reading) }
        return try paths.store(option: nil, bundleID: identity(of: catalog).bundleID)
    }
}

/// What the commands of `store` do with a whole store. Each call throws `databaseUnsupported` for a
/// database that this program cannot open.
extension StoreAddress {
    /// Throws `databaseUnsupported` already here.
    ///
    /// - Parameter text: as a person gave it.
    init(_ text: String, _ paths: StoragePaths) throws(StoreError) {
        guard !text.isEmpty, let place = try paths.chosenStore(option: text) else {
            throw StoreError(
                .invalidName, subject: "store", found: text,
                expected: "a folder, or postgresql://HOST/DATABASE?store=NAME")
        }
        if case .database(let database) = place { _ = try database.stores }
        self = place
    }

    /// What a person types to have the store dropped.
    var name: String {
        switch self {
        case .folder(let folder): folder.split(separator: "/").last.map(String.init) ?? folder
        case .database(let database): database.store
        }
    }

    /// Whether the devices that bought from the store are here, too.
    var hasDevices: Bool {
        if case .folder = self { true } else { false }
    }

    /// Throws `fileUnreadable` or `invalidName` for a store that is not there.
    ///
    /// - Parameter isMade: whether a store that is not there is made.
    func open(isMade: Bool) async throws(StoreError) -> StoreEnd {
        switch self {
        case .folder(let folder): return try .folder(folder, isMade: isMade)
        case .database(let database):
            guard let found = try await database.stores.open(database, isMade: isMade) else {
                throw StoreError(
                    .invalidName, subject: "store", found: database.store,
                    expected: "the name of a store in \(text)")
            }
            return try .database(found)
        }
    }

    /// Whether there is a store, also one that this program cannot open.
    func isThere() async throws(StoreError) -> Bool {
        switch self {
        case .folder(let folder): try StoreHost.size(ofStoreAt: folder) != nil
        case .database(let database): try await stores().contains { $0.name == database.store }
        }
    }

    /// - Parameter withRoles: throws `unsupported` where there is no database to have them.
    /// - Returns: whether the store is new.
    func create(withRoles: Bool) async throws(StoreError) -> Bool {
        switch self {
        case .folder(let folder):
            guard !withRoles else { throw StoreError(.unsupported, subject: "--roles: \(folder)") }
            let isNew = try StoreHost.size(ofStoreAt: folder) == nil
            _ = try StoreEnd.folder(folder, isMade: true)
            return isNew
        case .database(let database):
            return try await database.stores.create(database, withRoles: withRoles)
        }
    }

    /// All stores of the database; of a folder, the one that it has.
    func stores() async throws(StoreError) -> [ListedStore] {
        switch self {
        case .folder(let folder):
            guard try await isThere() else { return [] }
            return [try await StoreEnd.folder(folder, isMade: false).ledger.listed(as: text)]
        case .database(let database): return try await database.stores.list(database)
        }
    }

    func drop() async throws(StoreError) {
        switch self {
        case .folder(let folder): try StoreHost.drop(storeAt: folder)
        case .database(let database): try await database.stores.drop(database)
        }
    }
}

extension DatabaseAddress {
    fileprivate var stores: any StoreDatabases {
        get throws(StoreError) { try supported(by: ProgramDatabases.current) }
    }
}
