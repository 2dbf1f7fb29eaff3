import Crypto
package import Foundation
package import StoreModel

/// The append-only record of everything that ever happened in a store, and lookups that are updated
/// in the same writes.
///
/// The protocol has no SQL and takes no closures, so that another database can replace the embedded
/// one. An implementation must pass `LedgerConformance`. Abilities that only some ledgers have are
/// protocols of their own: `SharedExecutorLedger`, `InspectableLedger`.
///
/// Errors: `storeBusy` (retryable), `storeFull`, `storeReadOnly`, `storeUnreadable`, and what a
/// requirement adds.
package protocol Ledger: Sendable {
    /// Records decisions, in order, in one durable write: when this returns, they
    /// survive a kill or a power cut. A conflict skips only its own decision; the result has one
    /// element for each decision. Positions and transaction numbers are assigned here, without gaps
    /// for skipped decisions. An entry's `recordedAt` is `now`, or that of the entry before it if
    /// that is later.
    ///
    /// - Throws: `contradictoryEntry` if any entry contradicts itself (`Entry.contradiction`);
    ///   nothing is recorded then. `outcomeUnknown` where a durable ledger cannot say whether the
    ///   write will be found later.
    func append(_ decisions: [Decision], at now: Timestamp) async throws(StoreError)
        -> [AppendResult]

    /// Reads everything a batch of requests depends on, as of one commit.
    func snapshot(_ query: LedgerQuery) async throws(StoreError) -> LedgerSnapshot

    /// The cursor of the last entry: the end of the feed now.
    func head() async throws(StoreError) -> FeedCursor

    /// The mark of the last `StoreLimits.markedEntries` entries that end at a cursor: the same for as
    /// long as the ledger is this one, and another where entries were lost and others recorded in
    /// their place. Nil if the ledger does not go as far, or the cursor is of another epoch. Costs
    /// as much as reading those entries.
    func mark(at cursor: FeedCursor) async throws(StoreError) -> FeedMark?

    /// Entries after a cursor in order, at most `limit`. With an account, only those about it or
    /// about the whole store; the page's cursor then passes the other accounts' entries too. Once a
    /// cursor was returned, no entry at or before it appears later, also with concurrent writers.
    ///
    /// - Throws: `storeReplaced` for a cursor of another epoch.
    func entries(after cursor: FeedCursor, account: AccountName?, limit: Int)
        async throws(StoreError) -> EntryPage

    /// Entries at or before a cursor that fit a filter, newest first, at most `limit` (one or more):
    /// a page of the history. Leaves out entries that are no event (`Entry.Fact.eventKind`). Start
    /// with `head()`. The page's cursor is where the next page begins; its position is 0 once
    /// nothing is left. Entries appended meanwhile never change a later page. The cost grows with the
    /// page, not with the length of the ledger or with the events that the filter leaves out.
    ///
    /// - Throws: `storeReplaced` for a cursor of another epoch.
    func entries(before cursor: FeedCursor, filter: HistoryFilter, limit: Int)
        async throws(StoreError) -> EntryPage

    /// Wakes after every append of any process; several appends may make one wake. The first wake
    /// comes at once, so that nothing is missed between subscribing and reading.
    func changes() -> AsyncStream<Void>

    /// An account's sales of these types with a number below `before`, newest first, at most
    /// `limit`. Leaves out deleted ones, and with `entitlingOnly` revoked ones too.
    func transactions(
        of account: AccountName, before: TransactionID?, kinds: Set<ProductType>,
        entitlingOnly: Bool, limit: Int
    ) async throws(StoreError) -> [TransactionRow]

    /// An account's unfinished sales, in order of their numbers.
    func unfinished(of account: AccountName) async throws(StoreError)
        -> [(UnfinishedRow, TransactionRow)]

    /// The sales that can entitle, in the order they were sold: non-consumables, the latest of each
    /// subscription group, the latest of each non-renewing product, and the latest share of each
    /// chain that family members share (StoreKit: `currentEntitlements`). Leaves out revoked and
    /// deleted ones; does not check expiry. The cost grows with the number of products that the
    /// account owns.
    func entitling(of account: AccountName) async throws(StoreError) -> [TransactionRow]

    /// Of each subscription that a family member shares with the account, or did, the last share that is
    /// not deleted, revoked or not, in the order they were recorded. Costs the account's shares.
    func lastShares(of account: AccountName) async throws(StoreError) -> [TransactionRow]

    /// The items due up to an instant, in order of time, then of chain, at most `limit`; of one
    /// account, or of all.
    func due(through instant: Timestamp, of account: AccountName?, limit: Int)
        async throws(StoreError) -> [DueItem]

    /// Subscriptions that renew or did, of all accounts, in order of their chains: those after one,
    /// at most `limit`.
    ///
    /// - Parameter chain: the last of the page before; nil for the first page.
    func subscriptions(after chain: TransactionID?, limit: Int) async throws(StoreError)
        -> [SubscriptionRow]

    /// All payments that wait for an answer, oldest first.
    func pending() async throws(StoreError) -> [PendingRow]

    /// All refunds that customers ask for and nobody has answered, oldest first.
    func refundRequests() async throws(StoreError) -> [RefundRequest]

    /// The tokens, user names and devices that more accounts use than is usual, in order of kind
    /// and subject. Costs as much as it returns.
    func notices() async throws(StoreError) -> [AccountNotice]

    /// All families, in order of their organizers.
    func families() async throws(StoreError) -> [Family]

    /// The sums that the store sold and refunded, one element a currency, in order of currency.
    func takings() async throws(StoreError) -> [SalesTotals]

    /// A text that entries refer to by digest (`Decision.attachments`); nil for an unknown digest.
    func attachment(_ digest: String) async throws(StoreError) -> Data?
}

