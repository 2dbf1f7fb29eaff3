import DurableFiles
import Foundation
import StoreEngine
import StoreModel

/// Runs the ledger's queries inside one open read or write transaction.
struct LedgerReader {
    private let db: SQLConnection
    private let recent: RecentEntries

    init(_ db: SQLConnection, recent: RecentEntries) {
        self.db = db
        self.recent = recent
    }

    // MARK: - The feed

    func head() throws -> FeedCursor {
        let last = try db.fetchOne("SELECT max(position) FROM entries") { $0.integer(0) }
        return FeedCursor(epoch: 1, position: last ?? 0)
    }

    /// Reads one short range of the table, by its key.
    func mark(at cursor: FeedCursor) throws -> FeedMark? {
        guard cursor.epoch == 1, cursor.position >= 0 else { return nil }
        var stored = Data()
        var last: Int64 = 0
        _ = try db.fetchAll(
            """
            SELECT position, kind, number, recorded_at, next_number, account, device, body
            FROM entries WHERE position > ? AND position <= ? ORDER BY position
            """, .integer(cursor.position - Int64(StoreLimits.markedEntries)),
            .integer(cursor.position)
        ) { row in
            last = row.integer(0)
            for column in 0..<Int32(5) {
                withUnsafeBytes(of: row.integer(column).littleEndian) {
                    stored.append(contentsOf: $0)
                }
            }
            stored.append(contentsOf: Data((row.text(5) + "\n" + row.text(6) + "\n").utf8))
            stored.append(row.data(7))
        }
        return last == cursor.position ? FeedMark(ofStored: stored) : nil
    }

    /// With an account, reads two ranges of one index: its entries and the whole store's ('').
    func entries(after cursor: FeedCursor, account: AccountName?, limit: Int) throws -> EntryPage {
        guard cursor.epoch == 1 else { throw StoreError(.storeReplaced) }
        let entries: [RecordedEntry]
        if let account {
            entries = try db.fetchAll(
                """
                SELECT \(EntryCoding.columns) FROM entries
                WHERE account = ?1 AND position > ?3
                UNION ALL
                SELECT \(EntryCoding.columns) FROM entries
                WHERE account = ?2 AND position > ?3
                ORDER BY position LIMIT ?4
                """, .text(account.rawValue), .text(""), .integer(cursor.position),
                .integer(Int64(limit)), read: entry)
        } else {
            entries = try db.fetchAll(
                """
                SELECT \(EntryCoding.columns) FROM entries
                WHERE position > ? ORDER BY position LIMIT ?
                """, .integer(cursor.position), .integer(Int64(limit)), read: entry)
        }
        guard entries.count == limit, let last = entries.last else {
            return EntryPage(entries: entries, cursor: try head())
        }
        return EntryPage(entries: entries, cursor: FeedCursor(epoch: 1, position: last.position))
    }

    func entries(before cursor: FeedCursor, filter: HistoryFilter, limit: Int) throws -> EntryPage {
        guard cursor.epoch == 1 else { throw StoreError(.storeReplaced) }
        // In the table `history` an empty name is any account or product; nothing is called so.
        guard filter.account?.rawValue != "", filter.product?.rawValue != "" else {
            return EntryPage(before: [], limit: limit)
        }
        let before = try filter.since.map { try last(recordedBefore: $0) } ?? 0
        let positions = try db.fetchAll(
            HistoryTable.positions(filter), .text(filter.account?.rawValue ?? ""),
            .text(filter.product?.rawValue ?? ""), .integer(cursor.position), .integer(before),
            .integer(Int64(limit))
        ) { $0.integer(0) }
        return EntryPage(before: try positions.compactMap { try entry(at: $0) }, limit: limit)
    }

