#if PostgreSQL
import Basics
import Foundation
import SQLLedger
import StoreModel

/// The one row of `storefront_ledger`, by which a schema tells that it is a ledger, and of which
/// version.
struct LedgerFormat: Equatable {
    var application: Int64
    var version: Int64
    /// Random, made with the tables.
    var id: UUID

    static let query = "SELECT application, version, id FROM storefront_ledger"

    /// Throws `storeUnreadable` for an answer to `query` that is no such row.
    init(_ result: PostgreSQLResult) throws {
        let damage = PostgreSQLDamage()
        guard result.count == 1 else { throw Self.foreign }
        let row = PostgreSQLRow(result: result, row: 0, damage: damage)
        application = row.integer(0)
        version = row.integer(1)
        try damage.check()
        guard let id = row.uuid(2) else { throw Self.foreign }
        self.id = id
    }

    static var foreign: StoreError {
        StoreError(.storeUnreadable, found: "another program's tables")
    }

    /// Throws `storeUnreadable` for another program's tables, `storeNewer` for those of a newer
    /// version, `storeOlder` for those of one from before the first on PostgreSQL.
    func check() throws {
        guard application == Int64(LedgerTables.applicationID) else { throw Self.foreign }
        let known = Int64(LedgerTables.version)
        guard version <= known else {
            throw StoreError(.storeNewer, found: version, expected: "at most \(known)")
        }
        guard version == known else { throw StoreError(.storeOlder, found: version) }
    }

    /// The number of the lock that every append holds: one for each store of a server.
    var lock: Int64 {
        withUnsafeBytes(of: id.uuid) { $0.loadUnaligned(as: Int64.self).littleEndian }
    }

    /// Of notifications: the name needs no quotes.
    var channel: String { "storefront_" + HexText.of(withUnsafeBytes(of: id.uuid) { Data($0) }) }
}

/// Finds a store's tables in their schema, or creates them.
enum PostgreSQLSchema {
    /// Safe in several processes at the same time: those that find no tables take turns under a
    /// lock.
    static func open(_ schema: String, on connection: PostgreSQLConnection) throws -> LedgerFormat {
        if try isThere(schema, connection) { return try readFormat(connection) }
        try connection.begin()
        try connection.queue(
            "SELECT pg_advisory_xact_lock(?::int, hashtext(?))",
            [.integer(Int64(LedgerTables.applicationID)), .text(schema)], isKept: false)
        if try !isThere(schema, connection) {
            try refuseForeign(schema, connection)
            try create(schema, connection)
        }
        let format = try readFormat(connection)
        try connection.commit()
        return format
    }

    /// Of tables that are there.
    private static func readFormat(_ connection: PostgreSQLConnection) throws -> LedgerFormat {
        do {
            let format = try LedgerFormat(connection.run(LedgerFormat.query))
            try format.check()
            return format
        } catch let failure as PostgreSQLFailure where failure.state == "42P01" {
            // To a role without rights in a schema its tables are as if they did not exist.
            throw PostgreSQLFailure(state: "42501", message: failure.message)
        }
    }

    static func isThere(
        _ schema: String, _ connection: PostgreSQLConnection
    ) throws -> Bool {
        try count(
            """
            SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE nspname = ? AND relname = 'storefront_ledger'
            """, schema, connection) > 0
    }

    /// Throws `storeUnreadable` for a schema that has tables of something else.
    private static func refuseForeign(
        _ schema: String, _ connection: PostgreSQLConnection
    ) throws {
        let tables = try count(
            """
            SELECT count(*) FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
            WHERE nspname = ?
            """, schema, connection)
        guard tables == 0 else { throw LedgerFormat.foreign }
    }

    private static func count(
        _ sql: String, _ schema: String, _ connection: PostgreSQLConnection
    ) throws -> Int64 {
        try connection.rows(sql, [.text(schema)]).first?.integer(0) ?? 0
    }

    private static func create(_ schema: String, _ connection: PostgreSQLConnection) throws {
        let name = PostgreSQLText.identifier(schema)
        let creations = LedgerTables.statements.map { PostgreSQLText.creation($0) }
        for sql in ["CREATE SCHEMA IF NOT EXISTS \(name)"] + creations + additions {
            try connection.queue(sql, isKept: false)
        }
        try connection.run(
            "INSERT INTO storefront_ledger (application, version, id) VALUES (?, ?, ?)",
            [
                .integer(Int64(LedgerTables.applicationID)),
                .integer(Int64(LedgerTables.version)), .uuid(UUID()),
            ], isKept: false)
    }

    /// The table that has what SQLite keeps in a file's head, those of what SQLite's store has in
    /// files, and the trigger that keeps entries as they are.
    private static let additions = [
        """
        CREATE TABLE storefront_ledger (
          application bigint NOT NULL, version bigint NOT NULL, id bytea NOT NULL)
        """,
        // `PostgreSQLAttachments` keeps private keys and hosted packages in these two.
        """
        CREATE TABLE keys (
          kind text COLLATE "C" NOT NULL, name text COLLATE "C" NOT NULL, body text NOT NULL,
          written bigint GENERATED ALWAYS AS IDENTITY, PRIMARY KEY (kind, name))
        """,
        """
        CREATE TABLE chunks (
          file text COLLATE "C" NOT NULL, number bigint NOT NULL, body bytea NOT NULL,
          kept_at timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (file, number))
        """,
        // A package is compressed already.
        "ALTER TABLE chunks ALTER body SET STORAGE EXTERNAL",
        """
        CREATE FUNCTION entries_stay() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'entries are never changed or removed'; END $$
        """,
        """
        CREATE TRIGGER entries_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON entries
        FOR EACH STATEMENT EXECUTE FUNCTION entries_stay()
        """,
    ]
}
#endif
