package import Foundation
import GRDB
import GRDBSQLite

/// What a question mark stands for; nil is NULL.
package enum SQLArgument: Sendable {
    case integer(Int64?)
    case flag(Bool)
    case text(String?)
    case bytes([UInt8])
    case blob(Data?)
    /// As its sixteen bytes.
    case uuid(UUID)
}

/// A row of a statement that is being read; good only while it is.
package struct SQLRow {
    fileprivate let statement: OpaquePointer

    package func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement, column) == SQLITE_NULL
    }

    package func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    package func flag(_ column: Int32) -> Bool { integer(column) != 0 }

    package func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Sixteen bytes; nil if they are not.
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

    package func integerIfAny(_ column: Int32) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    package func textIfAny(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}

/// A database inside one open read or write, and no longer: what everybody else says SQL with.
///
/// GRDB opens the file and prepares and keeps the statements; they are then driven through SQLite's
/// own interface, since GRDB's arguments and rows, which can do much more, cost several times what
/// such a statement costs itself. No other target sees GRDB.
package struct SQLConnection {
    let database: Database

    init(_ database: Database) { self.database = database }

    /// Runs a statement that answers nothing.
    package func execute(_ sql: String, _ arguments: SQLArgument...) throws {
        try step(sql, arguments) { _ in false }
    }

    /// Rows the last statement that was executed has changed.
    package var changesCount: Int { database.changesCount }

    /// The first row, as `read` understands it; nil if there is none.
    package func fetchOne<Value>(
        _ sql: String, _ arguments: SQLArgument..., read: (SQLRow) throws -> Value
    ) throws -> Value? {
        var value: Value?
        try step(sql, arguments) { row in
            value = try read(row)
            return false
        }
        return value
    }

    /// All rows.
    package func fetchAll<Value>(
        _ sql: String, _ arguments: SQLArgument..., read: (SQLRow) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try step(sql, arguments) { row in
            values.append(try read(row))
            return true
        }
        return values
    }

    /// Gives rows to `take` until it answers false.
    private func step(
        _ sql: String, _ arguments: [SQLArgument], take: (SQLRow) throws -> Bool
    ) throws {
        let statement = try database.cachedStatement(sql: sql).sqliteStatement
        // Also after a failure: a statement that is not reset keeps its read open.
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
            guard try take(SQLRow(statement: statement)) else { return }
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
                    // No address would make it NULL.
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
        // No address would make it NULL.
        guard let start = bytes.baseAddress else {
            return sqlite3_bind_zeroblob(statement, index, 0)
        }
        return sqlite3_bind_blob(statement, index, start, Int32(bytes.count), copied)
    }

    /// SQLITE_TRANSIENT, a macro Swift cannot see: SQLite makes a copy of its own.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}
