import Basics
package import Foundation
package import StoreEngine
package import StoreModel

/// A ledger in memory: the simple model with which tests compare `SQLiteLedger`. The cost of
/// its lookups grows with the number of sales.
package actor InMemoryLedger: SharedExecutorLedger, InspectableLedger {
    private var recorded: [RecordedEntry] = []
    private var rows = Projections()
    /// The position of each transaction's sale. Sales are not in the order of their numbers: a
    /// request gets its number when it is made, and is sold when it is approved.
    private var soldAt: [TransactionID: Int64] = [:]
    /// The transactions of each account, in order of their sales.
    private var bought: [AccountName: [TransactionID]] = [:]
    private var versions: [StreamID: Int64] = [:]
    private var attachments: [String: Data] = [:]
    /// Streams with an entry of a kind that this program does not know.
    private var unknownFacts: Set<StreamID> = []
    /// Numbers that began as requests for approval.
    private var requested: Set<TransactionID> = []
    private var nextNumber = StoreLimits.firstTransactionNumber
    private nonisolated let notifier = ChangeSignal()
    private nonisolated let queue = SerialQueueExecutor(label: "storefront.ledger")

    package nonisolated var executor: any SerialExecutor { queue }
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        queue.asUnownedSerialExecutor()
    }

    package init() {}

    private var epoch: Int64 { rows.epoch ?? StoreLimits.firstEpoch }

    private var goesOnAt: String? {
        if case .moved(let move) = recorded.last?.entry.fact { move.closedFor } else { nil }
    }

    /// Records in memory only: nothing is durable.
    package func append(_ decisions: [Decision], at now: Timestamp) throws(StoreError)
        -> [AppendResult]
    {
        try decisions.checkEntries()
        if let goesOnAt { throw StoreError(.storeMoved, subject: goesOnAt) }
        let recordedAt = max(now, recorded.last?.recordedAt ?? now)
        let before = versions
        var results: [AppendResult] = []
        for decision in decisions {
            results.append(try append(decision, at: recordedAt, before: before))
        }
        notifier.notify()
        return results
    }

    private func append(
        _ decision: Decision, at recordedAt: Timestamp, before: [StreamID: Int64]
    ) throws(StoreError) -> AppendResult {
        guard decision.reads.allSatisfy({ before[$0.key, default: 0] == $0.value }),
            decision.newPayments.allSatisfy({ rows.payments[$0] == nil }),
            decision.unsoldProducts.allSatisfy({ rows.soldProducts[$0] == nil }),
            decision.unusedSignatures.allSatisfy({ use(ofSignature: $0) == nil }),
            decision.codeCounts.allSatisfy({ count(ofCode: $0.key) == $0.value })
        else { return .conflict }
        attachments.merge(decision.attachments) { kept, _ in kept }
        var entries: [RecordedEntry] = []
        for entry in decision.entries {
            entries.append(
                try record(entry.naming(entries.map(\.number)) ?? entry, at: recordedAt))
        }
        return .recorded(entries)
    }

    private func record(_ entry: Entry, at recordedAt: Timestamp)
        throws(StoreError) -> RecordedEntry
    {
        let number: TransactionID? =
            switch entry.number {
            case .none: nil
            case .existing(let id): id
            case .next: TransactionID(nextNumber)
            }
        if entry.number == .next { nextNumber += 1 }
        let positioned = RecordedEntry(
            position: Int64(recorded.count + 1), recordedAt: recordedAt, number: number,
            entry: entry)
        recorded.append(positioned)
        try rows.apply(positioned)
        if case .deferred = entry.fact, let number { requested.insert(number) }
        if let number, case .sold = entry.fact {
            soldAt[number] = positioned.position
            if let account = entry.account { bought[account, default: []].append(number) }
        }
        if case .unknown = entry.fact { unknownFacts.insert(entry.stream) }
        versions[entry.stream] = positioned.position
        return positioned
    }

    /// Reads everything at once, on the actor.
    package func snapshot(_ query: LedgerQuery) -> LedgerSnapshot {
        var found = LedgerSnapshot()
        found.identity = rows.identity
        found.goesOnAt = goesOnAt
        found.catalog = rows.catalog
        found.faults = rows.faults.values.sorted { $0.id < $1.id }
        found.recordedUntil = recorded.last?.recordedAt
        found.clock = rows.clock
        found.renewals = rows.renewals
        found.server = rows.server
        let accounts =
            query.wantsAllAccounts ? query.accounts.union(rows.accounts.keys) : query.accounts
        for stream in [.store] + accounts.map(StreamID.account) {
            found.versions[stream] = versions[stream, default: 0]
        }
        for account in accounts {
            found.accounts[account] = rows.accounts[account]
            found.families[account] = rows.families[account]
        }
        for item in rows.due.values where accounts.contains(item.account) {
            found.firstDue[item.account] = min(item.at, found.firstDue[item.account] ?? item.at)
        }
        for account in query.values { found.values[account] = rows.values[account] }
        if !query.outbox.isEmpty { found.versions[.outbox] = versions[.outbox, default: 0] }
        for id in query.outbox { found.outbox[id] = rows.outbox[id].map { OutboxProgressRow($0) } }
        if query.nextDue { found.nextDue = due(through: .latest, of: nil, limit: 1).first }
        for id in query.payments { found.payments[id] = rows.payment(id) }
        for sold in query.transactions where rows.transactions[sold.id]?.account == sold.account {
            found.transactions[sold.id] = rows.transactions[sold.id]
        }
        for sold in query.finishing where rows.transactions[sold.id]?.account == sold.account {
            found.soldTypes[sold] = rows.transactions[sold.id]?.sale.type
            found.unfinished[sold.id] = rows.unfinished[sold.id]
        }
        for number in query.pending {
            found.pending[number] = rows.pending[number]
            let wasApproved = requested.contains(number)
            if wasApproved { found.transactions[number] = rows.transactions[number] }
            if case .answered(let id) = rows.requestEnds[number] {
                found.answered[number] = rows.transactions[id]
            }
        }
        for account in query.waiting {
            found.waiting[account] = pending().filter { $0.account == account }
        }
        for id in query.refundRequests { found.refundRequests[id] = rows.refundRequests[id] }
        if query.wantsSoldProducts { found.soldProducts = rows.soldProducts }
        for key in query.owned {
            found.owned[key] = latest {
                $0.account == key.account && $0.sale.productID == key.product
                    && $0.sale.type == .nonConsumable && !$0.state.isRevoked
                    && $0.sale.sharedTransaction == nil
            }
        }
        for id in query.shares {
            found.shares[id] = shares { $0.shared == id }
        }
        for key in query.sharedChains {
            found.sharedChains[key] =
                shares { $0.chain == key.id && $0.account == key.account }.first
        }
        for account in query.entitling { found.entitling[account] = entitling(of: account) }
        for key in query.subscribed { found.subscribed[key] = group(key).last }
        for key in query.wholeGroups { found.wholeGroups[key] = group(key) }
        for id in query.extensions { found.extensions[id] = rows.extensions[id] }
        for key in query.offerUses { found.offerUses[key] = rows.offerUses[key] }
        for nonce in query.usedSignatures {
            found.usedSignatures[nonce] = use(ofSignature: nonce)
        }
        for code in query.codeCounts { found.codeCounts[code] = count(ofCode: code) }
        for id in query.sales { found.transactions[id] = rows.transactions[id] }
        for sold in query.subscriptions
        where rows.subscriptions[sold.id]?.account == sold.account {
            found.subscriptions[sold.id] = rows.subscriptions[sold.id]
            found.due[sold.id] = rows.due[.init(chain: sold.id, kind: .renewal)]
        }
        found.accountsWithUnknownFacts = accounts.filter {
            unknownFacts.contains(.account($0))
        }
        found.hasUnknownFacts = unknownFacts.contains(.store)
        return found
    }

    private func use(ofSignature nonce: UUID) -> OfferUse? {
        rows.offerUses.values.first { $0.key.subject == .signature(nonce) }
    }

    private func count(ofCode code: String) -> Int {
        rows.offerUses.values.count { $0.key.subject == .code(code) }
    }

    /// The family shares for which `fits` is true, in order of their numbers.
    private func shares(_ fits: (ShareRow) -> Bool) -> [TransactionRow] {
        rows.shares.values.filter(fits).compactMap { rows.transactions[$0.id] }
            .sorted { $0.id < $1.id }
    }

    /// An account's sales of a subscription group, oldest first, without deleted ones and shares.
    private func group(_ key: LedgerQuery.Subscribed) -> [TransactionRow] {
        sales(of: key.account).filter {
            $0.sale.groupID == key.group && !$0.state.isDeleted
                && $0.sale.sharedTransaction == nil
        }
    }

    /// Sorts by time, then by chain.
    package func due(through instant: Timestamp, of account: AccountName?, limit: Int) -> [DueItem]
    {
        let due = rows.due.values.filter { item in
            item.at <= instant && (account.map { item.account == $0 } ?? true)
        }
        return Array(due.sorted { ($0.at, $0.chain) < ($1.at, $1.chain) }.prefix(limit))
    }

    /// Sorts by chain.
    package func subscriptions(after chain: TransactionID?, limit: Int) -> [SubscriptionRow] {
        let rows = rows.subscriptions.values.filter { row in chain.map { row.chain > $0 } ?? true }
        return Array(rows.sorted { $0.chain < $1.chain }.prefix(limit))
    }

    private func latest(_ matches: (TransactionRow) -> Bool) -> TransactionRow? {
        rows.transactions.values.filter(matches).max { soldPosition($0) < soldPosition($1) }
    }

    /// An account's sales, in the order in which they were sold.
    private func sales(of account: AccountName) -> [TransactionRow] {
        bought[account, default: []].compactMap { rows.transactions[$0] }
    }

    private func soldPosition(_ row: TransactionRow) -> Int64 { soldAt[row.id] ?? 0 }

    /// The position of the last entry; the epoch is always 1.
    package func head() -> FeedCursor { FeedCursor(epoch: epoch, position: Int64(recorded.count)) }

    /// Valid for this process only, like the ledger.
    package func mark(at cursor: FeedCursor) -> FeedMark? {
        let end = Int(cursor.position)
        guard cursor.epoch == epoch, end >= 0, end <= recorded.count else { return nil }
        var hasher = Hasher()
        hasher.combine(recorded[..<end].suffix(StoreLimits.markedEntries))
        return FeedMark(rawValue: String(hasher.finalize()))
    }

    /// Takes time in proportion to the entries from the cursor to the end of the page.
    package func entries(after cursor: FeedCursor, account: AccountName?, limit: Int)
        throws(StoreError) -> EntryPage
    {
        guard cursor.epoch == epoch else { throw StoreError(.storeReplaced) }
        let start = min(max(0, Int(cursor.position)), recorded.count)
        var found: [RecordedEntry] = []
        for entry in recorded[start...] {
            if entry.concerns(account) { found.append(entry) }
            if found.count == limit {
                return EntryPage(
                    entries: found, cursor: FeedCursor(epoch: epoch, position: entry.position))
            }
        }
        return EntryPage(entries: found, cursor: head())
    }

    /// Takes time in proportion to the entries from the cursor to the end of the page.
    package func entries(before cursor: FeedCursor, filter: HistoryFilter, limit: Int)
        throws(StoreError) -> EntryPage
    {
        guard cursor.epoch == epoch else { throw StoreError(.storeReplaced) }
        let end = min(max(0, Int(cursor.position)), recorded.count)
        let found = recorded[..<end].reversed().lazy
            .prefix { entry in filter.since.map { entry.recordedAt >= $0 } ?? true }
            .filter { [rows] in rows.history[$0.position]?.fits(filter) == true }
            .prefix(limit)
        return EntryPage(before: Array(found), limit: limit, epoch: epoch)
    }

    /// Wakes after every append of this process; no other process can append.
    package nonisolated func changes() -> AsyncStream<Void> { notifier.subscribe() }

    /// Sorts the newest first.
    package func transactions(
        of account: AccountName, before: TransactionID?, kinds: Set<ProductType>,
        entitlingOnly: Bool, limit: Int
    ) -> [TransactionRow] {
        let all = sales(of: account)
            .filter { kinds.contains($0.sale.type) }
            .filter { entitlingOnly ? !$0.state.isRevoked : !$0.state.isDeleted }
            .filter { row in before.map { row.id < $0 } ?? true }
            .sorted { $0.id > $1.id }
        return Array(all.prefix(limit))
    }

    /// Sorts by transaction number.
    package func unfinished(of account: AccountName) -> [(UnfinishedRow, TransactionRow)] {
        rows.unfinished.values.filter { $0.account == account }.sorted { $0.id < $1.id }
            .compactMap { row in rows.transactions[row.id].map { (row, $0) } }
    }

    /// Sorts by the order of the sales.
    package func entitling(of account: AccountName) -> [TransactionRow] {
        let own = sales(of: account).filter {
            $0.sale.type != .consumable && !$0.state.isRevoked
        }
        let latest = Dictionary(grouping: own) { row in
            EntitlingKey(
                name: row.sale.groupID?.rawValue ?? row.sale.productID.rawValue,
                shareChain: rows.shares[row.id]?.chain)
        }
        return latest.values.compactMap { $0.max { soldPosition($0) < soldPosition($1) } }
            .sorted { soldPosition($0) < soldPosition($1) }
    }

    /// Sorts by the order in which the shares were recorded.
    package func lastShares(of account: AccountName) -> [TransactionRow] {
        let shares = sales(of: account).filter {
            $0.sale.groupID != nil && !$0.state.isDeleted && rows.shares[$0.id] != nil
        }
        return Dictionary(grouping: shares) { rows.shares[$0.id]?.chain }.values
            .compactMap { $0.max { soldPosition($0) < soldPosition($1) } }
            .sorted { soldPosition($0) < soldPosition($1) }
    }

    /// Sorts by request number.
    package func pending() -> [ApprovalRequest] {
        rows.pending.values.sorted { $0.number < $1.number }
    }

    /// Sorts by time, then by transaction.
    package func refundRequests() -> [RefundRequest] {
        rows.refundRequests.values.sorted {
            ($0.askedAt, $0.transactionID) < ($1.askedAt, $1.transactionID)
        }
    }

    /// Takes time in proportion to all recorded uses.
    package func notices() -> [AccountNotice] { [AccountNotice](rows.uses) }

    /// Sorts by organizer.
    package func families() -> [Family] {
        rows.families.filter { $0.key == $0.value.organizer }.map(\.value)
            .sorted { $0.organizer < $1.organizer }
    }

    /// Sorts by currency.
    package func takings() -> [SalesTotals] {
        rows.takings.values.sorted { $0.currency < $1.currency }
    }

    /// Takes time in proportion to the whole outbox.
    package func outbox(_ query: OutboxQuery) -> OutboxPage {
        rows.outboxPage(query, version: versions[.outbox, default: 0])
    }

    package func attachment(_ digest: String) -> Data? { attachments[digest] }

    package func projections() -> Projections { rows }
}

/// The key under which only the latest sale can entitle: a group or a product, and whether the
/// account bought it or a family member shares it from one of its chains.
private struct EntitlingKey: Hashable {
    var name: String
    var shareChain: TransactionID?
}

extension RecordedEntry {
    /// Whether the entry belongs in an account's feed: it is about the account, or about the whole
    /// store. A nil account stands for the feed of all entries.
    fileprivate func concerns(_ account: AccountName?) -> Bool {
        account == nil || entry.stream == .store || entry.account == account
    }
}

extension OutboxProgressRow {
    init(_ item: OutboxItem) {
        let progress = OutboxProgress(id: item.id, attempts: item.attempts, next: item.next)
        self.init(progress, changedAt: item.changedAt)
    }
}
