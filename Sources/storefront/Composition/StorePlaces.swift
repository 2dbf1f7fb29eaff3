import SQLLedger
import StoreCatalog
import StoreEngine
import StoreHost
import StoreModel

/// The stores that the commands of `store` work on, by their addresses.
extension GlobalOptions {
    /// Of the chosen store; without a choice, that of the catalog's app.
    func storeAddress(_ paths: StoragePaths) throws -> StoreAddress {
        if let chosen = try paths.chosenStore(option: store) { return chosen }
        let reading = try readCatalog(paths)
        guard let catalog = reading.catalog else { throw BadCatalog(reading: reading) }
        return try paths.store(option: nil, bundleID: identity(of: catalog).bundleID)
    }
}

/// A place for a store, in a folder or in a database.
struct StorePlace {
    private enum Kind {
        case folder(String)
        case database(DatabaseAddress, any StoreDatabases)
    }

    private let kind: Kind
    /// Whole: a relative path was completed.
    let address: String

    /// Throws `databaseUnsupported` for a database that this program cannot open.
    init(_ place: StoreAddress) throws(StoreError) {
        kind =
            switch place {
            case .folder(let folder): .folder(folder)
            case .database(let database):
                try .database(database, database.supported(by: ProgramDatabases.current))
            }
        address = place.text
    }

    /// - Parameter text: as a person gave it.
    init(_ text: String, _ paths: StoragePaths) throws(StoreError) {
        guard !text.isEmpty, let place = try paths.chosenStore(option: text) else {
            throw StoreError(
                .invalidName, subject: "store", found: text,
                expected: "a folder, or postgresql://HOST/DATABASE?store=NAME")
        }
        try self.init(place)
    }

    /// What a person types to have it dropped.
    var name: String {
        switch kind {
        case .folder(let folder): folder.split(separator: "/").last.map(String.init) ?? folder
        case .database(let database, _): database.store
        }
    }

    /// Whether the devices that bought from the store are here, too.
    var hasDevices: Bool {
        switch kind {
        case .folder: true
        case .database: false
        }
    }

    /// Throws `fileUnreadable` or `invalidName` for a store that is not there.
    ///
    /// - Parameter isMade: whether a store that is not there is made.
    func open(isMade: Bool) async throws(StoreError) -> StoreEnd {
        switch kind {
        case .folder(let folder): return try .folder(folder, isMade: isMade)
        case .database(let database, let databases):
            guard let found = try await databases.open(database, isMade: isMade) else {
                throw StoreError(
                    .invalidName, subject: "store", found: database.store,
                    expected: "the name of a store in \(address)")
            }
            return try .database(found)
        }
    }

    /// Whether there is a store, also one that this program cannot open.
    func isThere() async throws(StoreError) -> Bool {
        switch kind {
        case .folder(let folder): try StoreHost.size(ofStoreAt: folder) != nil
        case .database(let database, _): try await stores().contains { $0.name == database.store }
        }
    }

    /// - Parameter withRoles: throws `unsupported` where there is no database to have them.
    /// - Returns: whether the store is new.
    func create(withRoles: Bool) async throws(StoreError) -> Bool {
        switch kind {
        case .folder(let folder):
            guard !withRoles else { throw StoreError(.unsupported, subject: "--roles: \(folder)") }
            let isNew = try StoreHost.size(ofStoreAt: folder) == nil
            _ = try StoreEnd.folder(folder, isMade: true)
            return isNew
        case .database(let database, let databases):
            return try await databases.create(database, withRoles: withRoles)
        }
    }

    /// All stores of the database; of a folder, the one that it has.
    func stores() async throws(StoreError) -> [ListedStore] {
        switch kind {
        case .folder(let folder):
            guard try await isThere() else { return [] }
            return [
                try await StoreEnd.folder(folder, isMade: false).ledger.listed(as: address)
            ]
        case .database(let database, let databases): return try await databases.list(database)
        }
    }

    func drop() async throws(StoreError) {
        switch kind {
        case .folder(let folder): try StoreHost.drop(storeAt: folder)
        case .database(let database, let databases): try await databases.drop(database)
        }
    }
}
