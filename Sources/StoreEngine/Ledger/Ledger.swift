import Basics
import Crypto
package import Foundation
package import StoreModel

/// The append-only record of everything that has happened in a store, with lookup tables that are
/// updated in the same writes.
///
/// The protocol has no SQL and takes no closures, so that another database can replace the embedded
/// one. An implementation must pass `LedgerConformance`. Features that only some ledgers have are
/// in separate protocols: `SharedExecutorLedger`, `StampedLedger`, `InspectableLedger`.
///
/// Every requirement may throw `storeBusy` (retryable), `storeFull`, `storeReadOnly` and
/// `storeUnreadable`, besides the errors in its own comment.
package protocol Ledger: Sendable {
    /// Records decisions, in order, in one durable write: when this returns, they survive a kill or
    /// a power cut. A conflict skips only its own decision. The result has one element for each
    /// decision. The ledger assigns positions and transaction numbers, without gaps for skipped
    /// decisions. An entry's `recordedAt` is `now`, or that of the previous entry if that is later.
    ///
    /// - Throws: `contradictoryEntry` if any entry contradicts itself (`Entry.contradiction`), and
    ///   then records nothing; `storeMoved` after the entry that closes the store (`StoreMove`);
    ///   `outcomeUnknown` if a durable ledger cannot tell whether the write will be found after a
    ///   crash.
    func append(_ decisions: [Decision], at now: Timestamp) async throws(StoreError)
        -> [AppendResult]

    /// Reads everything that a batch of requests depends on, as of one commit.
    func snapshot(_ query: LedgerQuery) async throws(StoreError) -> LedgerSnapshot

    /// The cursor of the last entry, which is the present end of the feed.
    func head() async throws(StoreError) -> FeedCursor

    /// A mark of the last `StoreLimits.markedEntries` entries up to a cursor. It stays the same
    /// while the history up to the cursor is the same, and differs if entries were lost and others
    /// recorded in their place. Nil if the cursor is after the last entry or of another epoch.
    /// Costs one read of those entries.
    func mark(at cursor: FeedCursor) async throws(StoreError) -> FeedMark?

    /// Entries after a cursor in order, at most `limit`. With an account, only entries about it or
    /// about the whole store; the page's cursor then also passes the entries of other accounts.
    /// After a cursor was returned, no entry appears at or before it, even with concurrent writers.
    ///
    /// - Throws: `storeReplaced` for a cursor of another epoch.
    func entries(after cursor: FeedCursor, account: AccountName?, limit: Int)
        async throws(StoreError) -> EntryPage

    /// A page of history: entries at or before a cursor that match a filter, newest first, at most
    /// `limit` (at least one). Entries that are no events are left out (`RecordedEntry.changes`).
    /// The first page starts at `head()`. The page's cursor is the start of the next page; its
    /// position is 0 when no entry is left. Entries appended meanwhile do not change later pages.
    /// The cost grows with the page, not with the ledger or the events that the filter leaves out.
    ///
    /// - Throws: `storeReplaced` for a cursor of another epoch.
    func entries(before cursor: FeedCursor, filter: HistoryFilter, limit: Int)
        async throws(StoreError) -> EntryPage

    /// Wakes after every append of any process; several appends may give one wake. The first wake
    /// comes at once, so that no entry is missed between subscribing and reading.
    func changes() -> AsyncStream<Void>

    /// An account's sales of these types with a number below `before`, newest first, at most
    /// `limit`. Deleted sales are left out; with `entitlingOnly`, revoked ones too.
    func transactions(
        of account: AccountName, before: TransactionID?, kinds: Set<ProductType>,
        entitlingOnly: Bool, limit: Int
    ) async throws(StoreError) -> [TransactionRow]

    /// An account's unfinished sales, in order of their numbers.
    func unfinished(of account: AccountName) async throws(StoreError)
        -> [(UnfinishedRow, TransactionRow)]

    /// The sales that can entitle, in the order in which they were sold: non-consumables, the
    /// latest of each subscription group, the latest of each non-renewing product, and the latest
    /// share of each chain that family members share (StoreKit: `currentEntitlements`). Revoked and
    /// deleted sales are left out; expired ones are not. The cost grows with the number of products
    /// that the account owns.
    func entitling(of account: AccountName) async throws(StoreError) -> [TransactionRow]

    /// The last share of each subscription that a family member shares or has shared with the
    /// account, in the order in which they were recorded. Revoked shares are included, deleted ones
    /// are not. The cost grows with the account's shares.
    func lastShares(of account: AccountName) async throws(StoreError) -> [TransactionRow]

    /// The items due up to an instant, of one account or of all, in order of time and then of
    /// chain, at most `limit`.
    func due(through instant: Timestamp, of account: AccountName?, limit: Int)
        async throws(StoreError) -> [DueItem]

    /// Subscriptions that renew or have renewed, of all accounts, in order of their chains, at most
    /// `limit`.
    ///
    /// - Parameter chain: the last chain of the previous page; nil for the first page.
    func subscriptions(after chain: TransactionID?, limit: Int) async throws(StoreError)
        -> [SubscriptionRow]

    /// All payments that wait for an answer, oldest first.
    func pending() async throws(StoreError) -> [ApprovalRequest]

    /// All refund requests of customers that the operator has not answered, oldest first.
    func refundRequests() async throws(StoreError) -> [RefundRequest]

    /// The tokens, user names and devices that more accounts use than is usual, in order of kind
    /// and subject. The cost grows with the result.
    func notices() async throws(StoreError) -> [AccountNotice]

    /// All families, in order of their organizers.
    func families() async throws(StoreError) -> [Family]

    /// The sums sold and refunded, one element for each currency, in order of currency.
    func takings() async throws(StoreError) -> [SalesTotals]

    /// Notifications of the outbox, as of one commit. The cost grows with the page, and with the
    /// notifications that a filter other than by type or account leaves out.
    func outbox(_ query: OutboxQuery) async throws(StoreError) -> OutboxPage

    /// A text that entries refer to by its digest (`Decision.attachments`); nil for an unknown
    /// digest.
    func attachment(_ digest: String) async throws(StoreError) -> Data?
}

