#if PostgreSQL
import Foundation
import PostgreSQLLedger
import StoreModel
import StoreTestSupport
import TestBasics
import Testing

/// The PostgreSQL server of this process's tests (`.ci/postgresql-cluster`), which ends with the
/// process, however that ends. It syncs nothing: no test here is about a power cut.
struct PrivateServer: Sendable {
    /// Nil where no server is installed: the suites are then skipped.
    static let shared: PrivateServer? = start()

    /// With the server's socket.
    let folder: String

    private static let program = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: ".ci/postgresql-cluster").path

    /// A server of its own for a test that changes settings of a whole server.
    static func start() -> PrivateServer? {
        do {
            let pipe = try TemporaryFolder()
            let path = pipe.path + "/standard-input"
            guard mkfifo(path, 0o600) == 0 else { return nil }
            let command = try ShellCommand([
                "/bin/sh", "-c", "exec \"$0\" fsync=off max_connections=300 < \"$1\"", program,
                path,
            ])
            // Open until this process ends: it is what the server waits for. Opening it waits for
            // the command.
            guard open(path, O_WRONLY | O_CLOEXEC) >= 0, let line = command.line() else {
                print("PostgreSQL: no server is installed; the suites of its ledger are skipped")
                return nil
            }
            return PrivateServer(folder: line.trimmingCharacters(in: .newlines))
        } catch {
            print("PostgreSQL: \(error)")
            return nil
        }
    }

    /// - Parameter user: a login role; the administrator is `storefront`.
    func address(
        _ more: String = "", as user: String = "storefront"
    ) throws -> PostgreSQLAddress {
        try PostgreSQLAddress("postgresql:///storefront?user=\(user)&host=\(folder)\(more)")
    }

    /// A statement that psql could not run.
    struct Refusal: Error { var output: String }

    /// The output of psql, another client than the ledger, without headings.
    @discardableResult func sql(
        _ text: String, as user: String = "storefront"
    ) throws -> String {
        let ended = try ShellCommand([
            "psql", "-h", folder, "-U", user, "-d", "storefront", "-qAt", "-v", "ON_ERROR_STOP=1",
            "-c", text,
        ]).end()
        guard ended.code == 0 else { throw Refusal(output: ended.output) }
        return ended.output.trimmingCharacters(in: .newlines)
    }
}

/// A new store of one test.
struct ServedStore: Sendable {
    let server: PrivateServer
    let schema = "store_" + UUID().uuidString.lowercased()

    init() throws { server = try #require(PrivateServer.shared) }

    /// A handle as another process would have it.
    func open(as user: String = "storefront") throws -> PostgreSQLLedger {
        try PostgreSQLLedger(
            server.address("&application_name=\(schema)", as: user), schema: schema)
    }

    func handles() throws -> LedgerConformance.Handles {
        .init(ledger: try open(), other: try open())
    }

    /// Ends all connections of the store's handles, as an operator of the server may.
    ///
    /// - Returns: how many.
    @discardableResult func terminate() throws -> Int {
        let ended = try server.sql(
            """
            SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
            WHERE application_name = '\(schema)'
            """)
        return Int(ended) ?? 0
    }

    /// The output of psql with this store's tables.
    @discardableResult func sql(
        _ text: String, as user: String = "storefront"
    ) throws -> String {
        try server.sql("SET search_path = \"\(schema)\"; \(text)", as: user)
    }
}
#endif
