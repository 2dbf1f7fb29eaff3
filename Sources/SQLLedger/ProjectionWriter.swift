import Basics
import Foundation
import StoreEngine
import StoreModel

/// Applies the changes of entries to the ledger's other tables, inside one open write transaction.
final class ProjectionWriter {
    private let db: any SQLTransaction
    /// The sums per currency since the last `writeSalesTotals`, which writes each once.
    private var totals: [String: SalesTotals] = [:]

    init(_ db: any SQLTransaction) { self.db = db }

    /// Collects changes of sales totals for `writeSalesTotals`.
    ///
    /// - Parameter position: the position of the entry that makes the change.
    func apply(_ change: RowChange, at position: Int64) throws {
        switch change {
        case .insertTransaction(let row): try insert(row, at: position)
        case .putPayment(let row):
            try db.execute(
                """
                INSERT INTO payments (id, position) VALUES (?, ?)
                ON CONFLICT (id) DO UPDATE SET position = excluded.position
                """,
                .uuid(row.payment.id.uuid), .integer(position))
        case .insertUnfinished(let row):
            try db.execute(
                "INSERT INTO unfinished (account, id, device) VALUES (?, ?, ?)",
                .text(row.account.rawValue), .integer(row.id.number), .text(row.device?.rawValue))
        case .moveUnfinished(let id, let account, let device):
            try db.execute(
                "UPDATE unfinished SET device = ? WHERE account = ? AND id = ?",
                .text(device.rawValue), .text(account.rawValue), .integer(id.number))
        case .removeUnfinished(let id, let account):
            try db.execute(
                "DELETE FROM unfinished WHERE account = ? AND id = ?",
                .text(account.rawValue), .integer(id.number))
        case .insertPending(let row):
            try db.execute(
                """
                INSERT INTO requests (number, account, position, is_pending)
                VALUES (?, ?, ?, 1)
                """,
                .integer(row.number.number), .text(row.account.rawValue), .integer(position))
        case .removePending(let number, _):
            try db.execute(
                "UPDATE requests SET is_pending = 0, answer_position = ? WHERE number = ?",
                .integer(position), .integer(number.number))
        case .putRefundRequest(let request):
            try db.execute(
                """
                INSERT INTO refund_requests (transaction_id, position) VALUES (?, ?)
                ON CONFLICT (transaction_id) DO UPDATE SET position = excluded.position
                """,
                .integer(request.transactionID.number), .integer(position))
        case .removeRefundRequest(let id):
            try db.execute(
                "DELETE FROM refund_requests WHERE transaction_id = ?", .integer(id.number))
        case .putAccount(let settings): try put(settings)
        case .putFamily(let account, nil):
            try db.execute("DELETE FROM families WHERE account = ?", .text(account.rawValue))
        case .putFamily(let account, _?):
            try db.execute(
                """
                INSERT INTO families (account, position) VALUES (?, ?)
                ON CONFLICT (account) DO UPDATE SET position = excluded.position
                """,
                .text(account.rawValue), .integer(position))
        case .putValue(let account, let change): try put(change, of: account)
        case .noteUse(let use): try note(use)
        case .noteOfferUse(let use): try note(use)
        case .removeOfferUses(let id):
            try db.execute(
                "DELETE FROM offer_uses WHERE transaction_id = ?", .integer(id.number))
        case .insertShare(let row):
            try db.execute(
                "INSERT INTO shares (shared, account, id, chain) VALUES (?, ?, ?, ?)",
                .integer(row.shared.number), .text(row.account.rawValue),
                .integer(row.id.number), .integer(row.chain.number))
        case .putFault(let fault):
            try db.execute(
                """
                INSERT INTO faults (id, body) VALUES (?, ?)
                ON CONFLICT (id) DO UPDATE SET body = excluded.body
                """,
                .integer(fault.id), .blob(try JSONEncoder().encode(fault)))
        case .removeFault(let id):
            try db.execute("DELETE FROM faults WHERE id = ?", .integer(id))
        case .noteSoldProduct(let product): try note(product)
        case .addSalesTotals(let change): totals.add(change)
        case .putState(let id, let account, let state):
            try db.execute(
                """
                UPDATE transactions SET state_position = ?, is_revoked = ?, is_deleted = ?
                WHERE account = ? AND id = ?
                """,
                .integer(position), .flag(state.isRevoked), .flag(state.isDeleted),
                .text(account.rawValue), .integer(id.number))
        case .putSubscription(let row): try put(row)
        case .putSubscriptionState(let chain, let account, let autoRenews, _):
            try db.execute(
                """
                UPDATE subscriptions SET auto_renews = ?, state_position = ?
                WHERE chain = ? AND account = ?
                """,
                .flag(autoRenews), .integer(position), .integer(chain.number),
                .text(account.rawValue))
        case .putDue(let item): try put(item)
        case .removeDue(let chain, _, let kind):
            try db.execute(
                "DELETE FROM due WHERE chain = ? AND kind = ?", .integer(chain.number),
                .integer(Int64(kind.rawValue)))
        case .putClock(let state): try putMeta("clock", state)
        case .putRenewals(let settings): try putMeta("renewals", settings)
        case .putServer(let settings): try putMeta("server", settings)
        case .noteExtension(let id, let at):
            try db.execute(
                "INSERT INTO extensions (id, asked_at) VALUES (?, ?) ON CONFLICT DO NOTHING",
                .uuid(id), .integer(at.milliseconds))
        case .outbox(let fact): try OutboxTable.apply(fact, at: position, to: db)
        case .putCatalog(let revision): try putMeta("catalog", revision)
        case .putIdentity(let identity): try putMeta("identity", identity)
        case .putEpoch(let epoch): try putMeta(MetaTable.epoch, epoch)
        case .insertHistory(var row, let sold):
            if let sold, let account = row.account {
                row.product = try product(of: sold, soldTo: account)
            }
            try HistoryTable.insert(row, into: db)
        }
    }