/// A ledger whose executor an engine can share, in order to read, decide and record without a
/// thread switch. The engine of any other ledger has its own executor.
package protocol SharedExecutorLedger: Ledger {
    /// The serial executor that all calls of this ledger run on.
    var executor: any SerialExecutor { get }
}

/// A ledger that tells without a read whether anything was recorded. What was read from it need not be
/// read again until then.
package protocol StampedLedger: Ledger {
    /// Of the last append of any process, as soon as that has returned. Nil where only a read can
    /// tell, or would throw.
    var stamp: CommitStamp? { get }
}

/// A ledger that can return all its rows, for tests and repair. Not every ledger needs this,
/// because folding the entries gives the same rows (`Projections(folding:)`).
package protocol InspectableLedger: Ledger {
    /// All rows, as of one commit. The cost grows with everything ever sold.
    func projections() async throws(StoreError) -> Projections
}

/// A page of entries and the cursor where the next page begins.
package struct EntryPage: Sendable {
    /// Oldest first on a page of the feed, newest first on a page of history.
    package var entries: [RecordedEntry]
    package var cursor: FeedCursor

    package init(entries: [RecordedEntry], cursor: FeedCursor) {
        self.entries = entries
        self.cursor = cursor
    }

    /// Makes a page of history. A page with fewer than `limit` entries is the last.
    ///
    /// - Parameter entries: newest first.
    package init(before entries: [RecordedEntry], limit: Int, epoch: Int64) {
        let next = entries.count < limit ? 0 : (entries.last?.position ?? 1) - 1
        self.init(entries: entries, cursor: FeedCursor(epoch: epoch, position: next))
    }
}

extension FeedMark {
    /// The mark of entries, computed from the encoding in which a ledger stores them. That encoding
    /// never changes.
    package init(ofStored entries: Data) {
        let digest = SHA256.hash(data: entries).prefix(16)
        self.init(rawValue: HexText.of(digest))
    }
}

