package import Foundation
package import StoreEngine
package import StoreModel
import Synchronization

/// A ledger in which another process wins a race: it calls `meanwhile` once, before an append.
package final class OverrunLedger: Ledger {
    private struct State {
        var hasHappened = false
        var salesRead = 0
    }

    private let inner: any Ledger
    private let isBefore: @Sendable ([Decision]) -> Bool
    private let meanwhile: @Sendable () async -> Void
    private let state = Mutex(State())

    package var hasHappened: Bool { state.withLock { $0.hasHappened } }

    /// How many sales were read by their numbers so far (`LedgerQuery.sales`).
    package var salesRead: Int { state.withLock { $0.salesRead } }

    /// - Parameter isBefore: the append before which `meanwhile` runs; by default one of several.
    package init(
        _ inner: any Ledger,
        before isBefore: @escaping @Sendable ([Decision]) -> Bool = { $0.count > 1 },
        meanwhile: @escaping @Sendable () async -> Void
    ) {
        self.inner = inner
        self.isBefore = isBefore
        self.meanwhile = meanwhile
    }

    package func append(_ decisions: [Decision], at now: Timestamp) async throws(StoreError)
        -> [AppendResult]
    {
        let isFirst = state.withLock { state in
            guard !state.hasHappened, isBefore(decisions) else { return false }
            state.hasHappened = true
            return true
        }
        if isFirst { await meanwhile() }
        return try await inner.append(decisions, at: now)
    }

    package func snapshot(_ query: LedgerQuery) async throws(StoreError) -> LedgerSnapshot {
        state.withLock { $0.salesRead += query.sales.count }
        return try await inner.snapshot(query)
    }

    package func head() async throws(StoreError) -> FeedCursor { try await inner.head() }

    package func mark(at cursor: FeedCursor) async throws(StoreError) -> FeedMark? {
        try await inner.mark(at: cursor)
    }

    package func entries(after cursor: FeedCursor, account: AccountName?, limit: Int)
        async throws(StoreError) -> EntryPage
    { try await inner.entries(after: cursor, account: account, limit: limit) }

    package func entries(before cursor: FeedCursor, filter: HistoryFilter, limit: Int)
        async throws(StoreError) -> EntryPage
    { try await inner.entries(before: cursor, filter: filter, limit: limit) }

    package func changes() -> AsyncStream<Void> { inner.changes() }

    package func transactions(
        of account: AccountName, before: TransactionID?, kinds: Set<ProductType>,
        entitlingOnly: Bool, limit: Int
    ) async throws(StoreError) -> [TransactionRow] {
        try await inner.transactions(
            of: account, before: before, kinds: kinds, entitlingOnly: entitlingOnly, limit: limit)
    }

    package func unfinished(of account: AccountName) async throws(StoreError)
        -> [(UnfinishedRow, TransactionRow)]
    { try await inner.unfinished(of: account) }

    package func entitling(of account: AccountName) async throws(StoreError) -> [TransactionRow] {
        try await inner.entitling(of: account)
    }

    package func lastShares(of account: AccountName) async throws(StoreError) -> [TransactionRow] {
        try await inner.lastShares(of: account)
    }

    package func due(through instant: Timestamp, of account: AccountName?, limit: Int)
        async throws(StoreError) -> [DueItem]
    { try await inner.due(through: instant, of: account, limit: limit) }

    package func subscriptions(after chain: TransactionID?, limit: Int)
        async throws(StoreError) -> [SubscriptionRow]
    { try await inner.subscriptions(after: chain, limit: limit) }

    package func pending() async throws(StoreError) -> [ApprovalRequest] {
        try await inner.pending()
    }

    package func refundRequests() async throws(StoreError) -> [RefundRequest] {
        try await inner.refundRequests()
    }

    package func families() async throws(StoreError) -> [Family] { try await inner.families() }

    package func notices() async throws(StoreError) -> [AccountNotice] {
        try await inner.notices()
    }

    package func takings() async throws(StoreError) -> [SalesTotals] { try await inner.takings() }

    package func attachment(_ digest: String) async throws(StoreError) -> Data? {
        try await inner.attachment(digest)
    }
}
