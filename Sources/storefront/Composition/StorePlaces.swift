import SQLLedger
import StoreCatalog
import StoreHost
import StoreModel

/// The stores that the commands of `store` work on, by their addresses.
extension GlobalOptions {
    /// Of the chosen store.
    func storeAddress(_ paths: StoragePaths) throws -> String {
        let reading = try readCatalog(paths)
        guard let catalog = reading.catalog else { throw BadCatalog(reading: reading) }
        return try paths.store(option: store, bundleID: identity(of: catalog).bundleID).text
    }
}

/// A store in a folder, by its address.
struct StorePlace {
    /// Whole: a relative path was completed.
    let address: String

    /// - Parameter text: as a person gave it. Throws `unsupported` for a store in a database.
    init(_ text: String, _ paths: StoragePaths) throws(StoreError) {
        switch try paths.store(option: text, bundleID: "") {
        case .folder(let folder): address = folder
        case .database(let database): throw StoreError(.unsupported, subject: database.text)
        }
    }

    /// What a person types to have it dropped.
    var name: String { address.split(separator: "/").last.map(String.init) ?? address }

    /// - Parameter isMade: whether a store that is not there is made.
    func open(isMade: Bool) throws(StoreError) -> StoreEnd {
        try .folder(address, isMade: isMade)
    }

    /// Whether there is a store.
    func isThere() throws(StoreError) -> Bool { try StoreHost.size(ofStoreAt: address) != nil }

    /// - Parameter withRoles: throws `unsupported` where there is no database to have them.
    func create(withRoles: Bool) throws(StoreError) {
        guard !withRoles else { throw StoreError(.unsupported, subject: "--roles: \(address)") }
        _ = try open(isMade: true)
    }

    /// The stores that are here: a folder has one at most.
    func stores() async throws(StoreError) -> [ListedStore] {
        guard try isThere() else { return [] }
        return [try await open(isMade: false).ledger.listed(as: address)]
    }

    func drop() throws(StoreError) { try StoreHost.drop(storeAt: address) }
}