/// A ledger whose executor others may share: an engine that runs on it reads, decides and records
/// without changing threads. An engine of any other ledger has an executor of its own.
package protocol SharedExecutorLedger: Ledger {
    /// The serial executor that all calls of this ledger run on.
    var executor: any SerialExecutor { get }
}

/// A ledger that can return all its rows, for tests and repair. Not required of every ledger, since
/// folding the entries gives the same rows (`Projections(folding:)`).
package protocol InspectableLedger: Ledger {
    /// All rows, as of one commit. Costs everything ever sold.
    func projections() async throws(StoreError) -> Projections
}

/// A page of entries and the cursor where the next page begins.
package struct EntryPage: Sendable {
    /// In the order that was asked for: of the feed oldest first, of a history newest first.
    package var entries: [RecordedEntry]
    /// Where the next page begins: pass it to the next call.
    package var cursor: FeedCursor

    /// Memberwise.
    package init(entries: [RecordedEntry], cursor: FeedCursor) {
        self.entries = entries
        self.cursor = cursor
    }

    /// A page of a history. One with fewer than `limit` entries is the last.
    ///
    /// - Parameter entries: newest first.
    package init(before entries: [RecordedEntry], limit: Int) {
        let next = entries.count < limit ? 0 : (entries.last?.position ?? 1) - 1
        self.init(
            entries: entries, cursor: FeedCursor(epoch: StoreLimits.firstEpoch, position: next))
    }
}

extension FeedMark {
    /// The mark of entries in the form in which a ledger stores them, which never changes.
    package init(ofStored entries: Data) {
        let digest = SHA256.hash(data: entries).prefix(16)
        self.init(rawValue: digest.map { String(format: "%02x", $0) }.joined())
    }
}

