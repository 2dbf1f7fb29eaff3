package import DurableFiles
package import Foundation
package import StoreEngine
package import StoreModel
import Synchronization

/// The embedded ledger: one SQLite file, shared by any number of processes of one user on one
/// machine. Every append is one durable commit.
package final class SQLiteLedger: SharedExecutorLedger, InspectableLedger {
    private let database: DurableDatabase
    private let notifier: CommitNotifier
    private let recent = RecentEntries()
    private let storeWide = Mutex<StoreWide?>(nil)

    /// Opens the ledger of a store folder, or makes it, or brings one of an earlier version up to
    /// this one. Two first starts at once both succeed.
    ///
    /// - Parameter onDelay: called, again and again, when opening takes longer than a second.
    package convenience init(
        path: String, onDelay: @escaping @Sendable (OpeningDelay) -> Void = { _ in }
    ) throws(StoreError) {
        try self.init(
            path: path, version: LedgerSchema.version, onDelay: onDelay, observe: { _ in })
    }

    /// As a program of another version would open it that had the same tables: for tests of
    /// migrations, which may look at each step or have it fail there.
    package init(
        path: String, version: Int, onDelay: @escaping @Sendable (OpeningDelay) -> Void = { _ in },
        observe: @escaping @Sendable (MigrationStep) throws -> Void
    ) throws(StoreError) {
        let notifier = try CommitNotifier(databasePath: path)
        self.notifier = notifier
        database = try DurableDatabase(
            path: path, schema: LedgerSchema.schema(version), onDelay: onDelay,
            onCommit: { notifier.notify() }, observe: observe)
    }

    /// The version of the files this program writes.
    package static var schemaVersion: Int { LedgerSchema.version }

    package var executor: any SerialExecutor { database.thread }

    /// Durable commits of this process so far.
    package var commits: Int { database.commits }

    /// False where other processes' commits are noticed only by looking each second. Begins to
    /// listen to them.
    package var isWatching: Bool { notifier.isWatching }

    package func append(_ decisions: [Decision], at now: Timestamp) async throws(StoreError)
        -> [AppendResult]
    {
        try decisions.checkEntries()
        // Encoded before the write, outside the lock other processes wait for.
        let facts: [[EntryCoding.Coded]]
        do {
            facts = try decisions.map { try $0.entries.map { try EntryCoding.encode($0.fact) } }
        } catch {
            throw StoreError(.systemError, subject: "entry", cause: String(describing: error))
        }
        let results = try await database.write { db in
            let reader = LedgerReader(db, recent: recent)
            let writer = try LedgerWriter(db, reader: reader, now: now)
            return try writer.append(decisions, facts: facts)
        }
        recent.keep(results)
        return results
    }

    package func snapshot(_ query: LedgerQuery) async throws(StoreError) -> LedgerSnapshot {
        try await database.read { db in
            let reader = LedgerReader(db, recent: recent)
            let version = try reader.version(.store)
            // What concerns everybody changes rarely and is read for every purchase.
            if let known = storeWide.withLock({ $0 }), known.version == version {
                return try reader.snapshot(query, storeWide: known)
            }
            let fresh = try reader.storeWide(version: version)
            storeWide.withLock { $0 = fresh }
            return try reader.snapshot(query, storeWide: fresh)
        }
    }

    package func head() async throws(StoreError) -> FeedCursor {
        try await database.read { try LedgerReader($0, recent: recent).head() }
    }

    package func entries(after cursor: FeedCursor, account: AccountName?, limit: Int)
        async throws(StoreError) -> EntryPage
    {
        try await database.read {
            try LedgerReader($0, recent: recent).entries(
                after: cursor, account: account, limit: limit)
        }
    }

    package func entries(before cursor: FeedCursor, account: AccountName?, limit: Int)
        async throws(StoreError) -> EntryPage
    {
        try await database.read {
            try LedgerReader($0, recent: recent).entries(
                before: cursor, account: account, limit: limit)
        }
    }

    package func changes() -> AsyncStream<Void> { notifier.subscribe() }

    package func transactions(
        of account: AccountName, before: TransactionID?, kinds: Set<ProductType>,
        entitlingOnly: Bool, limit: Int
    ) async throws(StoreError) -> [TransactionRow] {
        try await database.read {
            try LedgerReader($0, recent: recent).transactions(
                of: account, before: before, kinds: kinds, entitlingOnly: entitlingOnly,
                limit: limit)
        }
    }

    package func unfinished(of account: AccountName) async throws(StoreError)
        -> [(UnfinishedRow, TransactionRow)]
    {
        try await database.read { try LedgerReader($0, recent: recent).unfinished(of: account) }
    }

    package func entitling(of account: AccountName) async throws(StoreError)
        -> [TransactionRow]
    {
        try await database.read { try LedgerReader($0, recent: recent).entitling(of: account) }
    }

    package func due(through instant: Timestamp, of account: AccountName?, limit: Int)
        async throws(StoreError) -> [DueItem]
    {
        try await database.read {
            try LedgerReader($0, recent: recent).due(through: instant, of: account, limit: limit)
        }
    }

    package func pending() async throws(StoreError) -> [PendingRow] {
        try await database.read { try LedgerReader($0, recent: recent).pending() }
    }

    package func takings() async throws(StoreError) -> [SalesTotals] {
        try await database.read { try LedgerReader($0, recent: recent).takings() }
    }

    package func attachment(_ digest: String) async throws(StoreError) -> Data? {
        try await database.read { db in
            try db.fetchOne("SELECT body FROM attachments WHERE digest = ?", .text(digest)) {
                $0.data(0)
            }
        }
    }

    package func projections() async throws(StoreError) -> Projections {
        try await database.read { try LedgerReader($0, recent: recent).projections() }
    }
}
