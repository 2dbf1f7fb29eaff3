import Basics
import Foundation
import StoreEngine
import StoreModel

/// Runs the ledger's queries inside one open read or write transaction.
struct LedgerReader {
    let db: any SQLTransaction
    let cache: LedgerCache

    init(_ db: any SQLTransaction, cache: LedgerCache) {
        self.db = db
        self.cache = cache
    }

    // MARK: - Reads for decisions

    /// The position of the stream's last entry, 0 while it has none.
    func version(_ stream: StreamID) throws -> Int64 { try versions([stream])[stream] ?? 0 }

    /// The position of each stream's last entry, 0 while it has none.
    private func versions(_ streams: Set<StreamID>) throws -> [StreamID: Int64] {
        let streams = Array(streams)
        let found = try db.fetchOne(
            "SELECT max(position) FROM entries WHERE account = ?",
            each: streams.map { [.text(EntryCoding.column($0))] }
        ) { $0.integer(0) }
        return Dictionary(
            zip(streams, found.map { $0 ?? 0 }), uniquingKeysWith: { first, _ in first })
    }

    /// On what decisions rest: the versions of the streams that they read, and those of their payments
    /// that the ledger has.
    func bases(
        of decisions: [Decision]
    ) throws -> (versions: [StreamID: Int64], payments: Set<PaymentID>) {
        (
            try versions(Set(decisions.flatMap(\.reads.keys))),
            try known(decisions.flatMap(\.newPayments))
        )
    }

    private func known(_ payments: [PaymentID]) throws -> Set<PaymentID> {
        let found = try positions(of: payments)
        return Set(zip(payments, found).filter { $1 != nil }.map { $0.0 })
    }

    /// Of each payment's last entry; nil for an unknown payment.
    private func positions(of payments: [PaymentID]) throws -> [Int64?] {
        try db.fetchOne(
            "SELECT position FROM payments WHERE id = ?", each: payments.map { [.uuid($0.uuid)] }
        ) { $0.integer(0) }
    }

    /// A snapshot with the facts that concern every account.
    ///
    /// - Parameter version: the version of the store's stream, read in the same transaction.
    func storeWide(version: Int64) throws -> LedgerSnapshot {
        var found = LedgerSnapshot()
        found.versions[.store] = version
        found.identity = try meta("identity")
        found.unfinishedCopyOf = try unfinishedCopyOf()
        // The entry that closes a store is its last.
        if case .moved(let move) = try entry(at: version)?.entry.fact {
            found.goesOnAt = move.closedFor
        }
        found.catalog = try meta("catalog")
        found.faults = try faults()
        found.clock = try meta("clock")
        found.renewals = try meta("renewals")
        found.server = try meta("server")
        let unknown: Void? = try db.fetchOne(Self.unknownFact, .text("")) { _ in }
        found.hasUnknownFacts = unknown != nil
        return found
    }

    /// The query for an entry of a kind that this program does not know, of an account, or, by '',
    /// of the whole store.
    private static let unknownFact = """
        SELECT 1 FROM entries WHERE account = ?1 AND kind > \(EntryCoding.lastKnownKind) LIMIT 1
        """

