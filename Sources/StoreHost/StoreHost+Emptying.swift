import Basics
import DurableFiles
import Foundation
import StoreEngine
package import StoreModel

extension StoreHost {
    /// The folders beside the ledger that are emptied with it. The keys stay: what trusts the
    /// store's root certificate, such as an app's own server, need not be told of a new one.
    private static let folders = ["devices", "packages"]

    /// The bytes of a store's files; nil if the folder has no store.
    package static func size(ofStoreAt folder: String) throws(StoreError) -> Int64? {
        try refuseOtherFolder(folder)
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
            .filter { folders.contains($0) || $0.hasPrefix("store.sqlite") }
        // An emptied store leaves the file of its lock.
        guard names.contains(where: { $0 != "store.sqlite.lock" }) else { return nil }
        return names.reduce(0 as Int64) { $0 + bytes(at: folder + "/" + $1) }
    }

    private static func bytes(at path: String) -> Int64 {
        let inside = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String }
        return ([path] + (inside ?? []).map { path + "/" + $0 }).reduce(0) { sum, path in
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return sum }
            return sum + Int64(status.st_size)
        }
    }

    /// Removes a store's ledger, packages and devices, and the log of its servers' requests. Its keys
    /// and other files in the folder stay. A kill in between leaves a store that can be emptied again.
    ///
    /// - Throws: `storeBusy` with its name while a process has the store open; then nothing is
    ///   removed.
    package static func empty(storeAt folder: String) throws(StoreError) {
        try PrivateFolder.make(folder)
        // The devices first: they would be ahead of a new ledger.
        try DurableDatabase.remove(folder + "/store.sqlite") { () throws(StoreError) in
            for name in folders { try remove(folder + "/" + name) }
            try PrivateFolder.refuseLinks([RequestLog.folderName], in: folder)
            for name in [RequestLog.fileName, RequestLog.olderName] {
                try remove("\(folder)/\(RequestLog.folderName)/\(name)")
            }
        }
    }

    /// Throws `unsupported` for a store in a database, which is others', too; else as
    /// `empty(storeAt:)`.
    package func empty() throws(StoreError) {
        if let database { throw StoreError(.unsupported, subject: database.address.text) }
        try Self.empty(storeAt: folder)
    }

    static func remove(_ path: String) throws(StoreError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        do { try FileManager.default.removeItem(atPath: path) } catch {
            throw StoreError(.storeReadOnly, subject: path, cause: systemMessage(of: error))
        }
    }
}
