package import Foundation
package import StoreEngine
package import StoreModel

/// A ledger over another one: each query and append is one `call`.
package protocol LedgerOverLedger: Ledger {
    var inner: any Ledger { get }

    func call<Value: Sendable>(
        isWrite: Bool, _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value
}

extension LedgerOverLedger {
    private func read<Value: Sendable>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value { try await call(isWrite: false, body) }

    package func snapshot(_ query: LedgerQuery) async throws(StoreError) -> LedgerSnapshot {
        try await read { () async throws(StoreError) in try await inner.snapshot(query) }
    }

    package func head() async throws(StoreError) -> FeedCursor {
        try await read { () async throws(StoreError) in try await inner.head() }
    }

    package func mark(at cursor: FeedCursor) async throws(StoreError) -> FeedMark? {
        try await read { () async throws(StoreError) in try await inner.mark(at: cursor) }
    }

    package func entries(after cursor: FeedCursor, account: AccountName?, limit: Int)
        async throws(StoreError) -> EntryPage
    {
        try await read { () async throws(StoreError) in
            try await inner.entries(after: cursor, account: account, limit: limit)
        }
    }

    package func entries(before cursor: FeedCursor, filter: HistoryFilter, limit: Int)
        async throws(StoreError) -> EntryPage
    {
        try await read { () async throws(StoreError) in
            try await inner.entries(before: cursor, filter: filter, limit: limit)
        }
    }

    package func changes() -> AsyncStream<Void> { inner.changes() }

    package func transactions(
        of account: AccountName, before: TransactionID?, kinds: Set<ProductType>,
        entitlingOnly: Bool, limit: Int
    ) async throws(StoreError) -> [TransactionRow] {
        try await read { () async throws(StoreError) in
            try await inner.transactions(
                of: account, before: before, kinds: kinds, entitlingOnly: entitlingOnly,
                limit: limit)
        }
    }

    package func unfinished(of account: AccountName) async throws(StoreError)
        -> [(UnfinishedRow, TransactionRow)]
    {
        try await read { () async throws(StoreError) in try await inner.unfinished(of: account) }
    }

    package func entitling(of account: AccountName) async throws(StoreError) -> [TransactionRow] {
        try await read { () async throws(StoreError) in try await inner.entitling(of: account) }
    }

    package func lastShares(of account: AccountName) async throws(StoreError) -> [TransactionRow] {
        try await read { () async throws(StoreError) in try await inner.lastShares(of: account) }
    }

    package func due(through instant: Timestamp, of account: AccountName?, limit: Int)
        async throws(StoreError) -> [DueItem]
    {
        try await read { () async throws(StoreError) in
            try await inner.due(through: instant, of: account, limit: limit)
        }
    }

    package func subscriptions(after chain: TransactionID?, limit: Int)
        async throws(StoreError) -> [SubscriptionRow]
    {
        try await read { () async throws(StoreError) in
            try await inner.subscriptions(after: chain, limit: limit)
        }
    }

    package func pending() async throws(StoreError) -> [ApprovalRequest] {
        try await read { () async throws(StoreError) in try await inner.pending() }
    }

    package func refundRequests() async throws(StoreError) -> [RefundRequest] {
        try await read { () async throws(StoreError) in try await inner.refundRequests() }
    }

    package func families() async throws(StoreError) -> [Family] {
        try await read { () async throws(StoreError) in try await inner.families() }
    }

    package func notices() async throws(StoreError) -> [AccountNotice] {
        try await read { () async throws(StoreError) in try await inner.notices() }
    }

    package func takings() async throws(StoreError) -> [SalesTotals] {
        try await read { () async throws(StoreError) in try await inner.takings() }
    }

    package func outbox(_ query: OutboxQuery) async throws(StoreError) -> OutboxPage {
        try await read { () async throws(StoreError) in try await inner.outbox(query) }
    }

    package func attachment(_ digest: String) async throws(StoreError) -> Data? {
        try await read { () async throws(StoreError) in try await inner.attachment(digest) }
    }
}
