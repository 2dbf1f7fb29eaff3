import Basics
import StoreEngine
import StoreModel

extension LedgerReader {
    func transactions(
        of account: AccountName, before: TransactionID?, kinds: Set<ProductType>,
        entitlingOnly: Bool, limit: Int
    ) throws -> [TransactionRow] {
        let isAll = kinds.count == ProductType.allCases.count
        let lasting = kinds == Set(ProductType.allCases).subtracting([.consumable])
        let codes = kinds.map { String(KindCode($0).rawValue) }.sorted().joined(separator: ", ")
        // The text must equal the WHERE of index transactions_lasting, or SQLite does not use the
        // index. With it the query's cost does not grow with the account's consumables.
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
        return try transactions(at: found)
    }

    func unfinished(of account: AccountName) throws -> [(UnfinishedRow, TransactionRow)] {
        let found = try db.fetchAll(
            """
            SELECT sold.position, sold.state_position, unfinished.id, unfinished.device
            FROM unfinished JOIN transactions AS sold
              ON sold.account = unfinished.account AND sold.id = unfinished.id
            WHERE unfinished.account = ? ORDER BY unfinished.id
            """, .text(account.rawValue)
        ) { row in
            (
                try positions(row),
                UnfinishedRow(
                    id: TransactionID(row.integer(2)), account: account,
                    device: row.textIfAny(3).map { DeviceName($0) })
            )
        }
        let sold = Dictionary(
            try transactions(at: found.map(\.0)).map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
        return found.compactMap { _, row in sold[row.id].map { (row, $0) } }
    }

    func entitling(of account: AccountName) throws -> [TransactionRow] {
        try lastOfEach(
            "coalesce(subscription_group, product), share_chain",
            where: "kind <> \(KindCode.consumable.rawValue) AND is_revoked = 0", of: account)
    }

    func lastShares(of account: AccountName) throws -> [TransactionRow] {
        // The condition must equal that of index transactions_shared, or SQLite does not use the
        // index.
        try lastOfEach(
            "share_chain",
            where: "subscription_group IS NOT NULL AND is_deleted = 0 AND share_chain IS NOT NULL",
            of: account)
    }

    /// The last sale of each group of an account's sales, in the order in which they were sold.
    private func lastOfEach(
        _ group: String, where condition: String, of account: AccountName
    ) throws -> [TransactionRow] {
        let sql =
            switch db.dialect {
            // Beside max() other columns are of the row that has it.
            case .sqlite:
                """
                SELECT max(position), state_position FROM transactions
                WHERE account = ? AND \(condition) GROUP BY \(group) ORDER BY 1
                """
            case .postgreSQL:
                """
                SELECT position, state_position FROM (
                  SELECT DISTINCT ON (\(group)) position, state_position FROM transactions
                  WHERE account = ? AND \(condition) ORDER BY \(group), position DESC
                ) AS latest ORDER BY position
                """
            }
        return try transactions(
            at: db.fetchAll(sql, .text(account.rawValue), read: positions))
    }
}
