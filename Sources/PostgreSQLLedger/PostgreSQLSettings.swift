#if PostgreSQL
import Basics
import StoreModel

/// The properties of a server, as it tells them when a connection begins.
package struct PostgreSQLSettings: Hashable, Sendable {
    /// PostgreSQL's `server_version_num`: 150004 is 15.4.
    package let version: Int64
    /// Whether the server is a standby, which can only be read.
    package let isStandby: Bool
    /// The settings that keep a commit from surviving a power cut, because they are off:
    /// `synchronous_commit`, `fsync` or `full_page_writes`.
    package let notDurable: [String]

    private static let durable = ["synchronous_commit", "fsync", "full_page_writes"]

    /// Prepares a new connection for the tables of one schema, and reads the settings, in one round
    /// trip.
    ///
    /// - Throws: `storeUnreadable` for a server that is too old, a database of another encoding than
    ///   UTF-8, or a pooler that shares a connection among its clients.
    init(beginning connection: PostgreSQLConnection, schema: String) throws {
        let set: [(String, String)] = [
            ("search_path", PostgreSQLText.identifier(schema)),
            ("lock_timeout", String(PostgreSQLLimits.lockWait)),
            ("statement_timeout", String(PostgreSQLLimits.statementWait)),
            ("idle_in_transaction_session_timeout", String(PostgreSQLLimits.idleWait)),
            ("client_min_messages", "warning"),
        ]
        for (name, value) in set {
            try connection.queue(
                "SELECT set_config(?, ?, false)", [.text(name), .text(value)], isKept: false)
        }
        let result = try connection.run(
            """
            SELECT current_setting('server_version_num')::bigint,
              CASE WHEN pg_is_in_recovery() THEN 1 ELSE 0 END,
              current_setting('server_encoding'), current_setting('synchronous_commit'),
              current_setting('fsync'), current_setting('full_page_writes'), pg_backend_pid()
            """, isKept: false)
        let damage = PostgreSQLDamage()
        let row = PostgreSQLRow(result: result, row: 0, damage: damage)
        version = row.integer(0)
        isStandby = row.flag(1)
        notDurable = Self.durable.indices.filter { row.text(Int32($0) + 3) == "off" }
            .map { Self.durable[$0] }
        let process = row.integer(6)
        try damage.check()
        if process != connection.process {
            try Self.refuseSharedConnections(process, connection)
        }
        guard version >= PostgreSQLLimits.oldestServer else {
            throw StoreError(
                .storeUnreadable, found: "PostgreSQL \(version / 10_000)",
                expected: "PostgreSQL \(PostgreSQLLimits.oldestServer / 10_000)")
        }
        guard row.text(2) == "UTF8" else {
            throw StoreError(
                .storeUnreadable, found: "encoding \(row.text(2))", expected: "UTF8")
        }
    }

    /// Prepared statements, settings and notifications belong to a process of the server. A pooler in
    /// transaction mode gives a client another process for each transaction: it is known by a process
    /// that serves two of its clients, or by a client that has got another one.
    private static func refuseSharedConnections(
        _ process: Int64, _ connection: PostgreSQLConnection
    ) throws {
        let other = try connection.another()
        for _ in 0..<4 {
            let isShared = try Self.process(of: other) == process
            guard try !isShared && Self.process(of: connection) == process else {
                throw StoreError(
                    .storeUnreadable, found: "a pooler in transaction mode",
                    expected: "the server itself, or a pooler in session mode")
            }
        }
    }

    private static func process(of connection: PostgreSQLConnection) throws -> Int64 {
        try connection.rows("SELECT pg_backend_pid()").first?.integer(0) ?? 0
    }
}
#endif