    /// The position of the last entry recorded before an instant; 0 where there is none. Entries'
    /// times never go back, so that halving the ledger finds it.
    private func last(recordedBefore instant: Timestamp) throws -> Int64 {
        var (low, high) = (Int64(0), try head().position)
        while low < high {
            let middle = high - (high - low) / 2
            let recordedAt = try db.fetchOne(
                "SELECT recorded_at FROM entries WHERE position = ?", .integer(middle)
            ) { $0.integer(0) }
            if let recordedAt, recordedAt < instant.milliseconds {
                low = middle
            } else {
                high = middle - 1
            }
        }
        return low
    }

    private func entry(at position: Int64) throws -> RecordedEntry? {
        try db.fetchOne(
            "SELECT \(EntryCoding.columns) FROM entries WHERE position = ?", .integer(position),
            read: entry)
    }

    /// The entry of a row; not decoded where this process recorded it recently.
    private func entry(_ row: SQLRow) throws -> RecordedEntry {
        try recent[row.integer(0)] ?? EntryCoding.decode(row)
    }

    // MARK: - What decisions read

    /// The version of a stream: the position of its last entry, 0 while it has none.
    func version(_ stream: StreamID) throws -> Int64 {
        let account =
            switch stream {
            case .account(let name): name.rawValue
            case .store: ""
            }
        return try db.fetchOne(
            "SELECT max(position) FROM entries WHERE account = ?", .text(account)
        ) { $0.integer(0) } ?? 0
    }

    /// - Parameter version: of the store's stream, read in the same transaction.
    func storeWide(version: Int64) throws -> StoreWide {
        StoreWide(
            version: version, identity: try meta("identity"), catalog: try meta("catalog"),
            faults: try faults(), clock: try meta("clock"), renewals: try meta("renewals"),
            hasUnknownFacts: try hasUnknownFacts(""))
    }

    /// Whether an account has an entry of a kind this program does not know; '' is the whole store.
    private func hasUnknownFacts(_ account: String) throws -> Bool {
        try db.fetchOne(
            """
            SELECT 1 FROM entries
            WHERE account = ? AND kind > \(EntryCoding.lastKnownKind) LIMIT 1
            """, .text(account)
        ) { _ in } != nil
    }

    /// - Parameter storeWide: as of this transaction.
    func snapshot(_ query: LedgerQuery, storeWide: StoreWide) throws -> LedgerSnapshot {
        var found = LedgerSnapshot()
        found.identity = storeWide.identity
        found.catalog = storeWide.catalog
        found.faults = storeWide.faults
        found.clock = storeWide.clock
        found.renewals = storeWide.renewals
        found.hasUnknownFacts = storeWide.hasUnknownFacts
        found.versions[.store] = storeWide.version
        found.recordedUntil = try lastRecorded()
        let accounts =
            try query.wantsAllAccounts ? query.accounts.union(allAccounts()) : query.accounts
        for account in accounts {
            try addAccount(account, to: &found)
            if try hasUnknownFacts(account.rawValue) {
                found.accountsWithUnknownFacts.insert(account)
            }
        }
        if query.nextDue { found.nextDue = try due(through: .latest, of: nil, limit: 1).first }
        for id in query.payments { found.payments[id] = try paymentNow(id) }
        for id in query.sales { found.transactions[id] = try transaction(id) }
        for sold in query.subscriptions {
            guard let row = try subscription(sold) else { continue }
            found.subscriptions[sold.id] = row
            found.due[sold.id] = try due(of: sold.id)
        }
        for key in query.wholeGroups { found.wholeGroups[key] = try group(key) }
        for key in query.offerUses { found.offerUses[key] = try offerUse(key) }
        for nonce in query.usedSignatures {
            found.usedSignatures[nonce] = try use(ofSignature: nonce)
        }
        for code in query.codeCounts { found.codeCounts[code] = try count(ofCode: code) }
        for sold in query.transactions {
            found.transactions[sold.id] = try transaction(sold.id, of: sold.account)
        }
        for sold in query.finishing {
            guard let type = try type(of: sold) else { continue }
            found.soldTypes[sold] = type
            found.unfinished[sold.id] = try unfinished(sold)
        }
        for number in query.pending { try addRequest(number, to: &found) }
        for account in query.waiting { found.waiting[account] = try pending(of: account) }
        for id in query.refundRequests { found.refundRequests[id] = try refundRequest(id) }
        if query.wantsSoldProducts { found.soldProducts = try soldProducts() }
        for key in query.owned { found.owned[key] = try owned(key) }
        for key in query.subscribed { found.subscribed[key] = try subscribed(key) }
        for id in query.shares { found.shares[id] = try shares(of: id) }
        for key in query.sharedChains { found.sharedChains[key] = try firstShare(key) }
        for account in query.entitling {
            found.entitling[account] = try entitling(of: account)
        }
        return found
    }