/// Keys to look up together, as of one commit. Even an empty query reads the state of the whole
/// store.
package struct LedgerQuery: Hashable, Sendable {
    /// A product that an account may own.
    package struct Owned: Hashable, Sendable {
        package var account: AccountName
        /// A non-consumable.
        package var product: ProductID
        package init(account: AccountName, product: ProductID) {
            self.account = account
            self.product = product
        }
    }

    /// A subscription group that an account may have a subscription of.
    package struct Subscribed: Hashable, Sendable {
        package var account: AccountName
        package var group: SubscriptionGroupID
        package init(account: AccountName, group: SubscriptionGroupID) {
            self.account = account
            self.group = group
        }
    }

    /// A transaction that may have been sold to an account.
    package struct Sold: Hashable, Sendable {
        package var account: AccountName
        package var id: TransactionID
        package init(account: AccountName, id: TransactionID) {
            self.account = account
            self.id = id
        }
    }

    /// With their settings, families, versions and first due times.
    package var accounts: Set<AccountName> = []
    /// Whether to read all accounts that have settings, as if each were in `accounts`. The cost
    /// grows with their number. Set for a catalog that changes the settings of all accounts.
    package var wantsAllAccounts = false
    /// Accounts whose small values are all read. The cost grows with their number and length.
    package var values: Set<AccountName> = []
    /// Payments, each with the present state of its transaction or request.
    package var payments: Set<PaymentID> = []
    /// One of another account is not found.
    package var transactions: Set<Sold> = []
    /// Transactions to finish: the type of product sold, and whether it is unfinished.
    package var finishing: Set<Sold> = []
    /// Requests. A waiting one is found as pending; an accepted one as the transaction that it
    /// became, or that it was answered with.
    package var pending: Set<TransactionID> = []
    /// Accounts whose waiting payments are all read.
    package var waiting: Set<AccountName> = []
    /// Transactions whose waiting refund request is read.
    package var refundRequests: Set<TransactionID> = []
    /// Products whose sale to the account is read, unless it is revoked or a family share.
    package var owned: Set<Owned> = []
    /// Transactions whose family shares are read.
    package var shares: Set<TransactionID> = []
    /// Pairs of a member and another account's chain, named by its first transaction. The member's
    /// first share of the chain is read.
    package var sharedChains: Set<Sold> = []
    /// Accounts whose entitling sales are all read (`Ledger.entitling`).
    package var entitling: Set<AccountName> = []
    /// Groups whose last sale to the account is read.
    package var subscribed: Set<Subscribed> = []
    /// Whether to read every product that was ever sold, against which a new catalog is checked.
    package var wantsSoldProducts = false
    /// Transactions of any account.
    package var sales: Set<TransactionID> = []
    /// Subscription chains, by their first transaction.
    package var subscriptions: Set<Sold> = []
    /// Groups whose sales to the account are all read, except deleted ones. The cost grows with the
    /// account's purchases in them.
    package var wholeGroups: Set<Subscribed> = []
    /// Identifiers of extensions for all.
    package var extensions: Set<UUID> = []
    package var offerUses: Set<OfferUse.Key> = []
    /// Signatures of offers, by nonce: to read which payments used them.
    package var usedSignatures: Set<UUID> = []
    /// Codes whose number of uses is read. The cost grows with that number.
    package var codeCounts: Set<String> = []
    /// Notifications to the app's backend: how far the store has come with each, with the version of
    /// the outbox.
    package var outbox: Set<UUID> = []
    /// Whether to read the next due item of all accounts.
    package var nextDue = false

    /// - Parameter ask: sets the keys.
    package init(_ ask: (inout Self) -> Void = { _ in }) { ask(&self) }
}

