package import Foundation
package import StoreModel

/// The append-only record of everything that ever happened in a store, and lookups kept in the
/// same writes. Has no SQL and runs no foreign code inside a write, so that another database can
/// stand in for the embedded one; whoever implements it must pass `LedgerConformance`. What only
/// some ledgers can do has protocols of its own: `SharedExecutorLedger`, `InspectableLedger`.
///
/// Errors: `storeBusy` (retryable), `storeFull`, `storeReadOnly`, `storeUnreadable`.
package protocol Ledger: Sendable {
    /// Records decisions, in order, in one durable write: when this returns, what was recorded
    /// survives a kill or a power cut. A conflict fails only its own decision and those after it
    /// that counted on its entries. Positions and transaction numbers are given out here, without
    /// gaps for what was refused. `recordedAt` of an entry is never before that of an earlier one.
    /// An entry that contradicts itself (`Entry.contradiction`) fails the whole append with
    /// `contradictoryEntry`, and nothing is recorded.
    func append(_ decisions: [Decision], at now: Timestamp) async throws(StoreError)
        -> [AppendResult]

    /// Reads everything a batch of requests depends on, at one instant.
    func snapshot(_ query: LedgerQuery) async throws(StoreError) -> LedgerSnapshot

    /// The end of the feed now.
    func head() async throws(StoreError) -> FeedCursor

    /// Entries after a cursor in order, at most `limit`. With an account, only what concerns it or
    /// everybody; the page's cursor then passes over the others' entries too. Once a cursor was
    /// returned, no entry at or before it appears later, also with concurrent writers. A cursor of
    /// another epoch throws `storeReplaced`.
    func entries(after cursor: FeedCursor, account: AccountName?, limit: Int)
        async throws(StoreError) -> EntryPage

    /// Entries before a cursor, newest first, at most `limit` (one or more): the pages of a history.
    /// With an account, only what concerns it or everybody. `head()` lies behind the last entry. The
    /// page's cursor is where the next page begins; its position is 0 once nothing is left. What is
    /// appended meanwhile lies behind every page's cursor and never moves one. Costs what the page
    /// holds. A cursor of another epoch throws `storeReplaced`.
    func entries(before cursor: FeedCursor, account: AccountName?, limit: Int)
        async throws(StoreError) -> EntryPage

    /// Wakes after every append, by whichever process; several appends may make one wake. Begins
    /// with one wake, so that nothing is missed between subscribing and reading.
    func changes() -> AsyncStream<Void>

    /// An account's sales newest first, before a number, at most `limit`: without those that were
    /// deleted, and without those that were taken back where `entitlingOnly`.
    func transactions(
        of account: AccountName, before: TransactionID?, kinds: Set<ProductType>,
        entitlingOnly: Bool, limit: Int
    ) async throws(StoreError) -> [TransactionRow]

    /// An account's unfinished sales, oldest first.
    func unfinished(of account: AccountName) async throws(StoreError)
        -> [(UnfinishedRow, TransactionRow)]

    /// The sales that can entitle, in the order they were sold: non-consumables, the latest of each
    /// subscription group, the latest of each non-renewing product; none that was taken back. Costs
    /// what the account owns.
    func entitling(of account: AccountName) async throws(StoreError) -> [TransactionRow]

    /// What happens by itself up to an instant, in the order it happens, at most `limit`; of one
    /// account, or of all.
    func due(through instant: Timestamp, of account: AccountName?, limit: Int)
        async throws(StoreError) -> [DueItem]

    /// All requests that wait for approval, oldest first.
    func pending() async throws(StoreError) -> [PendingRow]

    func takings() async throws(StoreError) -> [SalesTotals]

    func attachment(_ digest: String) async throws(StoreError) -> Data?
}

/// A ledger that works on a thread of its own which others may share: an engine that runs there
/// reads, decides and records without changing threads. An engine of any other ledger has a thread
/// of its own.
package protocol SharedExecutorLedger: Ledger {
    var executor: any SerialExecutor { get }
}

/// A ledger that can show all its rows, for tests and repair. The entries say the same
/// (`Projections(folding:)`), so no ledger has to.
package protocol InspectableLedger: Ledger {
    /// Costs everything ever sold.
    func projections() async throws(StoreError) -> Projections
}

