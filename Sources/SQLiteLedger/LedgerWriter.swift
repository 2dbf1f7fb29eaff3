import Foundation
import GRDB
import StoreEngine
import StoreModel

/// Appends decisions inside one open write.
final class LedgerWriter {
    private let db: Database
    private let recordedAt: Timestamp
    private var position: Int64
    private var nextNumber: Int64
    /// Versions as they were when the append began.
    private var versions: [StreamID: Int64] = [:]
    /// What the sales of this append add up to, written once.
    private var takings: [String: (milliunits: Int64, sales: Int64)] = [:]

    init(_ db: Database, now: Timestamp) throws {
        self.db = db
        let last = try Row.fetchOne(
            db.cachedStatement(
                sql: """
                    SELECT position, recorded_at, next_number FROM entries
                    ORDER BY position DESC LIMIT 1
                    """))
        position = last?[0] ?? 0
        recordedAt = max(now, Timestamp(milliseconds: last?[1] ?? now.milliseconds))
        nextNumber = last?[2] ?? StoreLimits.firstTransactionNumber
    }

    func append(_ decisions: [Decision], facts: [[EntryCoding.Coded]]) throws -> [AppendResult] {
        for stream in Set(decisions.flatMap(\.reads.keys)) {
            versions[stream] = try LedgerReader(db).version(stream)
        }
        let results = try zip(decisions, facts).map { try append($0, facts: $1) }
        try writeTakings()
        return results
    }

    private func append(_ decision: Decision, facts: [EntryCoding.Coded]) throws -> AppendResult {
        guard decision.reads.allSatisfy({ versions[$0.key] == $0.value }) else {
            return .conflict
        }
        for payment in decision.newPayments where try isKnown(payment) { return .conflict }
        for (digest, body) in decision.attachments {
            try execute(
                "INSERT OR IGNORE INTO attachments (digest, body) VALUES (?, ?)",
                [digest, body])
        }
        return .recorded(try zip(decision.entries, facts).map { try record($0, $1) })
    }

    private func isKnown(_ payment: PaymentID) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM payments WHERE id = ?")
        return try Int.fetchOne(statement, arguments: [payment.uuid.bytes]) != nil
    }

    private func record(_ entry: Entry, _ fact: EntryCoding.Coded) throws -> RecordedEntry {
        position += 1
        let number: TransactionID? =
            switch entry.number {
            case .none: nil
            case .existing(let id): id
            case .next: TransactionID(nextNumber)
            }
        if entry.number == .next { nextNumber += 1 }
        try execute(
            """
            INSERT INTO entries (\(EntryCoding.allColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                position, entry.account?.rawValue ?? "", entry.device?.rawValue, number?.number,
                entry.number == .next, recordedAt.milliseconds, entry.effectiveAt.milliseconds,
                fact.kind, fact.body, nextNumber,
            ])
        let recorded = RecordedEntry(
            position: position, recordedAt: recordedAt, number: number, entry: entry)
        for change in LedgerFold.changes(of: recorded) { try apply(change) }
        return recorded
    }

    private func apply(_ change: RowChange) throws {
        switch change {
        case .insertTransaction(let row):
            try execute(
                """
                INSERT INTO transactions (id, position, account, kind, product, subscription_group)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                [
                    row.id.number, position, row.account.rawValue, KindCode(row.sale.type).rawValue,
                    row.sale.payment.productID.rawValue, row.sale.groupID?.rawValue,
                ])
        case .putPayment(let row):
            try execute(
                "INSERT OR REPLACE INTO payments (id, position) VALUES (?, ?)",
                [row.payment.id.uuid.bytes, position])
        case .insertUnfinished(let row):
            try execute(
                "INSERT INTO unfinished (account, id, device) VALUES (?, ?, ?)",
                [row.account.rawValue, row.id.number, row.device.rawValue])
        case .moveUnfinished(let id, let account, let device):
            try execute(
                "UPDATE unfinished SET device = ? WHERE account = ? AND id = ?",
                [device.rawValue, account.rawValue, id.number])
        case .removeUnfinished(let id, let account):
            try execute(
                "DELETE FROM unfinished WHERE account = ? AND id = ?",
                [account.rawValue, id.number])
        case .insertPending(let row):
            try execute(
                "INSERT INTO requests (number, position, is_pending) VALUES (?, ?, 1)",
                [row.number.number, position])
        case .removePending(let number):
            try execute(
                "UPDATE requests SET is_pending = 0 WHERE number = ?", [number.number])
        case .putAccount(let settings):
            try execute(
                """
                INSERT OR REPLACE INTO accounts (name, territory, ask_to_buy, can_make_payments)
                VALUES (?, ?, ?, ?)
                """,
                [
                    settings.name.rawValue, settings.territory, settings.askToBuy,
                    settings.canMakePayments,
                ])
        case .putFault(let fault):
            try execute(
                "INSERT OR REPLACE INTO faults (id, body) VALUES (?, ?)",
                [fault.id, try JSONEncoder().encode(fault)])
        case .removeFault(let id): try execute("DELETE FROM faults WHERE id = ?", [id])
        case .addTakings(let currency, let milliunits):
            let sum = takings[currency] ?? (0, 0)
            takings[currency] = (sum.milliunits + milliunits, sum.sales + 1)
        case .putCatalog(let revision): try putMeta("catalog", revision)
        case .putIdentity(let identity): try putMeta("identity", identity)
        }
    }

    private func writeTakings() throws {
        for (currency, sum) in takings {
            try execute(
                """
                INSERT INTO takings (currency, milliunits, sales) VALUES (?, ?, ?)
                ON CONFLICT (currency) DO UPDATE
                SET milliunits = milliunits + excluded.milliunits, sales = sales + excluded.sales
                """, [currency, sum.milliunits, sum.sales])
        }
    }

    private func putMeta(_ name: String, _ value: some Encodable) throws {
        try execute(
            "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)",
            [name, try JSONEncoder().encode(value)])
    }

    private func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
