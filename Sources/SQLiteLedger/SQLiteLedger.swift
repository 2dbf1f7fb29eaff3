package import Basics
package import DurableFiles
package import SQLLedger
import StoreEngine
package import StoreModel

/// The embedded ledger: one SQLite file, shared by any number of processes of one user on one
/// machine. Every append is one durable commit.
///
/// Every call also throws `storeReplaced` if the file was deleted, moved or replaced since it was
/// opened, and `storeNewer` if a newer program has migrated it.
package final class SQLiteLedger: LedgerInTables, StampedLedger {
    private let database: DurableDatabase
    private let notifier: CommitNotifier
    package let cache = LedgerCache()
    package let firstTransactionNumber: Int64

    /// Opens a ledger, creates it, or migrates a ledger of an earlier version. Safe in several
    /// processes at the same time.
    ///
    /// - Parameters:
    ///   - path: the path of the SQLite file, in a folder that exists.
    ///   - isDurable: false for a ledger that ends with this process: nothing is synced.
    ///   - firstTransactionNumber: of the first sale of a ledger without entries.
    ///   - onDelay: called repeatedly when opening takes longer than a second.
    /// - Throws: the errors of `DurableDatabase.init`.
    package convenience init(
        path: String, isDurable: Bool = true,
        firstTransactionNumber: Int64 = StoreLimits.firstTransactionNumber,
        onDelay: @escaping @Sendable (OpeningDelay) -> Void = { _ in }
    ) throws(StoreError) {
        try self.init(
            path: path, version: LedgerTables.version, isDurable: isDurable,
            firstTransactionNumber: firstTransactionNumber, onDelay: onDelay, observe: { _ in })
    }

    /// Opens a ledger as a program of schema `version` with the present tables would, for tests of
    /// migrations. `observe` is called after each step; if it throws, the migration fails there.
    package init(
        path: String, version: Int, isDurable: Bool = true,
        firstTransactionNumber: Int64 = StoreLimits.firstTransactionNumber,
        onDelay: @escaping @Sendable (OpeningDelay) -> Void = { _ in },
        observe: @escaping @Sendable (MigrationStep) throws -> Void
    ) throws(StoreError) {
        let notifier = try CommitNotifier(databasePath: path)
        self.notifier = notifier
        self.firstTransactionNumber = firstTransactionNumber
        database = try DurableDatabase(
            path: path, schema: LedgerSchema.schema(version), isDurable: isDurable,
            onDelay: onDelay,
            onCommit: { notifier.notify() }, observe: observe)
    }

    /// SQLite's `user_version` of the files this program writes.
    package static var schemaVersion: Int { LedgerTables.version }

    /// Of the database: an engine on it reads and appends without changing threads.
    package var executor: any SerialExecutor { database.thread }

    package var stamp: CommitStamp? { database.stamp }

    /// Since this process opened the file.
    package var commits: Int { database.commits }

    /// Whether commits of other processes are noticed at once; false where files cannot be watched
    /// and `changes()` wakes once a second. The first call starts the watching.
    package var isWatching: Bool { notifier.isWatching }

    /// Wakes for the commits of all processes that have this file open.
    package func changes() -> AsyncStream<Void> { notifier.subscribe() }

    package func read<Value: Sendable>(
        _ body: @Sendable (any SQLTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await database.read { try body($0) }
    }

    /// Throws `outcomeUnknown` if the commit failed but may be found after a crash.
    package func write<Value: Sendable>(
        _ body: @Sendable (any SQLTransaction) throws -> Value
    ) async throws(StoreError) -> Value {
        try await database.write { try body($0) }
    }
}
