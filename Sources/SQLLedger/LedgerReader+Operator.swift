import Basics
import StoreEngine
import StoreModel

extension LedgerReader {
    func pending() throws -> [ApprovalRequest] {
        try db.fetchAll("SELECT position FROM requests WHERE is_pending = 1 ORDER BY number") {
            $0.integer(0)
        }.compactMap { try pendingRow(at: $0) }
    }

    /// Oldest first.
    func pending(of account: AccountName) throws -> [ApprovalRequest] {
        try db.fetchAll(
            """
            SELECT position FROM requests WHERE account = ? AND is_pending = 1 ORDER BY number
            """, .text(account.rawValue)
        ) { $0.integer(0) }.compactMap { try pendingRow(at: $0) }
    }

    /// In order of time, then of transaction number.
    func refundRequests() throws -> [RefundRequest] {
        try db.fetchAll("SELECT position FROM refund_requests") { $0.integer(0) }
            .compactMap { try refundRequest(at: $0) }
            .sorted { ($0.askedAt, $0.transactionID) < ($1.askedAt, $1.transactionID) }
    }

    func refundRequest(_ id: TransactionID) throws -> RefundRequest? {
        try db.fetchOne(
            "SELECT position FROM refund_requests WHERE transaction_id = ?", .integer(id.number)
        ) { $0.integer(0) }.flatMap { try refundRequest(at: $0) }
    }

    func refundRequest(at position: Int64) throws -> RefundRequest? {
        for case .putRefundRequest(let request) in try changes(at: position) { return request }
        return nil
    }

    /// Those that more accounts use than is usual. The cost grows with the number of notices.
    func notices() throws -> [AccountNotice] {
        [AccountNotice](try uses("WHERE is_noticed = 1"))
    }

    func uses(_ condition: String) throws -> [AccountUse.Means: Set<AccountName>] {
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

    /// In order of their organizers. The cost grows with the accounts that are in a family.
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
}
