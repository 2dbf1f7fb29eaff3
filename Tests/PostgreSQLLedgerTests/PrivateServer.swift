#if PostgreSQL
import Foundation
import PostgreSQLLedger
import StoreModel
import StoreTestSupport
import TestBasics
import Testing

extension PrivateServer {
    /// The ports of a server and of its standby.
    static let ports = ["5432", "5433"]

    /// Carries out a command of `.ci/postgresql-cluster`, on a thread of its own: it takes seconds,
    /// in which other tasks are to run.
    ///
    /// - Returns: what it printed; nil where it is not possible here.
    @discardableResult func carryOut(_ command: String, _ more: String...) async throws -> String? {
        let words = [Self.program, command, folder] + more
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(
                    with: Result {
                        let ended = try ShellCommand(words).end()
                        if ended.code == 77 { return nil }
                        guard ended.code == 0 else { throw Refusal(output: ended.output) }
                        return ended.output.trimmingCharacters(in: .newlines)
                    })
            }
        }
    }

    /// - Parameter user: a login role; the administrator is `storefront`.
    func address(
        _ more: String = "", as user: String = "storefront"
    ) throws -> PostgreSQLAddress {
        try PostgreSQLAddress("postgresql:///storefront?user=\(user)&host=\(folder)\(more)")
    }

    /// Of the primary, whichever of the two servers that is.
    func addressOfPrimary(_ more: String = "") throws -> PostgreSQLAddress {
        let ports = Self.ports.joined(separator: ",")
        return try address(",\(folder)&port=\(ports)&target_session_attrs=read-write\(more)")
    }

    /// A statement that psql could not run.
    struct Refusal: Error { var output: String }

    /// The output of psql, another client than the ledger, without headings.
    @discardableResult func sql(
        _ text: String, database: String = "storefront", as user: String = "storefront"
    ) throws -> String {
        let ended = try ShellCommand([
            "psql", "-h", folder, "-p", "5432", "-U", user, "-d", database, "-qAt", "-v",
            "ON_ERROR_STOP=1", "-c", text,
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

    /// On a server of the test's own.
    init(_ server: PrivateServer) { self.server = server }

    /// As a person gives it.
    func databaseAddress() throws -> DatabaseAddress {
        try DatabaseAddress(
            "postgresql:///storefront?user=storefront&host=\(server.folder)&store=\(schema)")
    }

    /// A handle as another process would have it.
    func open(as user: String = "storefront") throws -> PostgreSQLLedger {
        try PostgreSQLLedger(
            server.address("&application_name=\(schema)", as: user), schema: schema)
    }

    /// A handle that follows the primary.
    func openOnPrimary() throws -> PostgreSQLLedger {
        try PostgreSQLLedger(server.addressOfPrimary(), schema: schema)
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
