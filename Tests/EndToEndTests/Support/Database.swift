import Foundation
import GRDBSQLite

/// Reads the program's databases with SQLite's own C library, without the program.
final class Database {
    struct Failure: Error { var message: String }

    private let handle: OpaquePointer

    init(_ path: String) throws {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        guard code == SQLITE_OK, let opened else {
            sqlite3_close(opened)
            throw Failure(message: "\(path): \(String(cString: sqlite3_errstr(code)))")
        }
        handle = opened
        sqlite3_busy_timeout(handle, 10_000)
    }

    deinit { sqlite3_close(handle) }

    /// Every row, each column as text; NULL is empty, bytes are hexadecimal.
    @discardableResult func rows(_ sql: String) throws -> [[String]] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
            throw failure(sql)
        }
        defer { sqlite3_finalize(statement) }
        var rows: [[String]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW:
                rows.append((0..<sqlite3_column_count(statement)).map { text(statement, $0) })
            case SQLITE_DONE: return rows
            default: throw failure(sql)
            }
        }
    }

    /// The first number of the result, such as a count; 0 for no row.
    func number(_ sql: String) throws -> Int {
        try rows(sql).first?.first.flatMap { Int($0) } ?? 0
    }

    private func text(_ statement: OpaquePointer?, _ column: Int32) -> String {
        if sqlite3_column_type(statement, column) == SQLITE_BLOB,
            let bytes = sqlite3_column_blob(statement, column)
        {
            let count = Int(sqlite3_column_bytes(statement, column))
            return UnsafeRawBufferPointer(start: bytes, count: count)
                .map { String(format: "%02x", $0) }.joined()
        }
        return sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
    }

    private func failure(_ sql: String) -> Failure {
        Failure(message: "\(String(cString: sqlite3_errmsg(handle))) in \(sql)")
    }

    /// The whole content, for comparison, without the feed cursor, which every launch may move.
    static func dump(_ path: String) throws -> String {
        let database = try Database(path)
        let tables = try database.rows("SELECT name, sql FROM sqlite_master ORDER BY name")
        var lines: [String] = []
        for table in tables where table[1].hasPrefix("CREATE TABLE") {
            lines.append(table[1])
            lines += try database.rows("SELECT * FROM \"\(table[0])\"")
                // A device that reads the store records how far it has read, and keeps the answers.
                .filter { $0.first != "cursor" && $0.first?.hasPrefix("kept:") != true }
                .map { $0.joined(separator: "|") }.sorted()
        }
        return lines.joined(separator: "\n")
    }
}
