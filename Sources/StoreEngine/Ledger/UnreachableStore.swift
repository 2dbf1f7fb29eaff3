import Foundation
import StoreModel

/// The ledger of a store whose server is away, and what the store keeps beside it. It never connects:
/// every call throws the error with which the store could not be opened, and nothing is recorded.
struct UnreachableStore: Ledger, StoreAttachments {
    let error: StoreError

    func append(_: [Decision], at _: Timestamp) throws(StoreError) -> [AppendResult] {
        throw error
    }
    func snapshot(_: LedgerQuery) throws(StoreError) -> LedgerSnapshot { throw error }
    func head() throws(StoreError) -> FeedCursor { throw error }
    func mark(at _: FeedCursor) throws(StoreError) -> FeedMark? { throw error }
    func entries(
        after _: FeedCursor, account _: AccountName?, limit _: Int
    ) throws(StoreError) -> EntryPage { throw error }
    func entries(
        before _: FeedCursor, filter _: HistoryFilter, limit _: Int
    ) throws(StoreError) -> EntryPage { throw error }

    /// Only the first wake, so that who reads gets the error.
    func changes() -> AsyncStream<Void> { AsyncStream { $0.yield() } }

    func transactions(
        of _: AccountName, before _: TransactionID?, kinds _: Set<ProductType>,
        entitlingOnly _: Bool, limit _: Int
    ) throws(StoreError) -> [TransactionRow] { throw error }
    func unfinished(
        of _: AccountName
    ) throws(StoreError) -> [(UnfinishedRow, TransactionRow)] { throw error }
    func entitling(of _: AccountName) throws(StoreError) -> [TransactionRow] { throw error }
    func lastShares(of _: AccountName) throws(StoreError) -> [TransactionRow] { throw error }
    func due(
        through _: Timestamp, of _: AccountName?, limit _: Int
    ) throws(StoreError) -> [DueItem] { throw error }
    func subscriptions(
        after _: TransactionID?, limit _: Int
    ) throws(StoreError) -> [SubscriptionRow] { throw error }
    func pending() throws(StoreError) -> [ApprovalRequest] { throw error }
    func refundRequests() throws(StoreError) -> [RefundRequest] { throw error }
    func notices() throws(StoreError) -> [AccountNotice] { throw error }
    func families() throws(StoreError) -> [Family] { throw error }
    func takings() throws(StoreError) -> [SalesTotals] { throw error }
    func outbox(_: OutboxQuery) throws(StoreError) -> OutboxPage { throw error }
    func attachment(_: String) throws(StoreError) -> Data? { throw error }

    // MARK: - Keys and packages

    func signingKeys() throws(StoreError) -> [String: String]? { throw error }
    func signingKeys(
        orMake _: @Sendable () throws(StoreError) -> [String: String]
    ) throws(StoreError) -> [String: String] { throw error }
    func read(_: String) throws(StoreError) -> String? { throw error }
    func ids() throws(StoreError) -> [String] { throw error }
    func write(_: String, as _: String) throws(StoreError) { throw error }
    func path(of id: String) -> String { id }
    func chunk(_: Int, of _: String) throws(StoreError) -> Data? { throw error }
    func keep(_: Data, _: Int, of _: String) throws(StoreError) { throw error }
    func removeChunks(except _: Set<String>) throws(StoreError) { throw error }
}
