import Foundation
import GRDB
import StoreEngine
import StoreModel

/// Looks things up inside one open read.
struct LedgerReader {
    private let db: Database

    init(_ db: Database) { self.db = db }

    // MARK: - The feed

    func head() throws -> FeedCursor {
        let statement = try db.cachedStatement(
            sql: "SELECT coalesce(max(position), 0) FROM entries")
        return FeedCursor(epoch: 1, position: try Int64.fetchOne(statement) ?? 0)
    }

    func entries(after cursor: FeedCursor, account: AccountName?, limit: Int) throws -> EntryPage {
        guard cursor.epoch == 1 else { throw StoreError(.storeReplaced) }
        let rows: [Row]
        if let account {
            let statement = try db.cachedStatement(
                sql: """
                    SELECT \(EntryCoding.columns) FROM entries
                    WHERE account = ?1 AND position > ?3
                    UNION ALL
                    SELECT \(EntryCoding.columns) FROM entries
                    WHERE account = ?2 AND position > ?3
                    ORDER BY position LIMIT ?4
                    """)
            rows = try Row.fetchAll(
                statement, arguments: [account.rawValue, "", cursor.position, limit])
        } else {
            let statement = try db.cachedStatement(
                sql: """
                    SELECT \(EntryCoding.columns) FROM entries
                    WHERE position > ? ORDER BY position LIMIT ?
                    """)
            rows = try Row.fetchAll(statement, arguments: [cursor.position, limit])
        }
        let entries = try rows.map(EntryCoding.decode)
        guard entries.count == limit, let last = entries.last else {
            return EntryPage(entries: entries, cursor: try head())
        }
        return EntryPage(entries: entries, cursor: FeedCursor(epoch: 1, position: last.position))
    }

    // MARK: - What decisions rest on

    /// The position of a stream's last entry.
    func version(_ stream: StreamID) throws -> Int64 {
        let account =
            switch stream {
            case .account(let name): name.rawValue
            case .store: ""
            }
        let statement = try db.cachedStatement(
            sql: "SELECT max(position) FROM entries WHERE account = ?")
        return try Int64.fetchOne(statement, arguments: [account]) ?? 0
    }

    func storeWide(version: Int64) throws -> StoreWide {
        StoreWide(
            version: version, identity: try meta("identity"), catalog: try meta("catalog"),
            faults: try faults())
    }

    func snapshot(_ query: LedgerQuery, storeWide: StoreWide) throws -> LedgerSnapshot {
        var found = LedgerSnapshot()
        found.identity = storeWide.identity
        found.catalog = storeWide.catalog
        found.faults = storeWide.faults
        found.versions[.store] = storeWide.version
        found.recordedUntil = try lastRecorded()
        for account in query.accounts { try addAccount(account, to: &found) }
        for id in query.payments { found.payments[id] = try payment(id) }
        for sold in query.transactions {
            found.transactions[sold.id] = try transaction(sold.id, of: sold.account)
        }
        for sold in query.finishing {
            guard let type = try type(of: sold) else { continue }
            found.soldTypes[sold] = type
            found.unfinished[sold.id] = try unfinished(sold)
        }
        for number in query.pending { try addRequest(number, to: &found) }
        for key in query.owned { found.owned[key] = try owned(key) }
        for key in query.subscribed { found.subscribed[key] = try subscribed(key) }
        return found
    }

    /// A request that waits, or what it became.
    private func addRequest(
        _ number: TransactionID, to found: inout LedgerSnapshot
    ) throws {
        let statement = try db.cachedStatement(
            sql: "SELECT position, is_pending FROM requests WHERE number = ?")
        guard let row = try Row.fetchOne(statement, arguments: [number.number]),
            let request = try pendingRow(at: row[0])
        else { return }
        if row[1] as Bool {
            found.pending[number] = request
        } else {
            found.transactions[number] = try transaction(number, of: request.account)
        }
    }

    private func lastRecorded() throws -> Timestamp? {
        let statement = try db.cachedStatement(
            sql: "SELECT recorded_at FROM entries ORDER BY position DESC LIMIT 1")
        return try Int64.fetchOne(statement).map { Timestamp(milliseconds: $0) }
    }