    private static let offerUseColumns = "subject, account, payment, transaction_id"

    private func offerUse(_ row: SQLRow) -> OfferUse? {
        OfferUse.Subject(text: row.text(0)).map { subject in
            OfferUse(
                subject, by: AccountName(row.text(1)), payment: row.uuid(2).map { PaymentID($0) },
                transaction: row.integerIfAny(3).map { TransactionID($0) })
        }
    }

    private func offerUse(_ key: OfferUse.Key) throws -> OfferUse? {
        try db.fetchOne(
            "SELECT \(Self.offerUseColumns) FROM offer_uses WHERE subject = ? AND account = ?",
            .text(key.subject.text), .text(key.account.rawValue), read: offerUse) ?? nil
    }

    /// The use of an offer by its signature; nil while nobody has used it.
    func use(ofSignature nonce: UUID) throws -> OfferUse? {
        try db.fetchOne(
            "SELECT \(Self.offerUseColumns) FROM offer_uses WHERE subject = ? LIMIT 1",
            .text(OfferUse.Subject.signature(nonce).text), read: offerUse) ?? nil
    }

    /// How often a code was redeemed.
    func count(ofCode code: String) throws -> Int {
        Int(
            try db.fetchOne(
                "SELECT count(*) FROM offer_uses WHERE subject = ?",
                .text(OfferUse.Subject.code(code).text)
            ) { $0.integer(0) } ?? 0)
    }

    /// The accounts that have settings.
    private func allAccounts() throws -> [AccountName] {
        try db.fetchAll("SELECT name FROM accounts") { AccountName($0.text(0)) }
    }

    private func soldProducts() throws -> [ProductID: SoldProduct] {
        let all = try db.fetchAll(
            "SELECT product, kind, subscription_group, is_hosted FROM sold_products"
        ) { row in
            KindCode(rawValue: Int(row.integer(1))).map { kind in
                SoldProduct(
                    id: ProductID(row.text(0)), type: kind.type,
                    groupID: row.textIfAny(2).map { SubscriptionGroupID($0) },
                    isHosted: row.integerIfAny(3).map { $0 != 0 })
            }
        }
        let known = all.compactMap { product in product.map { ($0.id, $0) } }
        return Dictionary(known, uniquingKeysWith: { first, _ in first })
    }

    /// Adds a request for approval: as pending while it waits, as its transaction once it was
    /// approved.
    private func addRequest(
        _ number: TransactionID, to found: inout LedgerSnapshot
    ) throws {
        let known = try db.fetchOne(
            "SELECT position, is_pending FROM requests WHERE number = ?", .integer(number.number)
        ) { (position: $0.integer(0), isPending: $0.flag(1)) }
        guard let known, let request = try pendingRow(at: known.position) else { return }
        if known.isPending {
            found.pending[number] = request
        } else {
            found.transactions[number] = try transaction(number, of: request.account)
        }
    }

    /// When the last entry was recorded; nil while there is none.
    private func lastRecorded() throws -> Timestamp? {
        try db.fetchOne("SELECT recorded_at FROM entries ORDER BY position DESC LIMIT 1") {
            Timestamp(milliseconds: $0.integer(0))
        }
    }

