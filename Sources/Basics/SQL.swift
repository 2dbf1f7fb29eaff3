package import Foundation

/// The value of a parameter of a statement; nil is NULL.
package enum SQLArgument: Hashable, Sendable {
    case integer(Int64?)
    /// An integer, 0 or 1.
    case flag(Bool)
    case text(String?)
    case bytes([UInt8])
    case blob(Data?)
    /// Its sixteen bytes.
    case uuid(UUID)
}

/// The current row of a statement; valid only inside the closure it is passed to. Columns count
/// from 0.
package protocol SQLRow {
    /// Whether the column is NULL.
    func isNull(_ column: Int32) -> Bool
    /// 0 for NULL.
    func integer(_ column: Int32) -> Int64
    /// Empty for NULL.
    func text(_ column: Int32) -> String
    /// Nil for NULL and for bytes of another length.
    func uuid(_ column: Int32) -> UUID?
    /// A copy; empty for NULL.
    func data(_ column: Int32) -> Data
}

extension SQLRow {
    /// False for NULL.
    package func flag(_ column: Int32) -> Bool { integer(column) != 0 }

    /// Nil for NULL.
    package func integerIfAny(_ column: Int32) -> Int64? {
        isNull(column) ? nil : integer(column)
    }

    package func textIfAny(_ column: Int32) -> String? { isNull(column) ? nil : text(column) }
}

/// The kind of SQL that a database understands.
package enum SQLDialect: Sendable {
    case sqlite, postgreSQL
}

/// Runs statements inside one open transaction of a database; not valid after it.
///
/// Statements are cached by their text: a closure that reads rows must not run the same text again,
/// and arguments of a text have the same types each time.
package protocol SQLTransaction {
    /// Of the database.
    var dialect: SQLDialect { get }

    /// Runs a statement, whose parameters are `?`, in order, or `?1`, `?2`… Passes its rows to
    /// `body`, in the query's order, until that returns false.
    func step(
        _ sql: String, _ arguments: [SQLArgument], body: (any SQLRow) throws -> Bool
    ) throws

    /// Runs a query once for each list of arguments, and passes each row with the index of its
    /// list. A database may be asked all of them at once.
    func step(
        _ sql: String, each lists: [[SQLArgument]], body: (Int, any SQLRow) throws -> Void
    ) throws

    /// Announces queries that will be run before anything is written: `body` runs them as the work that
    /// follows will. A database may then ask them together, and gives `body` no rows.
    func expect(_ body: (any SQLTransaction) throws -> Void) throws

    /// Runs a statement that returns no rows. A database may report an error of it only with the
    /// next query, or with the commit.
    func run(_ sql: String, _ arguments: [SQLArgument]) throws
}

extension SQLTransaction {
    package func run(_ sql: String, _ arguments: [SQLArgument]) throws {
        try step(sql, arguments) { _ in false }
    }

    package func expect(_ body: (any SQLTransaction) throws -> Void) throws {}

    package func step(
        _ sql: String, each lists: [[SQLArgument]], body: (Int, any SQLRow) throws -> Void
    ) throws {
        for (index, arguments) in lists.enumerated() {
            try step(sql, arguments) { row in
                try body(index, row)
                return true
            }
        }
    }

    /// For a statement that returns no rows.
    package func execute(_ sql: String, _ arguments: SQLArgument...) throws {
        try run(sql, arguments)
    }

    /// Nil if there is no row.
    package func fetchOne<Value>(
        _ sql: String, _ arguments: SQLArgument..., read: (any SQLRow) throws -> Value
    ) throws -> Value? {
        var value: Value?
        try step(sql, arguments) { row in
            value = try read(row)
            return false
        }
        return value
    }

    /// The first row for each list of arguments, in their order; nil where there is none.
    package func fetchOne<Value>(
        _ sql: String, each lists: [[SQLArgument]], read: (any SQLRow) throws -> Value
    ) throws -> [Value?] {
        var values = [Value?](repeating: nil, count: lists.count)
        try step(sql, each: lists) { index, row in
            if values[index] == nil { values[index] = try read(row) }
        }
        return values
    }

    /// In the query's order.
    package func fetchAll<Value>(
        _ sql: String, _ arguments: SQLArgument..., read: (any SQLRow) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        try step(sql, arguments) { row in
            values.append(try read(row))
            return true
        }
        return values
    }
}
