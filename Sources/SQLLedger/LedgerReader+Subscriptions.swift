import Basics
import StoreEngine
import StoreModel

extension LedgerReader {
    func subscription(_ sold: LedgerQuery.Sold) throws -> SubscriptionRow? {
        let found = try db.fetchOne(
            """
            SELECT \(Self.subscriptionColumns) FROM subscriptions WHERE chain = ? AND account = ?
            """, .integer(sold.id.number), .text(sold.account.rawValue), read: subscriptionRow)
        return try found.map { try withState($0) }
    }

    private static let subscriptionColumns =
        "chain, account, auto_renews, ordinal, latest, previous, state_position"

    private func subscriptionRow(_ row: any SQLRow) throws -> (SubscriptionRow, state: Int64?) {
        (
            SubscriptionRow(
                chain: TransactionID(row.integer(0)), account: AccountName(row.text(1)),
                autoRenews: row.flag(2), ordinal: Int(row.integer(3)),
                latest: TransactionID(row.integer(4)),
                previous: row.integerIfAny(5).map { TransactionID($0) }), row.integerIfAny(6)
        )
    }

    /// The row with the state that its last entry set; a sale of the subscription resets the state.
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

    /// In order of their numbers.
    func subscriptions(after chain: TransactionID?, limit: Int) throws -> [SubscriptionRow] {
        try db.fetchAll(
            """
            SELECT \(Self.subscriptionColumns) FROM subscriptions WHERE chain > ?
            ORDER BY chain LIMIT ?
            """, .integer(chain?.number ?? 0), .integer(Int64(limit)), read: subscriptionRow
        ).map { try withState($0) }
    }

    func group(_ key: LedgerQuery.Subscribed) throws -> [TransactionRow] {
        let found = try db.fetchAll(
            """
            SELECT position, state_position FROM transactions
            WHERE account = ? AND subscription_group = ? AND is_deleted = 0
            AND share_chain IS NULL ORDER BY position
            """, .text(key.account.rawValue), .text(key.group.rawValue), read: positions)
        return try transactions(at: found)
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

    /// Nil if none is due.
    func due(of chain: TransactionID) throws -> DueItem? {
        try db.fetchOne(
            """
            SELECT account, chain, kind, period, at FROM due
            WHERE chain = ? AND kind = \(DueItem.Kind.renewal.rawValue)
            """, .integer(chain.number), read: dueItem
        ).flatMap { $0 }
    }

    private func dueItem(_ row: any SQLRow) throws -> DueItem? {
        guard let kind = DueItem.Kind(rawValue: Int(row.integer(2))) else { return nil }
        return DueItem(
            account: AccountName(row.text(0)), chain: TransactionID(row.integer(1)), kind: kind,
            period: Int(row.integer(3)), at: Timestamp(milliseconds: row.integer(4)))
    }

    func subscribed(_ key: LedgerQuery.Subscribed) throws -> TransactionRow? {
        try db.fetchOne(
            """
            SELECT position, state_position FROM transactions
            WHERE account = ? AND subscription_group = ? AND is_deleted = 0
            AND share_chain IS NULL ORDER BY position DESC LIMIT 1
            """, .text(key.account.rawValue), .text(key.group.rawValue), read: positions
        ).flatMap { try transaction(at: $0) }
    }
}