/// The answer to a `LedgerQuery`, as of one commit. A key is absent if it was not found or not in
/// the query.
package struct LedgerSnapshot: Sendable {
    /// The versions of the store's stream, of the streams of all accounts in the query, and of the
    /// outbox if the query names a notification.
    package var versions: [StreamID: Int64] = [:]
    /// The app that owns the store; nil if the store was never opened.
    package var identity: AppIdentity?
    /// The address where the store goes on; nil if it was not closed.
    package var goesOnAt: String?
    /// The address of the store that this is a copy of, while the copy is not complete; nil for any
    /// other store.
    package var unfinishedCopyOf: String?
    /// The catalog in force; nil before the first one.
    package var catalog: CatalogRevision?
    /// An account without settings is absent.
    package var accounts: [AccountName: AccountSettings] = [:]
    /// An account without a family is absent.
    package var families: [AccountName: Family] = [:]
    /// By key. An account without values is absent.
    package var values: [AccountName: [String: String]] = [:]
    /// In order of the shares' numbers, including revoked ones.
    package var shares: [TransactionID: [TransactionRow]] = [:]
    package var sharedChains: [LedgerQuery.Sold: TransactionRow] = [:]
    package var entitling: [AccountName: [TransactionRow]] = [:]
    package var payments: [PaymentID: PaymentRow] = [:]
    /// The transactions of `LedgerQuery.transactions`, of `sales`, and of `pending` if approved.
    package var transactions: [TransactionID: TransactionRow] = [:]
    /// Of the transactions of `LedgerQuery.finishing`.
    package var soldTypes: [LedgerQuery.Sold: ProductType] = [:]
    /// Of the transactions of `LedgerQuery.finishing`.
    package var unfinished: [TransactionID: UnfinishedRow] = [:]
    /// Those that wait for an answer.
    package var pending: [TransactionID: ApprovalRequest] = [:]
    /// For requests among `LedgerQuery.pending` that were accepted but sold nothing, because the
    /// plan begins later: the transactions that they were answered with.
    package var answered: [TransactionID: TransactionRow] = [:]
    /// Oldest first.
    package var waiting: [AccountName: [ApprovalRequest]] = [:]
    /// Those that wait.
    package var refundRequests: [TransactionID: RefundRequest] = [:]
    /// The latest sale that is not revoked, of each account and product in `LedgerQuery.owned`.
    package var owned: [LedgerQuery.Owned: TransactionRow] = [:]
    /// The most recent sale in each group of `LedgerQuery.subscribed`, by time and not by number,
    /// even if expired or revoked. Deleted sales and family shares are left out.
    package var subscribed: [LedgerQuery.Subscribed: TransactionRow] = [:]
    /// Empty without `LedgerQuery.wantsSoldProducts`.
    package var soldProducts: [ProductID: SoldProduct] = [:]
    /// By the chain's first transaction.
    package var subscriptions: [TransactionID: SubscriptionRow] = [:]
    /// Of the chains in `LedgerQuery.subscriptions`.
    package var due: [TransactionID: DueItem] = [:]
    /// All sales of the groups in `LedgerQuery.wholeGroups`, oldest first, without deleted ones and
    /// family shares.
    package var wholeGroups: [LedgerQuery.Subscribed: [TransactionRow]] = [:]
    /// When each was first requested; absent if never.
    package var extensions: [UUID: Timestamp] = [:]
    package var offerUses: [OfferUse.Key: OfferUse] = [:]
    package var usedSignatures: [UUID: OfferUse] = [:]
    /// By all accounts.
    package var codeCounts: [String: Int] = [:]
    package var outbox: [UUID: OutboxProgressRow] = [:]
    /// The accounts in the query that have an entry of a kind that this program does not know.
    package var accountsWithUnknownFacts: Set<AccountName> = []
    /// Whether the store's stream has an entry of a kind that this program does not know.
    package var hasUnknownFacts = false
    /// Of all accounts, if `LedgerQuery.nextDue`.
    package var nextDue: DueItem?
    /// When the next item of each account in the query is due; absent if none is.
    package var firstDue: [AccountName: Timestamp] = [:]
    /// Nil if the operator never set it.
    package var clock: ClockState?
    /// Nil if they were never set.
    package var renewals: RenewalSettings?
    /// Nil if they were never set.
    package var server: ServerSettings?
    /// Those in force, in the order they were set.
    package var faults: [Fault] = []
    /// When the last entry was recorded; no entry has a later date. Nil if there is no entry.
    package var recordedUntil: Timestamp?

    package init() {}

    /// 0 if the stream has no entry or was not in the query.
    package func version(_ stream: StreamID) -> Int64 { versions[stream] ?? 0 }

    /// Throws `storeNewer` if the ledger has an entry about the account or the whole store that
    /// this program cannot decode: such an entry may have revoked a grant of the others.
    package func refuseUnknownFacts(of account: AccountName) throws(StoreError) {
        guard hasUnknownFacts || accountsWithUnknownFacts.contains(account) else { return }
        throw StoreError(.storeNewer, subject: "a fact about \(account)")
    }
}
