import Foundation
import GRDB
import StoreModel

extension DurableDatabase {
    /// Opens a file that cannot be written to. SQLite reads the log through the shared index beside
    /// it. This program leaves both when it closes a database. If one of them is missing, another
    /// program has closed the database and moved the whole log into it; only then SQLite is told
    /// that the file is immutable.
    ///
    /// - Parameter reason: why the file cannot be written to; thrown if it cannot be read either.
    /// - Throws: `storeOlder` for a file of an earlier version, which would have to be migrated.
    static func openToRead(
        _ path: String, _ schema: Schema, readOnly reason: StoreError
    ) throws(StoreError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(DurableLimits.busySecondsMax)
        do {
            let connection = try DatabaseQueue(
                path: hasLog(path) ? path : unchanging(path), configuration: configuration)
            let identity = try connection.inDatabase { try Identity($0) }
            try identity.check(schema, path)
            guard identity.version == schema.version else {
                throw StoreError(.storeOlder, subject: path, found: identity.version)
            }
            return connection
        } catch let error as StoreError { throw error } catch { throw reason }
    }

    private static func hasLog(_ path: String) -> Bool {
        access(path + "-wal", F_OK) == 0 && access(path + "-shm", F_OK) == 0
    }

    /// The URI of a file that SQLite takes for immutable.
    private static func unchanging(_ path: String) -> String {
        let plain = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: "?#%"))
        let escaped = path.addingPercentEncoding(withAllowedCharacters: plain) ?? path
        return "file:" + escaped + "?immutable=1"
    }
}
