package import DurableFiles
package import Foundation
package import StoreEngine
package import StoreModel
import Synchronization

/// The embedded ledger: one SQLite file, shared by any number of processes of one user on one
/// machine. Every append is one durable commit.
///
/// Every call also throws `storeReplaced` if the file was deleted, moved or replaced since it was
/// opened, and `storeNewer` if a newer program has migrated it.
package final class SQLiteLedger: SharedExecutorLedger, InspectableLedger {
    private let database: DurableDatabase
    private let notifier: CommitNotifier
    private let recent = RecentEntries()
    /// Of the first sale of a ledger without entries.
    private let firstTransactionNumber: Int64
    /// The store-wide facts that the last snapshot read; valid while the version of the store's
    /// stream is the same.
    private let storeWide = Mutex<LedgerSnapshot?>(nil)

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
            path: path, version: LedgerSchema.version, isDurable: isDurable,
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
    package static var schemaVersion: Int { LedgerSchema.version }

    /// Of the database: an engine on it reads and appends without changing threads.
    package var executor: any SerialExecutor { database.thread }

    /// Since this process opened the file.
    package var commits: Int { database.commits }

    /// Whether commits of other processes are noticed at once; false where files cannot be watched
    /// and `changes()` wakes once a second. The first call starts the watching.
    package var isWatching: Bool { notifier.isWatching }

    /// One transaction for all decisions. Throws `outcomeUnknown` if the commit failed but may be
    /// found after a crash.
    package func append(_ decisions: [Decision], at now: Timestamp) async throws(StoreError)
        -> [AppendResult]
    {
        try decisions.checkEntries()
        // Encodes before the write, so that other processes do not wait for it at the lock.
        let facts: [[EntryCoding.Coded]]
        do {
            facts = try decisions.map { try $0.entries.map { try EntryCoding.encode($0.fact) } }
        } catch {
            throw StoreError(.systemError, subject: "entry", cause: String(describing: error))
        }
        let results = try await database.write { db in
            let reader = LedgerReader(db, recent: recent)
            let writer = try LedgerWriter(
                db, reader: reader, now: now, firstTransactionNumber: firstTransactionNumber)
            return try writer.append(decisions, facts: facts)
        }
        recent.keep(results)
        return results
    }

    package func snapshot(_ query: LedgerQuery) async throws(StoreError) -> LedgerSnapshot {
        try await database.read { db in
            let reader = LedgerReader(db, recent: recent)
            let version = try reader.version(.store)
            // These facts change rarely but are read for every purchase.
            if let known = storeWide.withLock({ $0 }), known.version(.store) == version {
                return try reader.snapshot(query, storeWide: known)
            }
            let fresh = try reader.storeWide(version: version)
            storeWide.withLock { $0 = fresh }
            return try reader.snapshot(query, storeWide: fresh)
        }
    }

    /// The position of the last entry; the epoch is always 1.
    package func head() async throws(StoreError) -> FeedCursor {
        try await database.read { try LedgerReader($0, recent: recent).head() }
    }

    /// Costs a few rows.
    package func mark(at cursor: FeedCursor) async throws(StoreError) -> FeedMark? {
        try await database.read { try LedgerReader($0, recent: recent).mark(at: cursor) }
    }

    /// One read transaction; the cost grows with the length of the page.
    package func entries(after cursor: FeedCursor, account: AccountName?, limit: Int)
        async throws(StoreError) -> EntryPage
    {
        try await database.read {
            try LedgerReader($0, recent: recent).entries(
                after: cursor, account: account, limit: limit)
        }
    }

    /// One read transaction; finds the page by an index (`HistoryTable`), and `since` by binary
    /// search.
    package func entries(before cursor: FeedCursor, filter: HistoryFilter, limit: Int)
        async throws(StoreError) -> EntryPage
    {
        try await database.read {
            try LedgerReader($0, recent: recent).entries(
                before: cursor, filter: filter, limit: limit)
        }
    }

    /// Wakes for the commits of all processes that have this file open.
    package func changes() -> AsyncStream<Void> { notifier.subscribe() }

    /// One read transaction; finds the page by an index.
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

    /// The cost grows with the number of unfinished transactions.
    package func unfinished(of account: AccountName) async throws(StoreError)
        -> [(UnfinishedRow, TransactionRow)]
    {
        try await database.read { try LedgerReader($0, recent: recent).unfinished(of: account) }
    }

    /// The cost grows with the products that the account owns, not with its consumables (index
    /// `transactions_lasting`).
    package func entitling(of account: AccountName) async throws(StoreError)
        -> [TransactionRow]
    {
        try await database.read { try LedgerReader($0, recent: recent).entitling(of: account) }
    }

    /// The cost grows with the account's shares (index `transactions_shared`).
    package func lastShares(of account: AccountName) async throws(StoreError)
        -> [TransactionRow]
    {
        try await database.read { try LedgerReader($0, recent: recent).lastShares(of: account) }
    }

    /// Found by an index on the time, or on account and time.
    package func due(through instant: Timestamp, of account: AccountName?, limit: Int)
        async throws(StoreError) -> [DueItem]
    {
        try await database.read {
            try LedgerReader($0, recent: recent).due(through: instant, of: account, limit: limit)
        }
    }

    /// Found by the primary key.
    package func subscriptions(after chain: TransactionID?, limit: Int) async throws(StoreError)
        -> [SubscriptionRow]
    {
        try await database.read {
            try LedgerReader($0, recent: recent).subscriptions(after: chain, limit: limit)
        }
    }

    /// The cost grows with the requests that wait, not with answered ones (index
    /// `requests_pending`).
    package func pending() async throws(StoreError) -> [ApprovalRequest] {
        try await database.read { try LedgerReader($0, recent: recent).pending() }
    }

    /// The cost grows with the refund requests that wait.
    package func refundRequests() async throws(StoreError) -> [RefundRequest] {
        try await database.read { try LedgerReader($0, recent: recent).refundRequests() }
    }

    /// Read by the index `account_uses_noticed`; the cost grows with the number of notices.
    package func notices() async throws(StoreError) -> [AccountNotice] {
        try await database.read { try LedgerReader($0, recent: recent).notices() }
    }

    /// The cost grows with the accounts that are in a family.
    package func families() async throws(StoreError) -> [Family] {
        try await database.read { try LedgerReader($0, recent: recent).families() }
    }

    /// One row for each currency, kept up to date by every append.
    package func takings() async throws(StoreError) -> [SalesTotals] {
        try await database.read { try LedgerReader($0, recent: recent).takings() }
    }

    /// One read transaction; finds the page by an index.
    package func outbox(_ query: OutboxQuery) async throws(StoreError) -> OutboxPage {
        try await database.read { try LedgerReader($0, recent: recent).outbox(query) }
    }

    package func attachment(_ digest: String) async throws(StoreError) -> Data? {
        try await database.read { db in
            try db.fetchOne("SELECT body FROM attachments WHERE digest = ?", .text(digest)) {
                $0.data(0)
            }
        }
    }

    /// Read in one transaction. The cost grows with the whole ledger.
    package func projections() async throws(StoreError) -> Projections {
        try await database.read { try LedgerReader($0, recent: recent).projections() }
    }
}