    /// A value of the table `meta`.
    private func meta<Value: Decodable>(_ name: String) throws -> Value? {
        try db.fetchOne("SELECT value FROM meta WHERE name = ?", .text(name)) {
            try JSONDecoder().decode(Value.self, from: $0.data(0))
        }
    }

    /// Adds an account's version, its settings if it has any, and its first due time, by one query.
    private func addAccount(_ account: AccountName, to found: inout LedgerSnapshot) throws {
        let sql = """
            SELECT (SELECT max(position) FROM entries WHERE account = ?1),
              territory, ask_to_buy, can_make_payments, asks_bank, interrupts_purchases,
              (SELECT min(at) FROM due WHERE account = ?1),
              (SELECT position FROM families WHERE account = ?1)
            FROM (SELECT 1) LEFT JOIN accounts ON name = ?1
            """
        var family: Int64?
        _ = try db.fetchOne(sql, .text(account.rawValue)) { row in
            family = row.integerIfAny(7)
            found.versions[.account(account)] = row.integer(0)
            found.firstDue[account] = row.integerIfAny(6).map { Timestamp(milliseconds: $0) }
            guard let territory = row.textIfAny(1) else { return }
            found.accounts[account] = AccountSettings(
                name: account, territory: territory, askToBuy: row.flag(2),
                canMakePayments: row.flag(3), asksBank: row.flag(4),
                interruptsPurchases: row.flag(5))
        }
        if let family { found.families[account] = try self.family(at: family) }
    }

    /// The family in the entry at a position.
    private func family(at position: Int64) throws -> Family? {
        for case .putFamily(_, let family) in try changes(at: position) { return family }
        return nil
    }

    /// The family shares of a transaction, in order of their numbers.
    private func shares(of id: TransactionID) throws -> [TransactionRow] {
        try db.fetchAll(
            "SELECT account, id FROM shares WHERE shared = ? ORDER BY id", .integer(id.number)
        ) { (AccountName($0.text(0)), TransactionID($0.integer(1))) }
        .compactMap { try transaction($1, of: $0) }
    }

    /// A member's first share of a chain.
    private func firstShare(_ key: LedgerQuery.Sold) throws -> TransactionRow? {
        try db.fetchOne(
            "SELECT id FROM shares WHERE chain = ? AND account = ? ORDER BY id LIMIT 1",
            .integer(key.id.number), .text(key.account.rawValue)
        ) { TransactionID($0.integer(0)) }.flatMap { try transaction($0, of: key.account) }
    }

    private func faults() throws -> [Fault] {
        try db.fetchAll("SELECT body FROM faults ORDER BY id") {
            try JSONDecoder().decode(Fault.self, from: $0.data(0))
        }
    }

    /// The payment as of its last entry: its request, sale or failure.
    private func payment(_ id: PaymentID) throws -> PaymentRow? {
        let position = try db.fetchOne(
            "SELECT position FROM payments WHERE id = ?", .uuid(id.uuid)
        ) { $0.integer(0) }
        guard let position else { return nil }
        for case .putPayment(let row) in try changes(at: position) where row.payment.id == id {
            return row
        }
        return nil
    }

    /// The payment with the present state of its transaction or of the request it waits under.
    private func paymentNow(_ id: PaymentID) throws -> PaymentRow? {
        guard var row = try payment(id) else { return nil }
        switch row.state {
        case .sold(let sold):
            row.state = .sold(try transaction(sold.id, of: sold.account) ?? sold)
        case .deferred(let request, _):
            if let sold = try transaction(request, of: row.account) {
                row.state = .sold(sold)
            } else if let error = try refusal(of: request) {
                row.state = .failed(error, request: request)
            }
        case .answered, .failed: break
        }
        return row
    }

    /// Why a request was not sold; nil while it waits, and where it was sold.
    private func refusal(of request: TransactionID) throws -> StoreError? {
        let position = try db.fetchOne(
            "SELECT answer_position FROM requests WHERE number = ?", .integer(request.number)
        ) { $0.integerIfAny(0) }
        guard let position = position ?? nil else { return nil }
        for case .removePending(request, let error) in try changes(at: position) { return error }
        return nil
    }

