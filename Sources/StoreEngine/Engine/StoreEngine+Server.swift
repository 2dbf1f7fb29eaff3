import Basics
import Foundation
package import StoreModel

extension StoreEngine {
    /// The store as its own server uses it.
    package var servedStore: some ServedStore { ServerContent(engine: self) }

    /// The reads of one account, for the app's backend.
    func sessionOfBackend(for account: AccountName) -> StoreSession {
        StoreSession(
            engine: self,
            customer: Customer(account: account, device: "", homeTerritory: homeTerritory),
            locale: "en", isLocaleAsked: false, isOfBackend: true)
    }
}

/// Names what was read of a transaction, as of a commit.
struct ReadingKey: Hashable {
    var id: TransactionID
    var stamp: CommitStamp
}

/// The facts that were read before a request was answered, with the transaction. They hold until the
/// next commit, and while nothing of the transaction's account is due.
struct KeptReading: Sendable {
    let reading: ServerReading
    private let firstDue: Timestamp?

    init(_ reading: ServerReading, _ served: ServedTransaction?, firstDue: Timestamp?) {
        var reading = reading
        reading.transaction = { served }
        self.reading = reading
        self.firstDue = firstDue
    }

    func isDue(at now: Timestamp) -> Bool { firstDue.map { $0 <= now } ?? false }
}

extension ServerContent: ServedStore {
    var outbox: any OutboxStore { engine.outboxStore }

    // MARK: - Keys

    var systemNow: Timestamp { engine.clock.systemNow }

    /// One read instead of two for most requests, and none if nothing was committed since the last
    /// request for the transaction (`make bench`: "transaction info on one connection, of bare
    /// Hummingbird"). It records nothing: the token was not checked yet.
    func server(along id: TransactionID?) async throws(StoreError) -> ServerReading {
        guard let id, let account = accounts[id] else {
            return ServerReading(try await engine.ledger.snapshot(LedgerQuery()))
        }
        // Taken before the read: a commit in between makes it another one.
        let key = (engine.ledger as? any StampedLedger)?.stamp.map { ReadingKey(id: id, stamp: $0) }
        if let key, let kept = readings[key], !kept.isDue(at: engine.clock.now()) {
            return kept.reading
        }
        let found = try await engine.ledger.snapshot(Self.query(id, of: account))
        engine.clock.update(from: found)
        var reading = ServerReading(found)
        guard !mayBeDue(account, in: found) else { return reading }
        reading.transaction = { [self, reading] () throws(StoreError) -> ServedTransaction? in
            let served = try transaction(id, of: account, in: found)
            if let key {
                readings[key] = KeptReading(reading, served, firstDue: found.firstDue[account])
            }
            return served
        }
        return reading
    }

    func spend(_ fault: Fault) async throws(StoreError) -> Bool {
        try await outbox.spend(fault)
    }

    func change(_ keys: APIKeyChange) async throws(StoreError) -> ServerSettings {
        try await engine.committer.submit(KeysRequest(change: keys))
    }

    // MARK: - Transactions

    /// Mostly by one read, which also tells that nothing is due.
    func served(_ id: TransactionID) async throws(StoreError) -> ServedTransaction? {
        var known = accounts[id]
        if known == nil { known = try await row(id)?.account }
        guard let account = known else { return nil }
        let query = Self.query(id, of: account)
        var found = try await engine.ledger.snapshot(query)
        engine.clock.update(from: found)
        if mayBeDue(account, in: found) {
            try await settle(account)
            found = try await engine.ledger.snapshot(query)
        }
        return try transaction(id, of: account, in: found)
    }

    private static func query(_ id: TransactionID, of account: AccountName) -> LedgerQuery {
        LedgerQuery {
            $0.accounts = [account]
            $0.sales = [id]
        }
    }

    /// Whether something of an account, or of its family, may have to be recorded first.
    private func mayBeDue(_ account: AccountName, in found: LedgerSnapshot) -> Bool {
        let isDue = found.firstDue[account].map { $0 <= engine.clock.now() } ?? false
        return isDue || found.families[account] != nil
    }

    /// Nil for one that is not of this account any more, or was deleted.
    private func transaction(
        _ id: TransactionID, of account: AccountName, in found: LedgerSnapshot
    ) throws(StoreError) -> ServedTransaction? {
        try found.refuseUnknownFacts(of: account)
        guard let row = found.transactions[id], row.account == account, !row.state.isDeleted
        else { return nil }
        accounts[id] = account
        return try served(row)
    }

    private func row(_ id: TransactionID) async throws(StoreError) -> TransactionRow? {
        let query = LedgerQuery { $0.sales = [id] }
        let row = try await engine.ledger.snapshot(query).transactions[id]
        return row?.state.isDeleted == false ? row : nil
    }

    private func served(_ row: TransactionRow) throws(StoreError) -> ServedTransaction {
        ServedTransaction(
            account: row.account, payload: engine.payloads.payload(of: row, for: nil),
            signed: try engine.payloads.signed(row, for: nil))
    }