/// Keys to look up together, as of one commit. An empty query reads the state of the whole store.
package struct LedgerQuery: Hashable, Sendable {
    /// A product that an account may own.
    package struct Owned: Hashable, Sendable {
        /// The account.
        package var account: AccountName
        /// A non-consumable.
        package var product: ProductID
        /// Memberwise.
        package init(account: AccountName, product: ProductID) {
            self.account = account
            self.product = product
        }
    }

    /// A subscription group that an account may have a subscription of.
    package struct Subscribed: Hashable, Sendable {
        /// The account.
        package var account: AccountName
        /// The group.
        package var group: SubscriptionGroupID
        /// Memberwise.
        package init(account: AccountName, group: SubscriptionGroupID) {
            self.account = account
            self.group = group
        }
    }

    /// A transaction that may have been sold to an account.
    package struct Sold: Hashable, Sendable {
        /// The account.
        package var account: AccountName
        /// The transaction's number.
        package var id: TransactionID
        /// Memberwise.
        package init(account: AccountName, id: TransactionID) {
            self.account = account
            self.id = id
        }
    }

    /// Accounts: their settings, families, versions and first due times.
    package var accounts: Set<AccountName> = []
    /// Whether to read all accounts that have settings, as if each were in `accounts`. Costs the
    /// accounts there are; a catalog that changes the settings of all of them asks for it.
    package var wantsAllAccounts = false
    /// Payments, with their transactions and requests as they are now.
    package var payments: Set<PaymentID> = []
    /// Whole transactions; one of another account is not found.
    package var transactions: Set<Sold> = []
    /// Transactions to finish: the type of product sold, and whether it is unfinished.
    package var finishing: Set<Sold> = []
    /// Requests: found as pending while they wait, once accepted as the transactions that they became
    /// or were answered with.
    package var pending: Set<TransactionID> = []
    /// Accounts to read every payment of that waits.
    package var waiting: Set<AccountName> = []
    /// Transactions a refund may be asked for.
    package var refundRequests: Set<TransactionID> = []
    /// Sales of non-consumables that are not revoked and no family shares.
    package var owned: Set<Owned> = []
    /// Transactions to read the family shares of.
    package var shares: Set<TransactionID> = []
    /// Members, and chains of others by their first transaction: to read the member's first share.
    package var sharedChains: Set<Sold> = []
    /// Accounts to read everything of that can entitle (`Ledger.entitling`).
    package var entitling: Set<AccountName> = []
    /// The latest sale in each group.
    package var subscribed: Set<Subscribed> = []
    /// Whether to read every product that was ever sold; a new catalog is checked against them.
    package var wantsSoldProducts = false
    /// Transactions of any account.
    package var sales: Set<TransactionID> = []
    /// Subscription chains, by their first transaction.
    package var subscriptions: Set<Sold> = []
    /// Groups to read every sale of that is not deleted. The cost grows with the account's
    /// purchases in them.
    package var wholeGroups: Set<Subscribed> = []
    /// Identifiers of extensions for all.
    package var extensions: Set<UUID> = []
    /// Uses of offers.
    package var offerUses: Set<OfferUse.Key> = []
    /// Signatures of offers, by nonce: to read which payments used them.
    package var usedSignatures: Set<UUID> = []
    /// Codes to read the number of uses of. Costs that number.
    package var codeCounts: Set<String> = []
    /// Whether to read the next due item of all accounts.
    package var nextDue = false

    /// A query for the state of the whole store.
    package init() {}
}

