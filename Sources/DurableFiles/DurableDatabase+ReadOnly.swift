import Foundation
import GRDB
import StoreModel

extension DurableDatabase {
    /// Opens a file that cannot be written to. SQLite reads the log through the shared index beside
    /// it. This program leaves both when it closes a database. If one of them is missing, another
    /// program has closed the database and moved the whole log into it; only then SQLite is told
    /// that the file is immutable. Of a file of an earlier version a copy is opened, as of now.
    ///
    /// - Parameter reason: why the file cannot be written to; thrown if it cannot be read either.
    static func openToRead(
        _ path: String, _ schema: Schema, readOnly reason: StoreError, _ progress: MigrationProgress
    ) throws(StoreError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(DurableLimits.busySecondsMax)
        do {
            let connection = try DatabaseQueue(
                path: hasLog(path) ? path : unchanging(path), configuration: configuration)
            let identity = try connection.inDatabase { try Identity($0) }
            try identity.check(schema, path)
            guard identity.version < schema.version else { return connection }
            return try migrated(connection, from: identity.version, to: schema, progress)
        } catch let error as StoreError { throw error } catch { throw reason }
    }

    /// A copy in a temporary file of SQLite's, which ends with the connection.
    private static func migrated(
        _ old: DatabaseQueue, from version: Int, to schema: Schema, _ progress: MigrationProgress
    ) throws -> DatabaseQueue {
        let copy = try DatabaseQueue(path: "")
        switch schema.upgrade {
        case .steps(let migrations):
            try old.backup(to: copy)
            try copy.inDatabase { db in
                for step in migrations where step.version > version {
                    try step.run(SQLConnection(db))
                }
            }
        case .rebuilt(let create, let rebuild):
            try old.read { old in
                try copy.inDatabase { db in
                    try db.inTransaction {
                        try create(SQLConnection(db))
                        try rebuild.run(
                            Rebuild.Work(
                                old: SQLConnection(old), new: SQLConnection(db),
                                oldVersion: version,
                                onProgress: { progress.report(done: $0, of: $1) }))
                        return .commit
                    }
                }
            }
        }
        try copy.inDatabase { try $0.execute(sql: "PRAGMA query_only = 1") }
        return copy
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