    /// - Parameter storeWide: the facts that concern every account, as of this transaction.
    func snapshot(_ query: LedgerQuery, storeWide: LedgerSnapshot) throws -> LedgerSnapshot {
        var found = storeWide
        found.recordedUntil = try lastRecorded()
        let accounts =
            try query.wantsAllAccounts ? query.accounts.union(allAccounts()) : query.accounts
        try addAccounts(Array(accounts), to: &found)
        for account in query.values { found.values[account] = try values(of: account) }
        if query.nextDue { found.nextDue = try due(through: .latest, of: nil, limit: 1).first }
        let payments = Array(query.payments)
        for (id, position) in zip(payments, try positions(of: payments)) {
            guard let position else { continue }
            found.payments[id] = try paymentNow(id, at: position)
        }
        for id in query.sales { found.transactions[id] = try transaction(id) }
        for sold in query.subscriptions {
            guard let row = try subscription(sold) else { continue }
            found.subscriptions[sold.id] = row
            found.due[sold.id] = try due(of: sold.id)
        }
        for key in query.wholeGroups { found.wholeGroups[key] = try group(key) }
        for id in query.extensions { found.extensions[id] = try firstUse(ofExtension: id) }
        for key in query.offerUses { found.offerUses[key] = try offerUse(key) }
        for nonce in query.usedSignatures {
            found.usedSignatures[nonce] = try use(ofSignature: nonce)
        }
        for code in query.codeCounts { found.codeCounts[code] = try count(ofCode: code) }
        if !query.outbox.isEmpty { found.versions[.outbox] = try version(.outbox) }
        for id in query.outbox {
            found.outbox[id] = try outboxProgress(of: id)
        }
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

    static let offerUseColumns = "subject, account, payment, transaction_id"

    func offerUse(_ row: any SQLRow) -> OfferUse? {
        OfferUse.Subject(text: row.text(0)).map { subject in
            OfferUse(
                subject, by: AccountName(row.text(1)), payment: row.uuid(2).map { PaymentID($0) },
                transaction: row.integerIfAny(3).map { TransactionID($0) })
        }
    }

    func offerUse(_ key: OfferUse.Key) throws -> OfferUse? {
        try db.fetchOne(
            "SELECT \(Self.offerUseColumns) FROM offer_uses WHERE subject = ? AND account = ?",
            .text(key.subject.text), .text(key.account.rawValue), read: offerUse) ?? nil
    }

    /// Nil if no payment has used the signature.
    func use(ofSignature nonce: UUID) throws -> OfferUse? {
        try db.fetchOne(
            "SELECT \(Self.offerUseColumns) FROM offer_uses WHERE subject = ? LIMIT 1",
            .text(OfferUse.Subject.signature(nonce).text), read: offerUse) ?? nil
    }

    func count(ofCode code: String) throws -> Int {
        Int(
            try db.fetchOne(
                "SELECT count(*) FROM offer_uses WHERE subject = ?",
                .text(OfferUse.Subject.code(code).text)
            ) { $0.integer(0) } ?? 0)
    }

    func allAccounts() throws -> [AccountName] {
        try db.fetchAll("SELECT name FROM accounts") { AccountName($0.text(0)) }
    }

    func soldProducts() throws -> [ProductID: SoldProduct] {
        let all = try db.fetchAll(
            "SELECT product, kind, subscription_group, is_hosted FROM sold_products"
        ) { row in
            KindCode(rawValue: Int(row.integer(1))).map { kind in
                SoldProduct(
                    id: ProductID(row.text(0)), type: kind.type,
                    groupID: row.textIfAny(2).map { SubscriptionGroupID($0) },
                    isHosted: row.flag(3))
            }
        }
        let known = all.compactMap { product in product.map { ($0.id, $0) } }
        return Dictionary(known, uniquingKeysWith: { first, _ in first })
    }

    /// Adds a request for approval to a snapshot: the request itself while it waits; afterwards the
    /// transaction that it became, or the one that answers it.
    private func addRequest(
        _ number: TransactionID, to found: inout LedgerSnapshot
    ) throws {
        let known = try db.fetchOne(
            "SELECT position, is_pending FROM requests WHERE number = ?", .integer(number.number)
        ) { (position: $0.integer(0), isPending: $0.flag(1)) }
        guard let known, let request = try pendingRow(at: known.position) else { return }
        if known.isPending {
            found.pending[number] = request
        } else if case .answered(let id) = try end(of: number) {
            found.answered[number] = try transaction(id, of: request.account)
        } else {
            found.transactions[number] = try transaction(number, of: request.account)
        }
    }

    private func lastRecorded() throws -> Timestamp? {
        try db.fetchOne(
            "SELECT position, recorded_at FROM entries ORDER BY position DESC LIMIT 1"
        ) {
            _ = try EntryCoding.count($0.integer(0))
            return try EntryCoding.time($0.integer(1))
        }
    }

    func meta<Value: Decodable>(_ name: String) throws -> Value? {
        try db.fetchOne("SELECT value FROM meta WHERE name = ?", .text(name)) {
            try JSONDecoder().decode(Value.self, from: $0.data(0))
        }
    }

    /// See `LedgerSnapshot`.
    func unfinishedCopyOf() throws -> String? { try meta(MetaTable.copyOf) }

    private static let accountFacts = """
        SELECT (SELECT max(position) FROM entries WHERE account = ?1),
          territory, switches, locale,
          (SELECT min(at) FROM due WHERE account = ?1),
          (SELECT position FROM families WHERE account = ?1), (\(unknownFact))
        FROM (SELECT 1) AS one LEFT JOIN accounts ON name = ?1
        """

    /// The version, the settings if the account has any, the first due time, and whether there are
    /// unknown facts: by one query for each account.
    func addAccounts(_ accounts: [AccountName], to found: inout LedgerSnapshot) throws {
        var families: [(AccountName, Int64)] = []
        try db.step(Self.accountFacts, each: accounts.map { [.text($0.rawValue)] }) { index, row in
            let account = accounts[index]
            if let position = row.integerIfAny(5) { families.append((account, position)) }
            if !row.isNull(6) { found.accountsWithUnknownFacts.insert(account) }
            found.versions[.account(account)] = row.integer(0)
            found.firstDue[account] = row.integerIfAny(4).map { Timestamp(milliseconds: $0) }
            guard let territory = row.textIfAny(1) else { return }
            var settings = AccountSettings(name: account, territory: territory)
            for setting in AccountSwitch.allCases {
                settings[setting] = row.integer(2) >> setting.rawValue & 1 == 1
            }
            settings.locale = row.textIfAny(3)
            found.accounts[account] = settings
        }
        for (account, position) in families {
            found.families[account] = try family(at: position)
        }
    }

    /// Nil if the account has none.
    func values(of account: AccountName) throws -> [String: String]? {
        let rows = try db.fetchAll(
            "SELECT key, value FROM account_values WHERE account = ?", .text(account.rawValue)
        ) { ($0.text(0), $0.text(1)) }
        return rows.isEmpty ? nil : Dictionary(rows, uniquingKeysWith: { _, last in last })
    }

    func family(at position: Int64) throws -> Family? {
        for case .putFamily(_, let family) in try changes(at: position) { return family }
        return nil
    }

    /// In order of the shares' numbers.
    private func shares(of id: TransactionID) throws -> [TransactionRow] {
        try db.fetchAll(
            "SELECT account, id FROM shares WHERE shared = ? ORDER BY id", .integer(id.number)
        ) { (AccountName($0.text(0)), TransactionID($0.integer(1))) }
        .compactMap { try transaction($1, of: $0) }
    }

    private func firstShare(_ key: LedgerQuery.Sold) throws -> TransactionRow? {
        try db.fetchOne(
            "SELECT id FROM shares WHERE chain = ? AND account = ? ORDER BY id LIMIT 1",
            .integer(key.id.number), .text(key.account.rawValue)
        ) { TransactionID($0.integer(0)) }.flatMap { try transaction($0, of: key.account) }
    }

    private func firstUse(ofExtension id: UUID) throws -> Timestamp? {
        try db.fetchOne("SELECT asked_at FROM extensions WHERE id = ?", .uuid(id)) {
            Timestamp(milliseconds: $0.integer(0))
        }
    }

    func faults() throws -> [Fault] {
        try db.fetchAll("SELECT body FROM faults ORDER BY id") {
            try JSONDecoder().decode(Fault.self, from: $0.data(0))
        }
    }

    /// As of the payment's last entry: its request, sale or failure.
    func payment(_ id: PaymentID) throws -> PaymentRow? {
        guard let position = try positions(of: [id]).first ?? nil else { return nil }
        return try payment(id, at: position)
    }

    private func payment(_ id: PaymentID, at position: Int64) throws -> PaymentRow? {
        for case .putPayment(let row) in try changes(at: position) where row.payment.id == id {
            return row
        }
        return nil
    }

    /// With the present state of the payment's transaction or request.
    private func paymentNow(_ id: PaymentID, at position: Int64) throws -> PaymentRow? {
        guard var row = try payment(id, at: position) else { return nil }
        switch row.state {
        case .sold(let sold):
            row.state = .sold(try transaction(sold.id, of: sold.account) ?? sold)
        case .deferred(let request, _):
            switch try end(of: request) {
            case .sold:
                if let sold = try transaction(request, of: row.account) { row.state = .sold(sold) }
            case .answered(let id): row.state = .answered(with: id)
            case .failed(let error): row.state = .failed(error, request: request)
            case nil: break
            }
        case .answered, .failed: break
        }
        return row
    }

    /// Nil while the request waits.
    func end(of request: TransactionID) throws -> RequestEnd? {
        let position = try db.fetchOne(
            "SELECT answer_position FROM requests WHERE number = ?", .integer(request.number)
        ) { $0.integerIfAny(0) }
        guard let position = position ?? nil else { return nil }
        for case .removePending(request, let end) in try changes(at: position) { return end }
        return nil
    }

    private func type(of sold: LedgerQuery.Sold) throws -> ProductType? {
        try db.fetchOne(
            "SELECT kind FROM transactions WHERE account = ? AND id = ?",
            .text(sold.account.rawValue), .integer(sold.id.number)
        ) { Int($0.integer(0)) }.flatMap { KindCode(rawValue: $0)?.type }
    }

    func unfinished(_ row: LedgerQuery.Sold) throws -> UnfinishedRow? {
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

    // MARK: - Rows from entries

    /// The rows that the entry at a position changes. The tables hold only the columns that queries
    /// select by; the other values of a row come from its entry.
    func changes(at position: Int64) throws -> [RowChange] {
        try entry(at: position).map { try LedgerFold.changes(of: $0) } ?? []
    }

    /// The positions of the two entries that make up a transaction.
    struct Positions {
        var sold: Int64
        /// Of the last revision; nil without one.
        var revised: Int64?
    }

    func positions(_ row: any SQLRow) throws -> Positions {
        Positions(sold: row.integer(0), revised: row.integerIfAny(1))
    }

    func transaction(
        _ id: TransactionID, of account: AccountName
    ) throws -> TransactionRow? {
        try db.fetchOne(
            "SELECT position, state_position FROM transactions WHERE account = ? AND id = ?",
            .text(account.rawValue), .integer(id.number), read: positions
        ).flatMap { try transaction(at: $0) }
    }

    /// Of any account.
    func transaction(_ id: TransactionID) throws -> TransactionRow? {
        try db.fetchOne(
            "SELECT position, state_position FROM transactions WHERE id = ?",
            .integer(id.number), read: positions
        ).flatMap { try transaction(at: $0) }
    }

    func transaction(at positions: Positions) throws -> TransactionRow? {
        try transactions(at: [positions]).first
    }

    /// Those that are there, in the order of the positions.
    func transactions(at positions: [Positions]) throws -> [TransactionRow] {
        let found = try entries(at: positions.map(\.sold) + positions.compactMap(\.revised))
        let known = Dictionary(
            found.map { ($0.position, $0) }, uniquingKeysWith: { first, _ in first })
        return try positions.compactMap { positions -> TransactionRow? in
            guard let sold = known[positions.sold],
                var row = try LedgerFold.transaction(of: sold)
            else { return nil }
            if let revised = positions.revised {
                let changes = try known[revised].map { try LedgerFold.changes(of: $0) } ?? []
                for case .putState(row.id, _, let state) in changes { row.state = state }
                row.changedAt = revised
            }
            return row
        }
    }

    func pendingRow(at position: Int64) throws -> ApprovalRequest? {
        try changes(at: position).lazy.compactMap { change in
            if case .insertPending(let row) = change { row } else { nil }
        }.first
    }
}