package struct EntryPage: Sendable {
    package var entries: [RecordedEntry]
    package var cursor: FeedCursor

    package init(entries: [RecordedEntry], cursor: FeedCursor) {
        self.entries = entries
        self.cursor = cursor
    }

    /// A page of a history: the entries found, newest first, of at most `limit`. One that is not full
    /// is the last.
    package init(before entries: [RecordedEntry], limit: Int) {
        let next = entries.count < limit ? 0 : (entries.last?.position ?? 1) - 1
        self.init(
            entries: entries, cursor: FeedCursor(epoch: StoreLimits.firstEpoch, position: next))
    }
}

/// Keys to look up together.
package struct LedgerQuery: Hashable, Sendable {
    package struct Owned: Hashable, Sendable {
        package var account: AccountName
        package var product: ProductID
        package init(account: AccountName, product: ProductID) {
            self.account = account
            self.product = product
        }
    }
    package struct Subscribed: Hashable, Sendable {
        package var account: AccountName
        package var group: SubscriptionGroupID
        package init(account: AccountName, group: SubscriptionGroupID) {
            self.account = account
            self.group = group
        }
    }

    package struct Sold: Hashable, Sendable {
        package var account: AccountName
        package var id: TransactionID
        package init(account: AccountName, id: TransactionID) {
            self.account = account
            self.id = id
        }
    }

    package var accounts: Set<AccountName> = []
    package var payments: Set<PaymentID> = []
    /// Whole transactions; others' are not found.
    package var transactions: Set<Sold> = []
    /// Whether they were sold, as what, and whether they wait to be finished.
    package var finishing: Set<Sold> = []
    /// Requests: found while they wait; one that was approved is found as its transaction.
    package var pending: Set<TransactionID> = []
    /// Non-consumables.
    package var owned: Set<Owned> = []
    package var subscribed: Set<Subscribed> = []
    /// All products ever sold, for what a new catalog may make of them.
    package var wantsSoldProducts = false
    /// Transactions of whichever account.
    package var sales: Set<TransactionID> = []
    /// Whether chains renew, by their first transaction.
    package var subscriptions: Set<Sold> = []
    /// Every sale of a group that was not deleted, oldest first: costs what the account had.
    package var wholeGroups: Set<Subscribed> = []
    /// What happens next by itself, of whichever account.
    package var nextDue = false

    package init() {}
}

/// What was found, and the versions of the streams it came from: those of all queried accounts and
/// of the store.
package struct LedgerSnapshot: Sendable {
    package var versions: [StreamID: Int64] = [:]
    package var identity: AppIdentity?
    package var catalog: CatalogRevision?
    package var accounts: [AccountName: AccountSettings] = [:]
    package var payments: [PaymentID: PaymentRow] = [:]
    package var transactions: [TransactionID: TransactionRow] = [:]
    /// What the transactions asked about by `finishing` are.
    package var soldTypes: [LedgerQuery.Sold: ProductType] = [:]
    package var unfinished: [TransactionID: UnfinishedRow] = [:]
    package var pending: [TransactionID: PendingRow] = [:]
    package var owned: [LedgerQuery.Owned: TransactionRow] = [:]
    /// The latest sale in each group, expired or not: sold last, whatever its number; without
    /// those that were deleted.
    package var subscribed: [LedgerQuery.Subscribed: TransactionRow] = [:]
    /// Every product that was ever sold, where the query wanted them.
    package var soldProducts: [ProductID: SoldProduct] = [:]
    package var subscriptions: [TransactionID: SubscriptionRow] = [:]
    package var wholeGroups: [LedgerQuery.Subscribed: [TransactionRow]] = [:]
    /// Of the accounts asked about, those that have an entry of a kind this program does not know.
    package var accountsWithUnknownFacts: Set<AccountName> = []
    /// The store has an entry of such a kind that concerns everybody.
    package var hasUnknownFacts = false
    package var nextDue: DueItem?
    /// When the next thing happens by itself, of the accounts asked about that have one.
    package var firstDue: [AccountName: Timestamp] = [:]
    package var clock: ClockState?
    package var renewals: RenewalSettings?
    /// In force, in the order they were set.
    package var faults: [Fault] = []
    /// No entry is dated later.
    package var recordedUntil: Timestamp?

    package init() {}

    package func version(_ stream: StreamID) -> Int64 { versions[stream] ?? 0 }

    /// Throws `storeNewer` where the ledger says something about the account, or about everybody,
    /// that this program cannot read: it may have taken back what everything else here gives.
    package func refuseUnknownFacts(of account: AccountName) throws(StoreError) {
        guard hasUnknownFacts || accountsWithUnknownFacts.contains(account) else { return }
        throw StoreError(.storeNewer, subject: "a fact about \(account)")
    }
}
