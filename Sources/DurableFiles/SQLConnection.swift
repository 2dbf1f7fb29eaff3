package import Basics
package import Foundation
import GRDB
import GRDBSQLite

/// A row in SQLite. A value of another type is converted as SQLite does (sqlite3_column_int64).
package struct SQLiteRow: SQLRow {
    fileprivate let statement: OpaquePointer

    package func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    package func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    package func uuid(_ column: Int32) -> UUID? {
        guard sqlite3_column_bytes(statement, column) == 16,
            let start = sqlite3_column_blob(statement, column)
        else { return nil }
        return UUID(uuid: start.loadUnaligned(as: uuid_t.self))
    }

    package func data(_ column: Int32) -> Data {
        guard let start = sqlite3_column_blob(statement, column) else { return Data() }
        return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, column)))
    }
}

/// Runs SQL inside one transaction of a `DurableDatabase`; not valid after it. Other targets have
/// no other way to run SQL: none of them imports GRDB.
///
/// GRDB opens the file, and prepares and caches the statements. They then run through SQLite's C
/// interface: through GRDB the fifteen statements of a purchase cost about three times as much
/// (`make bench`: "store purchase (decide, one commit)").
///
/// Errors are GRDB's; the `DurableDatabase` that opened the transaction throws them as
/// `StoreError`.
package struct SQLConnection: SQLTransaction {
    let database: Database

    init(_ database: Database) { self.database = database }

    package var dialect: SQLDialect { .sqlite }

    /// By the last INSERT, UPDATE or DELETE (sqlite3_changes).
    package var changesCount: Int { database.changesCount }

    package func step(
        _ sql: String, _ arguments: [SQLArgument], body: (any SQLRow) throws -> Bool
    ) throws {
        let statement = try database.cachedStatement(sql: sql).sqliteStatement
        // Also after a failure: a statement that is not reset keeps its read transaction open.
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, argument) in arguments.enumerated() {
            try check(argument.bind(to: statement, at: Int32(index + 1)), SQLITE_OK)
        }
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return }
            try check(code, SQLITE_ROW)
            guard try body(SQLiteRow(statement: statement)) else { return }
        }
    }

    private func check(_ code: Int32, _ expected: Int32) throws {
        guard code != expected else { return }
        throw DatabaseError(
            resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
    }
}

extension SQLArgument {
    fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .integer(let value?): return sqlite3_bind_int64(statement, index, value)
        case .flag(let value): return sqlite3_bind_int64(statement, index, value ? 1 : 0)
        case .text(var value?):
            return value.withUTF8 { text in
                text.withMemoryRebound(to: CChar.self) { text in
                    // SQLite binds a null pointer as NULL, not as an empty text.
                    guard let start = text.baseAddress else {
                        return sqlite3_bind_text(statement, index, "", 0, Self.copied)
                    }
                    return sqlite3_bind_text(
                        statement, index, start, Int32(text.count), Self.copied)
                }
            }
        case .bytes(let value): return value.withUnsafeBytes { Self.bind($0, statement, index) }
        case .blob(let value?): return value.withUnsafeBytes { Self.bind($0, statement, index) }
        case .uuid(let value):
            return withUnsafeBytes(of: value.uuid) { Self.bind($0, statement, index) }
        case .integer(nil), .text(nil), .blob(nil): return sqlite3_bind_null(statement, index)
        }
    }

    private static func bind(
        _ bytes: UnsafeRawBufferPointer, _ statement: OpaquePointer, _ index: Int32
    ) -> Int32 {
        // SQLite binds a null pointer as NULL, not as an empty blob.
        guard let start = bytes.baseAddress else {
            return sqlite3_bind_zeroblob(statement, index, 0)
        }
        return sqlite3_bind_blob(statement, index, start, Int32(bytes.count), copied)
    }

    /// SQLITE_TRANSIENT, a macro that Swift cannot import: SQLite copies the value.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
