#if PostgreSQL
package import Basics
import Foundation
package import SQLLedger
import StoreEngine
package import StoreModel

/// A ledger for teams: the tables of `LedgerTables` in one schema of a PostgreSQL database, shared
/// by any number of processes on any number of machines. Every append is one commit.
///
/// Every call also throws `storeUnreachable` if the server cannot be reached, and then nothing is
/// recorded; `storeReplaced` if the tables were removed or replaced since they were opened, and
/// `storeNewer` if a newer program has migrated them.
package final class PostgreSQLLedger: LedgerInTables {
    let database: PostgreSQLDatabase
    private let bell: PostgreSQLBell
    package let cache: LedgerCache
    package let firstTransactionNumber: Int64

    /// Opens a ledger, or creates it. Safe in several processes at the same time.
    ///
    /// - Parameters:
    ///   - schema: the store's name in the database.
    ///   - firstTransactionNumber: of the first sale of a ledger without entries.
    /// - Throws: `storeUnreachable`; `storeUnreadable` for another program's schema, a database of
    ///   another encoding or a server that is too old; `storeNewer`; `storeReadOnly` where there are
    ///   no tables and they cannot be created; `storeBusy` where another process keeps the lock.
    package init(
        _ address: PostgreSQLAddress, schema: String = "storefront",
        firstTransactionNumber: Int64 = StoreLimits.firstTransactionNumber
    ) throws(StoreError) {
        let cache = LedgerCache()
        let listeners = ChangeSignal()
        let token = UUID().uuidString
        let database = try PostgreSQLDatabase(
            address, schema: schema, token: token, onCommit: { listeners.notify() },
            onReconnect: { cache.forget() })
        bell = PostgreSQLBell(
            address, channel: database.format.channel, listeners: listeners, token: token)
        self.cache = cache
        self.database = database
        self.firstTransactionNumber = firstTransactionNumber
    }

    /// Of the server, as the newest connection found them.
    package var settings: PostgreSQLSettings { database.settings }

    /// Of the database: an engine on it reads and appends without changing threads.
    package var executor: any SerialExecutor { database.thread }

    /// Wakes for the commits of all processes.
    package func changes() -> AsyncStream<Void> { bell.subscribe() }

    package func read<Value: Sendable>(
        _ body: @Sendable (any SQLTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await database.read { try body($0) }
    }

    /// Throws `outcomeUnknown` if no answer to the commit arrived.
    package func write<Value: Sendable>(
        _ body: @Sendable (any SQLTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await database.write { try body($0) }
    }
}
#endif