    private func meta<Value: Decodable>(_ name: String) throws -> Value? {
        let statement = try db.cachedStatement(sql: "SELECT value FROM meta WHERE name = ?")
        return try Data.fetchOne(statement, arguments: [name]).map {
            try JSONDecoder().decode(Value.self, from: $0)
        }
    }

    /// Its version and its settings, if it has any, in one question.
    private func addAccount(_ account: AccountName, to found: inout LedgerSnapshot) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT (SELECT max(position) FROM entries WHERE account = ?1),
                  territory, ask_to_buy, can_make_payments
                FROM (SELECT 1) LEFT JOIN accounts ON name = ?1
                """)
        guard let row = try Row.fetchOne(statement, arguments: [account.rawValue]) else { return }
        found.versions[.account(account)] = row[0] ?? 0
        guard let territory: String = row[1] else { return }
        found.accounts[account] = AccountSettings(
            name: account, territory: territory, askToBuy: row[2], canMakePayments: row[3])
    }

    private func faults() throws -> [Fault] {
        let statement = try db.cachedStatement(sql: "SELECT body FROM faults ORDER BY id")
        return try Data.fetchAll(statement).map { try JSONDecoder().decode(Fault.self, from: $0) }
    }

    private func payment(_ id: PaymentID) throws -> PaymentRow? {
        let statement = try db.cachedStatement(
            sql: "SELECT position FROM payments WHERE id = ?")
        guard let position = try Int64.fetchOne(statement, arguments: [id.uuid.bytes]) else {
            return nil
        }
        return try changes(at: position).lazy.compactMap { change in
            if case .putPayment(let row) = change, row.payment.id == id { row } else { nil }
        }.first
    }

    private func type(of sold: LedgerQuery.Sold) throws -> ProductType? {
        let statement = try db.cachedStatement(
            sql: "SELECT kind FROM transactions WHERE account = ? AND id = ?")
        return try Int.fetchOne(
            statement, arguments: [sold.account.rawValue, sold.id.number]
        ).flatMap { KindCode(rawValue: $0)?.type }
    }

    private func unfinished(_ row: LedgerQuery.Sold) throws -> UnfinishedRow? {
        let statement = try db.cachedStatement(
            sql: "SELECT device FROM unfinished WHERE account = ? AND id = ?")
        return try String.fetchOne(
            statement, arguments: [row.account.rawValue, row.id.number]
        ).map { UnfinishedRow(id: row.id, account: row.account, device: DeviceName($0)) }
    }

    private func owned(_ key: LedgerQuery.Owned) throws -> TransactionRow? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT position FROM transactions
                WHERE account = ? AND kind = \(KindCode.nonConsumable.rawValue) AND product = ?
                ORDER BY id DESC LIMIT 1
                """)
        return try Int64.fetchOne(
            statement, arguments: [key.account.rawValue, key.product.rawValue]
        ).flatMap { try transaction(at: $0) }
    }

    private func subscribed(_ key: LedgerQuery.Subscribed) throws -> TransactionRow? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT position FROM transactions
                WHERE account = ? AND subscription_group = ? ORDER BY position DESC LIMIT 1
                """)
        return try Int64.fetchOne(
            statement, arguments: [key.account.rawValue, key.group.rawValue]
        ).flatMap { try transaction(at: $0) }
    }

    // MARK: - What an account has

    func transactions(
        of account: AccountName, before: TransactionID?, kinds: Set<ProductType>, limit: Int
    ) throws -> [TransactionRow] {
        let isAll = kinds.count == ProductType.allCases.count
        let lasting = kinds == Set(ProductType.allCases).subtracting([.consumable])
        let codes = kinds.map { String(KindCode($0).rawValue) }.sorted().joined(separator: ", ")
        // The same words as the index of lasting sales, so that consumables cost nothing here.
        let filter =
            isAll
            ? ""
            : lasting
                ? "AND kind <> \(KindCode.consumable.rawValue)"
                : "AND kind IN (\(codes))"
        let statement = try db.cachedStatement(
            sql: """
                SELECT position FROM transactions
                WHERE account = ? AND id < ? \(filter) ORDER BY id DESC LIMIT ?
                """)
        let positions = try Int64.fetchAll(
            statement, arguments: [account.rawValue, before?.number ?? Int64.max, limit])
        return try positions.compactMap { try transaction(at: $0) }
    }

    func unfinished(of account: AccountName) throws -> [(UnfinishedRow, TransactionRow)] {
        let statement = try db.cachedStatement(
            sql: "SELECT id, device FROM unfinished WHERE account = ? ORDER BY id")
        return try Row.fetchAll(statement, arguments: [account.rawValue]).compactMap { row in
            let id = TransactionID(row[0] as Int64)
            return try transaction(id, of: account).map {
                (UnfinishedRow(id: id, account: account, device: DeviceName(row[1] as String)), $0)
            }
        }
    }

    func entitling(of account: AccountName) throws -> [TransactionRow] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT max(position) FROM transactions
                WHERE account = ? AND kind <> \(KindCode.consumable.rawValue)
                GROUP BY coalesce(subscription_group, product) ORDER BY 1
                """)
        return try Int64.fetchAll(statement, arguments: [account.rawValue])
            .compactMap { try transaction(at: $0) }
    }

    // MARK: - What the operator sees

    func pending() throws -> [PendingRow] {
        let statement = try db.cachedStatement(
            sql: "SELECT position FROM requests WHERE is_pending = 1 ORDER BY number")
        return try Int64.fetchAll(statement).compactMap { try pendingRow(at: $0) }
    }

    func takings() throws -> [Takings] {
        let statement = try db.cachedStatement(
            sql: "SELECT currency, milliunits, sales FROM takings ORDER BY currency")
        return try Row.fetchAll(statement).map {
            Takings(currency: $0[0], soldMilliunits: $0[1], sales: $0[2])
        }
    }

    // MARK: - Rows from entries

    /// The rows an entry made: columns hold only what is looked up by, the entry holds the rest.
    private func changes(at position: Int64) throws -> [RowChange] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(EntryCoding.columns) FROM entries WHERE position = ?")
        guard let row = try Row.fetchOne(statement, arguments: [position]) else { return [] }
        return LedgerFold.changes(of: try EntryCoding.decode(row))
    }

    private func transaction(
        _ id: TransactionID, of account: AccountName
    ) throws -> TransactionRow? {
        let statement = try db.cachedStatement(
            sql: "SELECT position FROM transactions WHERE account = ? AND id = ?")
        return try Int64.fetchOne(statement, arguments: [account.rawValue, id.number])
            .flatMap { try transaction(at: $0) }
    }

    private func transaction(at position: Int64) throws -> TransactionRow? {
        try changes(at: position).lazy.compactMap { change in
            if case .insertTransaction(let row) = change { row } else { nil }
        }.first
    }

    private func pendingRow(at position: Int64) throws -> PendingRow? {
        try changes(at: position).lazy.compactMap { change in
            if case .insertPending(let row) = change { row } else { nil }
        }.first
    }

    // MARK: - Everything

    func projections() throws -> Projections {
        var all = Projections()
        all.identity = try meta("identity")
        all.catalog = try meta("catalog")
        for position in try Int64.fetchAll(db, sql: "SELECT position FROM transactions") {
            guard let row = try transaction(at: position) else { continue }
            all.transactions[row.id] = row
        }
        for bytes in try UUID.fetchAll(db, sql: "SELECT id FROM payments") {
            all.payments[PaymentID(bytes)] = try payment(PaymentID(bytes))
        }
        for account in try String.fetchAll(db, sql: "SELECT DISTINCT account FROM unfinished") {
            for (row, _) in try unfinished(of: AccountName(account)) {
                all.unfinished[row.id] = row
            }
        }
        for row in try pending() { all.pending[row.number] = row }
        var found = LedgerSnapshot()
        for name in try String.fetchAll(db, sql: "SELECT name FROM accounts") {
            try addAccount(AccountName(name), to: &found)
        }
        all.accounts = found.accounts
        for fault in try faults() { all.faults[fault.id] = fault }
        for sum in try takings() { all.takings[sum.currency] = sum }
        return all
    }
}

/// What concerns everybody, as of the last entry of the store's stream.
struct StoreWide: Sendable {
    var version: Int64
    var identity: AppIdentity?
    var catalog: CatalogRevision?
    var faults: [Fault]
}