    private func put(_ change: AccountValue, of account: AccountName) throws {
        guard let value = change.value else {
            return try db.execute(
                "DELETE FROM account_values WHERE account = ? AND key = ?",
                .text(account.rawValue), .text(change.key))
        }
        try db.execute(
            """
            INSERT INTO account_values (account, key, value) VALUES (?, ?, ?)
            ON CONFLICT (account, key) DO UPDATE SET value = excluded.value
            """,
            .text(account.rawValue), .text(change.key), .text(value))
    }

    private func note(_ use: OfferUse) throws {
        try db.execute(
            """
            INSERT INTO offer_uses (subject, account, payment, transaction_id)
            VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            .text(use.key.subject.text), .text(use.key.account.rawValue),
            use.payment.map { .uuid($0.uuid) } ?? .blob(nil),
            .integer(use.transaction?.number))
    }

    private func insert(_ row: TransactionRow, at position: Int64) throws {
        try db.execute(
            """
            INSERT INTO transactions
            (id, position, account, kind, product, subscription_group, is_revoked, is_deleted,
              share_chain)
            VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?)
            """,
            .integer(row.id.number), .integer(position), .text(row.account.rawValue),
            .integer(Int64(KindCode(row.sale.type).rawValue)),
            .text(row.sale.productID.rawValue), .text(row.sale.groupID?.rawValue),
            .integer(row.sale.sharedTransaction.map { row.sale.share?.chain ?? $0 }?.number))
    }

    private func put(_ settings: AccountSettings) throws {
        let switches = AccountSwitch.allCases.reduce(0 as Int64) {
            $0 | (settings[$1] ? 1 << $1.rawValue : 0)
        }
        try db.execute(
            """
            INSERT INTO accounts (name, territory, switches, locale) VALUES (?, ?, ?, ?)
            ON CONFLICT (name) DO UPDATE
            SET territory = excluded.territory, switches = excluded.switches,
                locale = excluded.locale
            """,
            .text(settings.name.rawValue), .text(settings.territory),
            .integer(switches), .text(settings.locale))
    }

    /// Only a product's first sale writes a row. Later sales change no page.
    private func note(_ product: SoldProduct) throws {
        try db.execute(
            """
            INSERT INTO sold_products (product, kind, subscription_group, is_hosted)
            VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
            """,
            .text(product.id.rawValue), .integer(Int64(KindCode(product.type).rawValue)),
            .text(product.groupID?.rawValue), .flag(product.isHosted))
    }

    private func put(_ row: SubscriptionRow) throws {
        try db.execute(
            """
            INSERT INTO subscriptions (chain, account, auto_renews, ordinal, latest)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (chain) DO UPDATE
            SET account = excluded.account, auto_renews = excluded.auto_renews,
                ordinal = excluded.ordinal, previous = subscriptions.latest, latest = excluded.latest,
                state_position = NULL
            """,
            .integer(row.chain.number), .text(row.account.rawValue), .flag(row.autoRenews),
            .integer(Int64(row.ordinal)), .integer(row.latest.number))
    }

    private func put(_ item: DueItem) throws {
        try db.execute(
            """
            INSERT INTO due (chain, kind, period, account, at) VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (chain, kind) DO UPDATE
            SET period = excluded.period, account = excluded.account, at = excluded.at
            """,
            .integer(item.chain.number), .integer(Int64(item.kind.rawValue)),
            .integer(Int64(item.period)), .text(item.account.rawValue),
            .integer(item.at.milliseconds))
    }

    /// Only an account's first use writes a row, and only for the first `AccountNotice.accountsMax`
    /// accounts; other uses change no page. Nothing is read first, so that no sale waits for it.
    private func note(_ use: AccountUse) throws {
        let (kind, subject) = (use.means.kind, use.means.subject)
        let count = "(SELECT count(*) FROM account_uses WHERE kind = ?1 AND subject = ?2)"
        try db.execute(
            """
            INSERT INTO account_uses (kind, subject, account, is_noticed)
            SELECT ?1, ?2, ?3, 0 WHERE \(count) < \(AccountNotice.accountsMax)
            ON CONFLICT DO NOTHING
            """,
            .text(kind.rawValue), .text(subject), .text(use.account.rawValue))
        try db.execute(
            """
            UPDATE account_uses SET is_noticed = 1
            WHERE kind = ?1 AND subject = ?2 AND is_noticed = 0 AND \(count) >= ?3
            """,
            .text(kind.rawValue), .text(subject), .integer(Int64(kind.accountsMin)))
    }

    private func product(
        of id: TransactionID, soldTo account: AccountName
    ) throws -> ProductID? {
        try db.fetchOne(
            "SELECT product FROM transactions WHERE account = ? AND id = ?",
            .text(account.rawValue), .integer(id.number)
        ) { ProductID($0.text(0)) }
    }

    /// Call it after the last change of a transaction.
    func writeSalesTotals() throws {
        for sum in totals.values {
            try db.execute(
                """
                INSERT INTO takings (currency, milliunits, sales, refunded) VALUES (?, ?, ?, ?)
                ON CONFLICT (currency) DO UPDATE
                SET milliunits = takings.milliunits + excluded.milliunits,
                    sales = takings.sales + excluded.sales,
                    refunded = takings.refunded + excluded.refunded
                """, .text(sum.currency), .integer(sum.soldMilliunits), .integer(sum.sales),
                .integer(sum.refundedMilliunits))
        }
        totals = [:]
    }

    private func putMeta(_ name: String, _ value: some Encodable) throws {
        try MetaTable.put(name, try JSONEncoder().encode(value), in: db)
    }
}