/// The answer to a `LedgerQuery`, as of one commit. A key that was not found, or not asked for, is
/// absent.
package struct LedgerSnapshot: Sendable {
    /// The versions of the store's stream and of the streams of all accounts asked for.
    package var versions: [StreamID: Int64] = [:]
    /// The app that owns the store; nil before it was opened first.
    package var identity: AppIdentity?
    /// The catalog in force; nil before the first one.
    package var catalog: CatalogRevision?
    /// Settings of the accounts asked for, where the ledger has any.
    package var accounts: [AccountName: AccountSettings] = [:]
    /// The families of the accounts asked for, where they are in one.
    package var families: [AccountName: Family] = [:]
    /// The shares of the sales in `LedgerQuery.shares`, in order of the shares' numbers, revoked
    /// ones too.
    package var shares: [TransactionID: [TransactionRow]] = [:]
    /// The first share of each member and chain in `LedgerQuery.sharedChains`.
    package var sharedChains: [LedgerQuery.Sold: TransactionRow] = [:]
    /// The sales that entitle each account of `LedgerQuery.entitling`.
    package var entitling: [AccountName: [TransactionRow]] = [:]
    /// The payments of `LedgerQuery.payments`, with their outcomes.
    package var payments: [PaymentID: PaymentRow] = [:]
    /// The transactions of `LedgerQuery.transactions`, `sales` and `pending` (approved requests).
    package var transactions: [TransactionID: TransactionRow] = [:]
    /// The types of the products that the transactions of `LedgerQuery.finishing` sold.
    package var soldTypes: [LedgerQuery.Sold: ProductType] = [:]
    /// Those transactions of `LedgerQuery.finishing` that are unfinished.
    package var unfinished: [TransactionID: UnfinishedRow] = [:]
    /// Those requests of `LedgerQuery.pending` that wait for an answer.
    package var pending: [TransactionID: PendingRow] = [:]
    /// The transactions that those requests of `LedgerQuery.pending` were answered with that were
    /// accepted and sold nothing, because the plan begins later.
    package var answered: [TransactionID: TransactionRow] = [:]
    /// The payments that wait, of the accounts of `LedgerQuery.waiting`, oldest first.
    package var waiting: [AccountName: [PendingRow]] = [:]
    /// The refund requests that wait, of the transactions of `LedgerQuery.refundRequests`.
    package var refundRequests: [TransactionID: RefundRequest] = [:]
    /// The latest sale that is not revoked, of each account and product in `LedgerQuery.owned`.
    package var owned: [LedgerQuery.Owned: TransactionRow] = [:]
    /// The sale in each group of `LedgerQuery.subscribed` that was sold last, expired or not,
    /// revoked or not, whatever its number. Leaves out deleted ones and family shares.
    package var subscribed: [LedgerQuery.Subscribed: TransactionRow] = [:]
    /// Every product that was ever sold, if `LedgerQuery.wantsSoldProducts`.
    package var soldProducts: [ProductID: SoldProduct] = [:]
    /// The subscriptions of `LedgerQuery.subscriptions`, by the chain's first transaction.
    package var subscriptions: [TransactionID: SubscriptionRow] = [:]
    /// The next due items of the chains in `LedgerQuery.subscriptions`.
    package var due: [TransactionID: DueItem] = [:]
    /// All sales of the groups in `LedgerQuery.wholeGroups`, oldest first, without deleted ones and
    /// family shares.
    package var wholeGroups: [LedgerQuery.Subscribed: [TransactionRow]] = [:]
    /// When the extensions in `LedgerQuery.extensions` were first asked for, where they were.
    package var extensions: [UUID: Timestamp] = [:]
    /// The uses of `LedgerQuery.offerUses` that are recorded.
    package var offerUses: [OfferUse.Key: OfferUse] = [:]
    /// The uses of the signatures in `LedgerQuery.usedSignatures`, by nonce.
    package var usedSignatures: [UUID: OfferUse] = [:]
    /// How often the codes of `LedgerQuery.codeCounts` were redeemed, by all accounts.
    package var codeCounts: [String: Int] = [:]
    /// Those accounts asked for that have an entry of a kind this program does not know.
    package var accountsWithUnknownFacts: Set<AccountName> = []
    /// Whether the store's stream has an entry of a kind this program does not know.
    package var hasUnknownFacts = false
    /// The next due item of all accounts, if `LedgerQuery.nextDue`.
    package var nextDue: DueItem?
    /// When the next item is due, for those accounts asked for that have one.
    package var firstDue: [AccountName: Timestamp] = [:]
    /// The clock's state; nil while the operator has not set it.
    package var clock: ClockState?
    /// How subscriptions renew; nil while nothing has set it.
    package var renewals: RenewalSettings?
    /// The faults in force, in the order they were set.
    package var faults: [Fault] = []
    /// When the last entry was recorded; no entry is dated later. Nil while there is none.
    package var recordedUntil: Timestamp?

    /// A snapshot of an empty store.
    package init() {}

    /// The version of a stream; 0 for one that has no entry, or was not asked for.
    package func version(_ stream: StreamID) -> Int64 { versions[stream] ?? 0 }

    /// Throws `storeNewer` where the ledger has an entry about the account, or about the whole
    /// store, that this program cannot read: it may have revoked what the other entries grant.
    package func refuseUnknownFacts(of account: AccountName) throws(StoreError) {
        guard hasUnknownFacts || accountsWithUnknownFacts.contains(account) else { return }
        throw StoreError(.storeNewer, subject: "a fact about \(account)")
    }
}