    /// Records what is due of an account and its family, whose purchases it may share.
    private func settle(_ account: AccountName) async throws(StoreError) {
        try await engine.sessionOfBackend(for: account).snapshotAfterDueOfFamily()
            .refuseUnknownFacts(of: account)
    }

    func account(withAppTransaction id: String) async throws(StoreError) -> AccountName? {
        try await engine.ledger.snapshot(LedgerQuery { $0.wantsAllAccounts = true }).accounts.keys
            .first { engine.payloads.appTransactionID(of: $0) == id }
    }

    func history(_ query: ServedHistoryQuery) async throws(StoreError) -> ServedHistoryPage {
        if query.position == nil { try await settle(query.account) }
        return try await HistoryWalk(engine: engine, query: query).page()
    }

    func statuses(of account: AccountName) async throws(StoreError) -> [SubscriptionStatus] {
        try await engine.sessionOfBackend(for: account).subscriptionStatuses()
    }

    func appTransaction(of account: AccountName) async throws(StoreError) -> SignedAppTransaction {
        try await engine.sessionOfBackend(for: account).appTransaction()
    }

    // MARK: - Requests of the backend

    func finish(_ id: TransactionID) async throws(StoreError) {
        try await engine.committer.submit(FinishFromBackend(id: id))
    }

    func setToken(_ token: UUID, of id: TransactionID) async throws(StoreError) {
        try await engine.committer.submit(SetTokenRequest(id: id, token: token))
    }

    func extend(_ id: TransactionID, days: Int) async throws(StoreError) -> ServedTransaction {
        let moved = try await engine.committer.submit(ExtendFromBackend(id: id, days: days))
        guard let extended = try await served(moved) else {
            throw StoreError(.transactionNotFound, transactionID: moved)
        }
        return extended
    }

    func extendAll(_ request: ExtensionRequest) async throws(StoreError) -> Bool {
        if let known = try await engine.extensionOutcome(request.id)?.request {
            return known.asks(asIn: request)
        }
        try await engine.committer.submit(AskForExtension(request: request))
        _ = try await engine.extendAll(request)
        return true
    }

    func extensionStatus(
        of id: UUID, _ product: ProductID
    ) async throws(StoreError) -> (isAsked: Bool, outcome: ExtensionOutcome?) {
        let asked = try await engine.ledger.snapshot(LedgerQuery { $0.extensions = [id] })
            .extensions[id]
        guard asked != nil else { return (false, nil) }
        if let outcome = try await engine.extensionOutcome(id, of: product) {
            return (true, outcome)
        }
        // One that came to its end was asked for another product.
        return (try await engine.extensionOutcome(id) == nil, nil)
    }

    func answer(_ consumption: ConsumptionAnswer) async throws(StoreError) {
        try await engine.committer.submit(ConsumptionRequest(answer: consumption))
    }
}

extension ServerReading {
    fileprivate init(_ found: LedgerSnapshot) {
        self.init(settings: found.server ?? ServerSettings(), faults: found.faults)
    }
}

/// Reads one page of an account's transactions from the entries that changed them: the feed in
/// ascending order, the history in descending order. An entry counts if it is the last change of
/// its transaction, so that each transaction is on one page.
private struct HistoryWalk {
    let engine: StoreEngine
    let query: ServedHistoryQuery

    /// How many entries are read for one page, if few fit.
    private static let entriesMax = 5_000
    private static let readMax = 100

    /// Every kind of event of a sale or of its change.
    private static let changes: Set<EventKind> = Set(RevisionKind.allCases.map { EventKind($0) })
        .union([.sold])

    func page() async throws(StoreError) -> ServedHistoryPage {
        let end = try await engine.ledger.head()
        let head = query.head ?? end.position
        let start = query.position ?? (query.isDescending ? head : 0)
        guard (0...end.position).contains(start), (0...end.position).contains(head) else {
            throw StoreError(.storeReplaced)
        }
        // Revoked transactions have few entries, which the history finds, newest first.
        if !query.isDescending, query.isRefunded || query.isRevoked == true {
            return try await ascendingRevoked(after: start, head: head, end: end)
        }
        var found: [(position: Int64, row: TransactionRow)] = []
        var cursor = FeedCursor(epoch: end.epoch, position: start)
        var count = 0
        var hasMore = true
        while hasMore, found.count <= query.limit, count < Self.entriesMax {
            let page = try await entries(from: cursor)
            found += try await fitting(page.entries, head: head)
            count += page.entries.count
            cursor = page.cursor
            hasMore =
                query.isDescending ? cursor.position > 0 : page.entries.count == Self.readMax
        }
        return try served(found, rest: (cursor.position, hasMore), head: head)
    }

    private func entries(from cursor: FeedCursor) async throws(StoreError) -> EntryPage {
        if query.isDescending {
            try await engine.ledger.entries(before: cursor, filter: filter, limit: Self.readMax)
        } else {
            try await engine.ledger.entries(
                after: cursor, account: query.account, limit: Self.readMax)
        }
    }

