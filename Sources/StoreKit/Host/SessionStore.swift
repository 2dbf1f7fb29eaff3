#if os(Linux)
#if PostgreSQL
import PostgreSQLLedger
#endif
import Foundation
import StoreEngine
import StoreHost
import StoreModel

/// The store that stays of a session.
enum SessionStore {
    /// Of an app, in a store in a folder.
    static let usualDevice: DeviceName = "app"

    /// - Parameter text: a folder, or an address in a database.
    /// - Returns: the storage, and the name of the app's usual device in it.
    /// - Throws: errors of `DatabaseAddress`, and of opening a store in a database.
    static func storage(
        of text: String
    ) async throws(StoreError) -> (StoreConfiguration.Storage, DeviceName) {
        guard DatabaseAddress.isAddress(text) else { return (.folder(text), usualDevice) }
        let database = try await DatabaseAddress(text).opened(by: databases)
        let machine = try MachineFolder(of: database, in: .current)
        let name = try machine.usualDevice().map { DeviceName("\(usualDevice)-\($0)") }
        return (.database(database, devices: machine.path), name ?? usualDevice)
    }

    /// Nil without the package's trait.
    private static var databases: (any StoreDatabases)? {
        #if PostgreSQL
        PostgreSQLDatabases()
        #else
        nil
        #endif
    }
}
#endif
