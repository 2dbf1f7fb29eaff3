import DurableFiles
import Foundation
package import SQLLedger
import SQLiteLedger
import StoreCatalog
package import StoreEngine
package import StoreModel
import StoreSigning

/// A store of which a copy is made, or that one is made in: its ledger, without an engine, and what
/// it keeps beside that.
package struct StoreEnd: Sendable {
    /// As a person names it; never with a password.
    package let address: String
    package let ledger: any LedgerInTables
    let keys: any KeyStorage
    let packages: PackagePlace
    /// Nil for a store in a database.
    let folder: String?
    /// The same for every spelling of the address.
    let place: String

    /// Opens the store of a folder.
    ///
    /// - Parameter isMade: whether a store that is not there is made.
    /// - Throws: `fileUnreadable` for a store that is neither there nor made; `notAStore`; errors of
    ///   `StoreHost.open`.
    package static func folder(_ path: String, isMade: Bool) throws(StoreError) -> StoreEnd {
        try StoreHost.refuseOtherFolder(path)
        if !isMade { try StoreHost.refuseMissing(path) }
        try PrivateFolder.make(path)
        try StoreHost.refuseUnsafe(path)
        var status = stat()
        guard stat(path, &status) == 0 else { throw StoreError(errno: errno, path: path) }
        return StoreEnd(
            address: path, ledger: try SQLiteLedger(path: path + "/store.sqlite"),
            keys: FolderKeys(path: path + "/keys"),
            packages: .folder(PackageFiles(folder: path + "/packages")), folder: path,
            place: "\(status.st_dev) \(status.st_ino)")
    }

    /// Throws `unsupported` for a database that keeps the ledger in other tables.
    package static func database(_ database: StoreDatabase) throws(StoreError) -> StoreEnd {
        guard let ledger = database.ledger as? any LedgerInTables else {
            throw StoreError(.unsupported, subject: database.address.text)
        }
        return StoreEnd(
            address: database.address.text, ledger: ledger, keys: database.attachments,
            packages: .database(database.attachments), folder: nil,
            place: database.id.uuidString)
    }
}