    private func subscription(_ sold: LedgerQuery.Sold) throws -> SubscriptionRow? {
        let found = try db.fetchOne(
            """
            SELECT \(Self.subscriptionColumns) FROM subscriptions WHERE chain = ? AND account = ?
            """, .integer(sold.id.number), .text(sold.account.rawValue), read: subscriptionRow)
        return try found.map { try withState($0) }
    }

    private static let subscriptionColumns =
        "chain, account, auto_renews, ordinal, latest, previous, state_position"

    private func subscriptionRow(_ row: SQLRow) throws -> (SubscriptionRow, state: Int64?) {
        (
            SubscriptionRow(
                chain: TransactionID(row.integer(0)), account: AccountName(row.text(1)),
                autoRenews: row.flag(2), ordinal: Int(row.integer(3)),
                latest: TransactionID(row.integer(4)),
                previous: row.integerIfAny(5).map { TransactionID($0) }), row.integerIfAny(6)
        )
    }

    /// The row with the state of the last entry about it; a sale begins a state of its own.
    private func withState(
        _ found: (row: SubscriptionRow, state: Int64?)
    ) throws -> SubscriptionRow {
        var row = found.row
        guard let position = found.state else { return row }
        for case .putSubscriptionState(row.chain, _, _, let state) in try changes(at: position) {
            row.state = state
        }
        return row
    }

    /// In order of their chains.
    func subscriptions(after chain: TransactionID?, limit: Int) throws -> [SubscriptionRow] {
        try db.fetchAll(
            """
            SELECT \(Self.subscriptionColumns) FROM subscriptions WHERE chain > ?
            ORDER BY chain LIMIT ?
            """, .integer(chain?.number ?? 0), .integer(Int64(limit)), read: subscriptionRow
        ).map { try withState($0) }
    }

    private func group(_ key: LedgerQuery.Subscribed) throws -> [TransactionRow] {
        try db.fetchAll(
            """
            SELECT position, state_position FROM transactions
            WHERE account = ? AND subscription_group = ? AND is_deleted = 0
            AND share_chain IS NULL ORDER BY position
            """, .text(key.account.rawValue), .text(key.group.rawValue), read: positions
        ).compactMap { try transaction(at: $0) }
    }

    func due(through instant: Timestamp, of account: AccountName?, limit: Int) throws -> [DueItem] {
        let columns = "account, chain, kind, period, at"
        let rows =
            if let account {
                try db.fetchAll(
                    """
                    SELECT \(columns) FROM due WHERE account = ? AND at <= ?
                    ORDER BY at, chain LIMIT ?
                    """, .text(account.rawValue), .integer(instant.milliseconds),
                    .integer(Int64(limit)), read: dueItem)
            } else {
                try db.fetchAll(
                    "SELECT \(columns) FROM due WHERE at <= ? ORDER BY at, chain LIMIT ?",
                    .integer(instant.milliseconds), .integer(Int64(limit)), read: dueItem)
            }
        return rows.compactMap { $0 }
    }

    /// The next step of a chain.
    private func due(of chain: TransactionID) throws -> DueItem? {
        try db.fetchOne(
            """
            SELECT account, chain, kind, period, at FROM due
            WHERE chain = ? AND kind = \(DueItem.Kind.renewal.rawValue)
            """, .integer(chain.number), read: dueItem
        ).flatMap { $0 }
    }

    private func dueItem(_ row: SQLRow) throws -> DueItem? {
        guard let kind = DueItem.Kind(rawValue: Int(row.integer(2))) else { return nil }
        return DueItem(
            account: AccountName(row.text(0)), chain: TransactionID(row.integer(1)), kind: kind,
            period: Int(row.integer(3)), at: Timestamp(milliseconds: row.integer(4)))
    }

