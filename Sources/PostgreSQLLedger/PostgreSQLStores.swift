#if PostgreSQL
import Basics
import Foundation
import SQLLedger
package import StoreEngine
package import StoreModel

/// The stores of a database: one schema each.
package struct PostgreSQLStores {
    private let connection: PostgreSQLConnection
    private let place: String

    /// Throws `storeUnreachable`, and `storeUnreadable` for a server that is too old or a database of
    /// another encoding.
    package init(_ address: PostgreSQLAddress) throws(StoreError) {
        do {
            connection = try PostgreSQLConnection(address)
            _ = try PostgreSQLSettings(beginning: connection, schema: "pg_catalog")
        } catch { throw StoreError(postgreSQL: error, place: address.place) }
        place = address.place
    }

    private func reporting<Value>(_ work: () throws -> Value) throws(StoreError) -> Value {
        do { return try work() } catch { throw StoreError(postgreSQL: error, place: place) }
    }

    /// In order of their names.
    package func list() throws(StoreError) -> [ListedStore] {
        try reporting {
            let found = try connection.rows(
                """
                SELECT nspname::text, CASE WHEN has_schema_privilege(nspname, 'USAGE')
                  AND has_table_privilege(pg_class.oid, 'SELECT') THEN 1 ELSE 0 END
                FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                WHERE relname = 'storefront_ledger' AND relkind = 'r'
                ORDER BY nspname::text COLLATE "C"
                """)
            return try found.compactMap { row in
                guard row.flag(1) else { return ListedStore(name: row.text(0)) }
                do { return try store(row.text(0)) } catch let failure as PostgreSQLFailure {
                    guard !failure.isLost else { throw failure }
                    return nil
                } catch {
                    // It has rows that are no entries, which its own commands tell.
                    return ListedStore(name: row.text(0))
                }
            }
        }
    }

    /// Nil if the table of that name is another program's.
    private func store(_ schema: String) throws -> ListedStore? {
        let name = PostgreSQLText.identifier(schema)
        let row = try connection.rows(
            """
            SELECT application, version, \(ListedStore.columns(name + ".entries"))
            FROM \(name).storefront_ledger
            """
        ).first
        guard let row, row.integer(0) == Int64(LedgerTables.applicationID) else { return nil }
        return try ListedStore(name: schema, version: row.integer(1), row, from: 2)
    }

    /// Makes a store's tables where there are none.
    ///
    /// - Parameter withRoles: also makes the roles of `PostgreSQLRole`, or gives those that are there
    ///   the rights of this version.
    /// - Returns: whether the store is new.
    /// - Throws: errors of opening a ledger; `invalidName` for a name that is too long, or where the
    ///   server has a role of that name that is not this store's.
    @discardableResult
    package func create(_ schema: String, withRoles: Bool = false) throws(StoreError) -> Bool {
        try check(schema, withRoles: withRoles)
        return try reporting {
            let isNew = try !PostgreSQLSchema.isThere(schema, connection)
            try connection.run(
                "SELECT set_config('search_path', ?, false)",
                [.text(PostgreSQLText.identifier(schema))], isKept: false)
            let format = try PostgreSQLSchema.open(schema, on: connection)
            if withRoles { try inTransaction { try makeRoles(schema, format) } }
            return isNew
        }
    }

    private func check(_ schema: String, withRoles: Bool) throws(StoreError) {
        guard !schema.isEmpty, schema.utf8.count <= PostgreSQLLimits.nameMax,
            !schema.utf8.contains(0), !schema.hasPrefix("pg_")
        else {
            throw StoreError(
                .invalidName, subject: "store", found: schema,
                expected: "1 to \(PostgreSQLLimits.nameMax) bytes, and no pg_ in front")
        }
        if withRoles { try PostgreSQLRole.check(schema) }
    }

    /// Removes a store, its roles and everything in its schema. Programs that have it open get
    /// `storeReplaced`.
    ///
    /// - Throws: `invalidName` if there is no such store; `storeUnreadable` for another program's
    ///   schema; `storeReadOnly` for a role that may not; `storeBusy` while a program keeps the lock.
    package func drop(_ schema: String) throws(StoreError) {
        try reporting {
            guard try PostgreSQLSchema.isThere(schema, connection) else {
                throw StoreError(
                    .invalidName, subject: "store", found: schema,
                    expected: "the name of a store in \(place)")
            }
            try inTransaction {
                let name = PostgreSQLText.identifier(schema)
                let format = try LedgerFormat(
                    connection.run(
                        "SELECT application, version, id FROM \(name).storefront_ledger",
                        isKept: false))
                guard format.application == Int64(LedgerTables.applicationID) else {
                    throw LedgerFormat.foreign
                }
                try connection.queue("SELECT pg_advisory_xact_lock(?)", [.integer(format.lock)])
                try connection.queue("DROP SCHEMA \(name) CASCADE", isKept: false)
                for role in PostgreSQLRole.allCases {
                    let purpose = purpose(of: role, schema, format)
                    guard try known(role.name(of: schema)) == purpose else { continue }
                    let role = PostgreSQLText.identifier(role.name(of: schema))
                    try connection.queue("DROP ROLE \(role)", isKept: false)
                }
            }
        }
    }

    // MARK: - Roles

    private func makeRoles(_ schema: String, _ format: LedgerFormat) throws {
        let place = PostgreSQLText.identifier(schema)
        for role in PostgreSQLRole.allCases {
            let name = role.name(of: schema)
            let purpose = purpose(of: role, schema, format)
            let quoted = PostgreSQLText.identifier(name)
            switch try known(name) {
            case nil:
                try connection.queue("CREATE ROLE \(quoted) NOLOGIN", isKept: false)
                try connection.queue(
                    "COMMENT ON ROLE \(quoted) IS \(PostgreSQLText.literal(purpose))",
                    isKept: false)
            case purpose: break
            default:
                throw StoreError(
                    .invalidName, subject: "role", found: name,
                    expected: "a name that no other role of the server has")
            }
            try connection.queue("GRANT USAGE ON SCHEMA \(place) TO \(quoted)", isKept: false)
        }
        let tables = try connection.rows(
            """
            SELECT relname::text FROM pg_class
            JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE nspname = ? AND relkind = 'r' ORDER BY relname
            """, [.text(schema)]
        ).map { $0.text(0) }
        for table in tables {
            for role in PostgreSQLRole.allCases {
                for sql in role.grants(on: table, in: schema) {
                    try connection.queue(sql, isKept: false)
                }
            }
        }
        for sql in PostgreSQLRole.checks(in: schema) { try connection.queue(sql, isKept: false) }
    }

    /// Of a role that was made for this store, in its comment: another store of the server may have
    /// the same name.
    private func purpose(
        of role: PostgreSQLRole, _ schema: String, _ format: LedgerFormat
    ) -> String {
        "storefront: \(role.rawValue) of the store \(schema), \(format.id.uuidString)"
    }

    /// The comment of a role, empty without one; nil if there is no such role.
    private func known(_ role: String) throws -> String? {
        try connection.rows(
            """
            SELECT coalesce(shobj_description(oid, 'pg_authid'), '')::text FROM pg_roles
            WHERE rolname = ?
            """, [.text(role)]
        ).first?.text(0)
    }

    private func inTransaction(_ work: () throws -> Void) throws {
        try connection.begin()
        do {
            try work()
            // A warning of a statement is not one of the commit.
            _ = try connection.answer()
            try connection.commit()
        } catch {
            connection.rollBack()
            throw error
        }
    }
}
#endif