    private var filter: HistoryFilter {
        let isRevoked = query.isRefunded || query.isRevoked == true
        return HistoryFilter(
            kinds: isRevoked ? Self.changes.subtracting([.sold]) : Self.changes,
            product: query.products.count == 1 ? query.products.first : nil,
            account: query.account)
    }

    /// - Parameter rest: where the entries go on that were not read, and whether there are any.
    private func served(
        _ found: [(position: Int64, row: TransactionRow)],
        rest: (position: Int64, hasMore: Bool), head: Int64
    ) throws(StoreError) -> ServedHistoryPage {
        let shown = found.prefix(query.limit)
        var next = rest.position
        if found.count > query.limit, let last = shown.last {
            next = query.isDescending ? last.position - 1 : last.position
        }
        return ServedHistoryPage(
            transactions: try shown.map { one throws(StoreError) in
                try engine.payloads.signed(one.row, for: nil)
            },
            position: next, head: head, hasMore: rest.hasMore || found.count > query.limit)
    }

    /// All of them after `start` are read: they are few.
    private func ascendingRevoked(
        after start: Int64, head: Int64, end: FeedCursor
    ) async throws(StoreError) -> ServedHistoryPage {
        var found: [(position: Int64, row: TransactionRow)] = []
        var cursor = end
        while cursor.position > start {
            let page = try await engine.ledger.entries(
                before: cursor, filter: filter, limit: Self.readMax)
            found += try await fitting(
                page.entries.filter { $0.position > start }, head: head)
            cursor = page.cursor
        }
        return try served(found.reversed(), rest: (end.position, false), head: head)
    }

    /// The transactions of entries, in their order.
    private func fitting(
        _ entries: [RecordedEntry], head: Int64
    ) async throws(StoreError) -> [(position: Int64, row: TransactionRow)] {
        let changes = entries.filter { $0.isChangeOfSale }
        guard !changes.isEmpty else { return [] }
        let rows = try await engine.ledger.snapshot(
            LedgerQuery { $0.sales = Set(changes.compactMap(\.number)) }
        ).transactions
        let finished =
            query.leavesOutFinished ? try await finished(Array(rows.values)) : []
        var found: [(position: Int64, row: TransactionRow)] = []
        for entry in changes {
            guard let row = entry.number.flatMap({ rows[$0] }), fits(row),
                !finished.contains(row.id)
            else { continue }
            var isShown = row.changedAt == entry.position
            if !isShown, query.isDescending, row.changedAt > head {
                isShown = try await isLast(entry, of: row, before: head)
            }
            if isShown { found.append((entry.position, row)) }
        }
        return found
    }

    private func fits(_ row: TransactionRow) -> Bool {
        let sale = row.sale
        let revocation = row.state.revocation
        guard row.account == query.account, !row.state.isDeleted else { return false }
        if !query.products.isEmpty, !query.products.contains(sale.productID) { return false }
        if !query.types.isEmpty, !query.types.contains(sale.type) { return false }
        if !query.groups.isEmpty, sale.groupID.map({ query.groups.contains($0) }) != true {
            return false
        }
        if let ownership = query.ownership, sale.ownership != ownership { return false }
        if let isRevoked = query.isRevoked, isRevoked != (revocation != nil) { return false }
        if query.isRefunded {
            guard let revocation, revocation.refunded != .none, !row.state.isUpgraded else {
                return false
            }
        }
        if let since = query.since, sale.purchaseDate < since { return false }
        if let until = query.until, sale.purchaseDate >= until { return false }
        return true
    }

    /// The consumables that are neither unfinished nor revoked.
    private func finished(_ rows: [TransactionRow]) async throws(StoreError) -> Set<TransactionID> {
        let consumables = rows.filter {
            $0.sale.type == .consumable && $0.state.revocation == nil
        }
        guard !consumables.isEmpty else { return [] }
        let waiting = try await engine.ledger.snapshot(
            LedgerQuery { query in
                for row in consumables {
                    query.finishing.insert(.init(account: row.account, id: row.id))
                }
            }
        ).unfinished
        return Set(consumables.map(\.id)).subtracting(waiting.keys)
    }

    /// Whether a transaction that changed since the walk began had its last change until then with
    /// this entry. It stands in that place, because the walk never reaches the new one.
    private func isLast(
        _ entry: RecordedEntry, of row: TransactionRow, before head: Int64
    ) async throws(StoreError) -> Bool {
        let filter = HistoryFilter(
            kinds: Self.changes, product: row.sale.productID, account: row.account)
        var cursor = FeedCursor(epoch: engine.epoch, position: head)
        while cursor.position > entry.position {
            let page = try await engine.ledger.entries(
                before: cursor, filter: filter, limit: Self.readMax)
            for later in page.entries where later.number == row.id {
                return later.position == entry.position
            }
            cursor = page.cursor
        }
        return true
    }
}

extension RecordedEntry {
    fileprivate var isChangeOfSale: Bool {
        switch entry.fact {
        case .sold, .revised: true
        default: false
        }
    }
}
