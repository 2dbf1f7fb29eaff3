import Foundation
import GRDBSQLite

/// The baseline of all durable writes: one table, written through SQLite's C interface with the
/// store's settings (WAL, synchronous=FULL).
final class BareDatabase {
    private var connection: OpaquePointer?
    private var insert: OpaquePointer?
    private var counter: Int64 = 0

    init(folder: String) {
        sqlite3_open(folder + "/bare.sqlite", &connection)
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = FULL")
        run("PRAGMA wal_autocheckpoint = 4000")
        run("CREATE TABLE rows (id INTEGER PRIMARY KEY, body BLOB)")
        sqlite3_prepare_v2(
            connection, "INSERT INTO rows VALUES (?, zeroblob(400))", -1, &insert, nil)
    }

    deinit {
        sqlite3_finalize(insert)
        sqlite3_close(connection)
    }

    func commit(_ times: Int) {
        for _ in 0..<times { step() }
    }

    func commitTogether(_ rows: Int) {
        run("BEGIN IMMEDIATE")
        for _ in 0..<rows { step() }
        run("COMMIT")
    }

    private func step() {
        counter += 1
        sqlite3_bind_int64(insert, 1, counter)
        let result = sqlite3_step(insert)
        precondition(result == SQLITE_DONE, "the baseline's own commit failed")
        sqlite3_reset(insert)
    }

    private func run(_ sql: String) {
        let result = sqlite3_exec(connection, sql, nil, nil, nil)
        precondition(result == SQLITE_OK, "the baseline's own statement failed: \(sql)")
    }
}
