import DurableFiles
import Foundation
package import SQLLedger
import SQLiteLedger
import StoreEngine
package import StoreModel
import StoreSigning

/// A store of which a copy is made, or that one is made in: its ledger, without an engine.
package struct StoreEnd: Sendable {
    /// As a person names it; never with a password.
    package let address: String
    package let ledger: any LedgerInTables
    /// Nil for a store in a database.
    package let folder: String?

    package init(address: String, ledger: any LedgerInTables, folder: String? = nil) {
        self.address = address
        self.ledger = ledger
        self.folder = folder
    }

    /// Opens the store of a folder.
    ///
    /// - Parameter isMade: whether a store that is not there is made.
    /// - Throws: `fileUnreadable` for a store that is neither there nor made; `notAStore`; errors of
    ///   `StoreHost.open`.
    package static func folder(_ path: String, isMade: Bool) throws(StoreError) -> StoreEnd {
        try StoreHost.refuseOtherFolder(path)
        let file = path + "/store.sqlite"
        if !isMade {
            guard access(file, F_OK) == 0 else {
                throw StoreError(
                    .fileUnreadable, subject: file, cause: String(cString: strerror(errno)))
            }
        }
        try PrivateFolder.make(path)
        try PrivateFolder.refuseNetwork(path)
        try PrivateFolder.refuseLinks(
            ["keys/chain", "keys/offers", "packages/manifests"], in: path)
        return StoreEnd(address: path, ledger: try SQLiteLedger(path: file), folder: path)
    }
}

extension StoreHost {
    /// What a store in a folder keeps beside its ledger and its devices, and a copy of it, too.
    private static let copied = ["keys", "packages"]

    /// Copies a store, with its keys and packages where both are in folders; devices stay where they
    /// are. Goes on with a copy that was interrupted.
    ///
    /// - Parameters:
    ///   - epoch: of a copy that sells beside its store; nil to close the store, which goes on in the
    ///     copy.
    ///   - onStep: called after each step; what it throws ends the work there.
    /// - Returns: the number of entries of the copy.
    /// - Throws: errors of `LedgerCopy.run` and of copying files.
    package static func copy(
        _ source: StoreEnd, to target: StoreEnd, epoch: Int64?,
        onStep: @escaping @Sendable (LedgerCopy.Step) throws(StoreError) -> Void
    ) async throws(StoreError) -> Int64 {
        guard source.address != target.address else {
            throw StoreError(.storeExists, subject: target.address)
        }
        let copy = LedgerCopy(
            of: .init(source.ledger, at: source.address),
            to: .init(target.ledger, at: target.address),
            epoch.map { .copy(epoch: $0) } ?? .move, onStep: onStep)
        // The keys first: a copy that sells has them.
        try await copy.check()
        if let from = source.folder, let to = target.folder {
            for name in copied { try copyFiles(name, from: from, to: to) }
        }
        return try await copy.run()
    }

    /// All of it, or nothing: a folder that is there already was copied whole.
    private static func copyFiles(
        _ name: String, from source: String, to target: String
    ) throws(StoreError) {
        let (old, new, begun) = (
            "\(source)/\(name)", "\(target)/\(name)", "\(target)/\(name).incoming"
        )
        guard access(old, F_OK) == 0, access(new, F_OK) != 0 else { return }
        do {
            try? FileManager.default.removeItem(atPath: begun)
            try FileManager.default.copyItem(atPath: old, toPath: begun)
        } catch {
            throw StoreError(.storeReadOnly, subject: begun, cause: error.localizedDescription)
        }
        sync()
        guard rename(begun, new) == 0 else { throw StoreError(errno: errno, path: new) }
        sync()
    }

    /// Removes a store in a folder, with its keys, packages and devices.
    ///
    /// - Throws: `fileUnreadable` if there is none; `storeBusy` while a process has it open.
    package static func drop(storeAt folder: String) throws(StoreError) {
        try refuseOtherFolder(folder)
        guard access(folder + "/store.sqlite", F_OK) == 0 else {
            throw StoreError(
                .fileUnreadable, subject: folder + "/store.sqlite",
                cause: String(cString: strerror(errno)))
        }
        try empty(storeAt: folder)
        try remove(folder + "/keys")
        try remove(folder + "/store.sqlite.lock")
        // Another file in the folder keeps it.
        rmdir(folder)
    }
}
