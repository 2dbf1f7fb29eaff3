package import Basics
package import Foundation
package import StoreEngine
package import StoreModel

/// A ledger whose record is in the tables of `LedgerTables`, in a database that speaks SQL. A
/// database has to run transactions and to tell of changes; everything else is the same for all.
package protocol LedgerInTables: SharedExecutorLedger, InspectableLedger {
    /// Of this process.
    var cache: LedgerCache { get }
    /// Of the first sale of a ledger without entries.
    var firstTransactionNumber: Int64 { get }

    /// Runs `body` in one transaction that reads: everything it reads is as of one commit. It may
    /// run twice if the connection is lost.
    func read<Value: Sendable>(
        _ body: @Sendable (any SQLTransaction) throws -> Value
    ) async throws(StoreError) -> Value

    /// Runs `body` in one transaction that writes, all of it or nothing, while no other process
    /// writes: what it reads stays true until its commit, and it sees all commits before. Returns
    /// after the commit is durable. It may run twice if the connection is lost.
    func write<Value: Sendable>(
        _ body: @Sendable (any SQLTransaction) throws -> Value
    ) async throws(StoreError) -> Value
}

extension LedgerInTables {
    func reading<Value: Sendable>(
        _ body: @Sendable (LedgerReader) throws -> Value
    ) async throws(StoreError) -> Value {
        let cache = cache
        return try await read { db in try body(LedgerReader(db, cache: cache)) }
    }

    /// One transaction for all decisions.
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
        let (cache, first) = (cache, firstTransactionNumber)
        let results = try await write { db in
            let reader = LedgerReader(db, cache: cache)
            try db.expect { _ = try LedgerReader($0, cache: cache).bases(of: decisions) }
            let writer = try LedgerWriter(
                db, reader: reader, now: now, firstTransactionNumber: first)
            return try writer.append(decisions, facts: facts)
        }
        cache.recent.keep(results)
        return results
    }

    package func snapshot(_ query: LedgerQuery) async throws(StoreError) -> LedgerSnapshot {
        let cache = cache
        return try await reading { reader in
            try reader.db.expect {
                _ = try LedgerReader($0, cache: cache)
                    .snapshot(query, storeWide: LedgerSnapshot())
            }
            let version = try reader.version(.store)
            return try reader.snapshot(
                query, storeWide: try cache.storeWide(version: version, reader))
        }
    }

    /// The position of the last entry.
    package func head() async throws(StoreError) -> FeedCursor {
        try await reading { try $0.head() }
    }

    /// Costs a few rows.
    package func mark(at cursor: FeedCursor) async throws(StoreError) -> FeedMark? {
        try await reading { try $0.mark(at: cursor) }
    }

    /// One read transaction; the cost grows with the length of the page.
    package func entries(after cursor: FeedCursor, account: AccountName?, limit: Int)
        async throws(StoreError) -> EntryPage
    {
        try await reading { try $0.entries(after: cursor, account: account, limit: limit) }
    }

    /// One read transaction; finds the page by an index (`HistoryTable`), and `since` by binary
    /// search.
    package func entries(before cursor: FeedCursor, filter: HistoryFilter, limit: Int)
        async throws(StoreError) -> EntryPage
    {
        try await reading { try $0.entries(before: cursor, filter: filter, limit: limit) }
    }

    /// One read transaction; finds the page by an index.
    package func transactions(
        of account: AccountName, before: TransactionID?, kinds: Set<ProductType>,
        entitlingOnly: Bool, limit: Int
    ) async throws(StoreError) -> [TransactionRow] {
        try await reading {
            try $0.transactions(
                of: account, before: before, kinds: kinds, entitlingOnly: entitlingOnly,
                limit: limit)
        }
    }

    /// The cost grows with the number of unfinished transactions.
    package func unfinished(of account: AccountName) async throws(StoreError)
        -> [(UnfinishedRow, TransactionRow)]
    {
        try await reading { try $0.unfinished(of: account) }
    }

    /// The cost grows with the products that the account owns, not with its consumables (index
    /// `transactions_lasting`).
    package func entitling(of account: AccountName) async throws(StoreError)
        -> [TransactionRow]
    {
        try await reading { try $0.entitling(of: account) }
    }

    /// The cost grows with the account's shares (index `transactions_shared`).
    package func lastShares(of account: AccountName) async throws(StoreError)
        -> [TransactionRow]
    {
        try await reading { try $0.lastShares(of: account) }
    }

    /// Found by an index on the time, or on account and time.
    package func due(through instant: Timestamp, of account: AccountName?, limit: Int)
        async throws(StoreError) -> [DueItem]
    {
        try await reading { try $0.due(through: instant, of: account, limit: limit) }
    }

    /// Found by the primary key.
    package func subscriptions(after chain: TransactionID?, limit: Int) async throws(StoreError)
        -> [SubscriptionRow]
    {
        try await reading { try $0.subscriptions(after: chain, limit: limit) }
    }

    /// The cost grows with the requests that wait, not with answered ones (index
    /// `requests_pending`).
    package func pending() async throws(StoreError) -> [ApprovalRequest] {
        try await reading { try $0.pending() }
    }

    /// The cost grows with the refund requests that wait.
    package func refundRequests() async throws(StoreError) -> [RefundRequest] {
        try await reading { try $0.refundRequests() }
    }

    /// Read by the index `account_uses_noticed`; the cost grows with the number of notices.
    package func notices() async throws(StoreError) -> [AccountNotice] {
        try await reading { try $0.notices() }
    }

    /// The cost grows with the accounts that are in a family.
    package func families() async throws(StoreError) -> [Family] {
        try await reading { try $0.families() }
    }

    /// One row for each currency, kept up to date by every append.
    package func takings() async throws(StoreError) -> [SalesTotals] {
        try await reading { try $0.takings() }
    }

    /// One read transaction; finds the page by an index.
    package func outbox(_ query: OutboxQuery) async throws(StoreError) -> OutboxPage {
        try await reading { try $0.outbox(query) }
    }

    package func attachment(_ digest: String) async throws(StoreError) -> Data? {
        try await read { try AttachmentRow.body(digest, in: $0) }
    }

    /// Read in one transaction. The cost grows with the whole ledger.
    package func projections() async throws(StoreError) -> Projections {
        try await reading { try $0.projections() }
    }
}