    private func type(of sold: LedgerQuery.Sold) throws -> ProductType? {
        try db.fetchOne(
            "SELECT kind FROM transactions WHERE account = ? AND id = ?",
            .text(sold.account.rawValue), .integer(sold.id.number)
        ) { Int($0.integer(0)) }.flatMap { KindCode(rawValue: $0)?.type }
    }

    private func unfinished(_ row: LedgerQuery.Sold) throws -> UnfinishedRow? {
        try db.fetchOne(
            "SELECT device FROM unfinished WHERE account = ? AND id = ?",
            .text(row.account.rawValue), .integer(row.id.number)
        ) {
            UnfinishedRow(
                id: row.id, account: row.account,
                device: $0.textIfAny(0).map { DeviceName($0) })
        }
    }

    private func owned(_ key: LedgerQuery.Owned) throws -> TransactionRow? {
        try db.fetchOne(
            """
            SELECT position, state_position FROM transactions
            WHERE account = ? AND kind = \(KindCode.nonConsumable.rawValue) AND product = ?
            AND is_revoked = 0 AND share_chain IS NULL ORDER BY id DESC LIMIT 1
            """, .text(key.account.rawValue), .text(key.product.rawValue), read: positions
        ).flatMap { try transaction(at: $0) }
    }

    private func subscribed(_ key: LedgerQuery.Subscribed) throws -> TransactionRow? {
        try db.fetchOne(
            """
            SELECT position, state_position FROM transactions
            WHERE account = ? AND subscription_group = ? AND is_deleted = 0
            AND share_chain IS NULL ORDER BY position DESC LIMIT 1
            """, .text(key.account.rawValue), .text(key.group.rawValue), read: positions
        ).flatMap { try transaction(at: $0) }
    }

    // MARK: - What an account has

    func transactions(
        of account: AccountName, before: TransactionID?, kinds: Set<ProductType>,
        entitlingOnly: Bool, limit: Int
    ) throws -> [TransactionRow] {
        let isAll = kinds.count == ProductType.allCases.count
        let lasting = kinds == Set(ProductType.allCases).subtracting([.consumable])
        let codes = kinds.map { String(KindCode($0).rawValue) }.sorted().joined(separator: ", ")
        // The same text as the WHERE of index transactions_lasting: SQLite uses it only then, and
        // the query's cost does not grow with the account's consumables.
        let filter =
            isAll
            ? ""
            : lasting
                ? "AND kind <> \(KindCode.consumable.rawValue)"
                : "AND kind IN (\(codes))"
        let condition = entitlingOnly ? "is_revoked = 0" : "is_deleted = 0"
        let found = try db.fetchAll(
            """
            SELECT position, state_position FROM transactions
            WHERE account = ? AND id < ? AND \(condition) \(filter) ORDER BY id DESC LIMIT ?
            """, .text(account.rawValue), .integer(before?.number ?? Int64.max),
            .integer(Int64(limit)), read: positions)
        return try found.compactMap { try transaction(at: $0) }
    }

    func unfinished(of account: AccountName) throws -> [(UnfinishedRow, TransactionRow)] {
        let rows = try db.fetchAll(
            "SELECT id, device FROM unfinished WHERE account = ? ORDER BY id",
            .text(account.rawValue)
        ) { row in
            UnfinishedRow(
                id: TransactionID(row.integer(0)), account: account,
                device: row.textIfAny(1).map { DeviceName($0) })
        }
        return try rows.compactMap { row in
            try transaction(row.id, of: account).map { (row, $0) }
        }
    }

    func entitling(of account: AccountName) throws -> [TransactionRow] {
        try db.fetchAll(
            """
            SELECT max(position), state_position FROM transactions
            WHERE account = ? AND kind <> \(KindCode.consumable.rawValue) AND is_revoked = 0
            GROUP BY coalesce(subscription_group, product), share_chain ORDER BY 1
            """, .text(account.rawValue), read: positions
        ).compactMap { try transaction(at: $0) }
    }

    // MARK: - For the operator

