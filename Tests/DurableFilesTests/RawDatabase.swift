import GRDBSQLite

/// Opens an SQLite file without the program's code, as another program would.
final class RawDatabase {
    struct Failure: Error { var message: String }
    private let connection: OpaquePointer

    init(_ path: String) throws {
        var opened: OpaquePointer?
        guard sqlite3_open(path, &opened) == SQLITE_OK, let opened else {
            throw Failure(message: "open \(path)")
        }
        connection = opened
    }

    deinit { sqlite3_close_v2(connection) }

    func run(_ sql: String) throws { _ = try texts(sql) }

    /// The first column of every row.
    func texts(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
            throw failure
        }
        defer { sqlite3_finalize(statement) }
        var found: [String] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                found.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
            case SQLITE_DONE: return found
            default: throw failure
            }
        }
    }

    private var failure: Failure { Failure(message: String(cString: sqlite3_errmsg(connection))) }
}