    func pending() throws -> [PendingRow] {
        try db.fetchAll("SELECT position FROM requests WHERE is_pending = 1 ORDER BY number") {
            $0.integer(0)
        }.compactMap { try pendingRow(at: $0) }
    }

    /// An account's requests that wait, oldest first.
    private func pending(of account: AccountName) throws -> [PendingRow] {
        try db.fetchAll(
            """
            SELECT position FROM requests WHERE account = ? AND is_pending = 1 ORDER BY number
            """, .text(account.rawValue)
        ) { $0.integer(0) }.compactMap { try pendingRow(at: $0) }
    }

    /// In order of time, then of transaction.
    func refundRequests() throws -> [RefundRequest] {
        try db.fetchAll("SELECT position FROM refund_requests") { $0.integer(0) }
            .compactMap { try refundRequest(at: $0) }
            .sorted { ($0.askedAt, $0.transactionID) < ($1.askedAt, $1.transactionID) }
    }

    private func refundRequest(_ id: TransactionID) throws -> RefundRequest? {
        try db.fetchOne(
            "SELECT position FROM refund_requests WHERE transaction_id = ?", .integer(id.number)
        ) { $0.integer(0) }.flatMap { try refundRequest(at: $0) }
    }

    private func refundRequest(at position: Int64) throws -> RefundRequest? {
        for case .putRefundRequest(let request) in try changes(at: position) { return request }
        return nil
    }

    /// The tokens, user names and devices that more accounts use than is usual. Costs as much as it
    /// returns.
    func notices() throws -> [AccountNotice] {
        [AccountNotice](try uses("WHERE is_noticed = 1"))
    }

    private func uses(_ condition: String) throws -> [AccountUse.Means: Set<AccountName>] {
        let all = try db.fetchAll(
            "SELECT kind, subject, account FROM account_uses \(condition)"
        ) { row in
            AccountNotice.Kind(rawValue: row.text(0)).map {
                AccountUse(.init($0, row.text(1)), by: AccountName(row.text(2)))
            }
        }
        return Dictionary(grouping: all.compactMap { $0 }, by: \.means)
            .mapValues { Set($0.map(\.account)) }
    }

    /// In order of their organizers. Costs the accounts that are in a family.
    func families() throws -> [Family] {
        try db.fetchAll(
            "SELECT account, position FROM families ORDER BY account"
        ) { (AccountName($0.text(0)), $0.integer(1)) }
        .compactMap { account, position in
            try family(at: position).flatMap { $0.organizer == account ? $0 : nil }
        }
    }

    func takings() throws -> [SalesTotals] {
        try db.fetchAll(
            "SELECT currency, milliunits, sales, refunded FROM takings ORDER BY currency"
        ) {
            SalesTotals(
                currency: $0.text(0), soldMilliunits: $0.integer(1), sales: $0.integer(2),
                refundedMilliunits: $0.integer(3))
        }
    }

    // MARK: - Rows from entries

    /// The rows that the entry at a position changes. The tables hold only what queries select by;
    /// everything else of a row comes from its entry.
    private func changes(at position: Int64) throws -> [RowChange] {
        try entry(at: position).map { try LedgerFold.changes(of: $0) } ?? []
    }

    /// The positions of the two entries that make up a transaction.
    private struct Positions {
        /// Of its sale.
        var sold: Int64
        /// Of its last revision; nil while it has none.
        var revised: Int64?
    }

    private func positions(_ row: SQLRow) throws -> Positions {
        Positions(sold: row.integer(0), revised: row.integerIfAny(1))
    }

    private func transaction(
        _ id: TransactionID, of account: AccountName
    ) throws -> TransactionRow? {
        try db.fetchOne(
            "SELECT position, state_position FROM transactions WHERE account = ? AND id = ?",
            .text(account.rawValue), .integer(id.number), read: positions
        ).flatMap { try transaction(at: $0) }
    }

    /// The transaction of a number, of any account.
    private func transaction(_ id: TransactionID) throws -> TransactionRow? {
        try db.fetchOne(
            "SELECT position, state_position FROM transactions WHERE id = ?",
            .integer(id.number), read: positions
        ).flatMap { try transaction(at: $0) }
    }

    private func transaction(at positions: Positions) throws -> TransactionRow? {
        for case .insertTransaction(var row) in try changes(at: positions.sold) {
            if let revised = positions.revised {
                for case .putState(row.id, _, let state) in try changes(at: revised) {
                    row.state = state
                }
            }
            return row
        }
        return nil
    }

    private func pendingRow(at position: Int64) throws -> PendingRow? {
        try changes(at: position).lazy.compactMap { change in
            if case .insertPending(let row) = change { row } else { nil }
        }.first
    }

    // MARK: - Everything

    /// All rows. Costs everything ever sold.
    func projections() throws -> Projections {
        var all = Projections()
        all.identity = try meta("identity")
        all.catalog = try meta("catalog")
        for id in try db.fetchAll("SELECT id FROM transactions", read: { $0.integer(0) }) {
            all.transactions[TransactionID(id)] = try transaction(TransactionID(id))
        }
        let chains = try db.fetchAll("SELECT account, chain FROM subscriptions") {
            LedgerQuery.Sold(
                account: AccountName($0.text(0)), id: TransactionID($0.integer(1)))
        }
        for chain in chains { all.subscriptions[chain.id] = try subscription(chain) }
        for item in try due(through: .latest, of: nil, limit: .max) {
            all.due[.init(chain: item.chain, kind: item.kind)] = item
        }
        all.clock = try meta("clock")
        all.renewals = try meta("renewals")
        for id in try db.fetchAll("SELECT id FROM payments", read: { $0.uuid(0) }) {
            guard let id = id.map({ PaymentID($0) }) else { continue }
            all.payments[id] = try payment(id)
        }
        for account in try db.fetchAll(
            "SELECT DISTINCT account FROM unfinished", read: { $0.text(0) })
        {
            for (row, _) in try unfinished(of: AccountName(account)) {
                all.unfinished[row.id] = row
            }
        }
        for row in try pending() { all.pending[row.number] = row }
        let answered = try db.fetchAll(
            "SELECT number FROM requests WHERE answer_position IS NOT NULL"
        ) { TransactionID($0.integer(0)) }
        for number in answered { all.refusals[number] = try refusal(of: number) }
        for request in try refundRequests() {
            all.refundRequests[request.transactionID] = request
        }
        var found = LedgerSnapshot()
        for name in try db.fetchAll("SELECT name FROM accounts", read: { $0.text(0) }) {
            try addAccount(AccountName(name), to: &found)
        }
        all.accounts = found.accounts
        for name in try db.fetchAll("SELECT account FROM families", read: { $0.text(0) }) {
            try addAccount(AccountName(name), to: &found)
        }
        all.families = found.families
        all.uses = try uses("")
        let offerUses = try db.fetchAll(
            "SELECT \(Self.offerUseColumns) FROM offer_uses", read: offerUse)
        for use in offerUses.compactMap({ $0 }) { all.offerUses[use.key] = use }
        let shares = try db.fetchAll("SELECT shared, chain, account, id FROM shares") {
            ShareRow(
                shared: TransactionID($0.integer(0)), chain: TransactionID($0.integer(1)),
                account: AccountName($0.text(2)), id: TransactionID($0.integer(3)))
        }
        for row in shares { all.shares[row.id] = row }
        for fault in try faults() { all.faults[fault.id] = fault }
        for sum in try takings() { all.takings[sum.currency] = sum }
        all.soldProducts = try soldProducts()
        for row in try HistoryTable.rows(db) { all.history[row.position] = row }
        return all
    }
}

/// The facts that concern every account, as of `version` of the store's stream.
struct StoreWide: Sendable {
    var version: Int64
    var identity: AppIdentity?
    var catalog: CatalogRevision?
    var faults: [Fault]
    var clock: ClockState?
    var renewals: RenewalSettings?
    var hasUnknownFacts: Bool
}
