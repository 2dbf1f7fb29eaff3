import DurableFiles
import Foundation
import GRDB
import StoreEngine
import StoreModel

/// Appends decisions inside one open write.
final class LedgerWriter {
    private let db: Database
    private let reader: LedgerReader
    private let recordedAt: Timestamp
    private var position: Int64
    private var nextNumber: Int64
    /// Versions as they were when the append began.
    private var versions: [StreamID: Int64] = [:]
    /// What the sales of this append add up to, written once.
    private var takings: [String: (milliunits: Int64, sales: Int64)] = [:]

    init(_ db: Database, reader: LedgerReader, now: Timestamp) throws {
        self.db = db
        self.reader = reader
        let last = try db.first(
            """
            SELECT position, recorded_at, next_number FROM entries
            ORDER BY position DESC LIMIT 1
            """
        ) { (position: $0.integer(0), at: $0.integer(1), next: $0.integer(2)) }
        position = last?.position ?? 0
        recordedAt = max(now, Timestamp(milliseconds: last?.at ?? now.milliseconds))
        nextNumber = last?.next ?? StoreLimits.firstTransactionNumber
    }

    func append(_ decisions: [Decision], facts: [[EntryCoding.Coded]]) throws -> [AppendResult] {
        for stream in Set(decisions.flatMap(\.reads.keys)) {
            versions[stream] = try reader.version(stream)
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
            try db.run(
                "INSERT OR IGNORE INTO attachments (digest, body) VALUES (?, ?)",
                .text(digest), .blob(body))
        }
        return .recorded(try zip(decision.entries, facts).map { try record($0, $1) })
    }

    private func isKnown(_ payment: PaymentID) throws -> Bool {
        try db.first("SELECT 1 FROM payments WHERE id = ?", .uuid(payment.uuid)) { _ in } != nil
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
        try db.run(
            """
            INSERT INTO entries (\(EntryCoding.allColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .integer(position), .text(entry.account?.rawValue ?? ""),
            .text(entry.device?.rawValue), .integer(number?.number), .flag(entry.number == .next),
            .integer(recordedAt.milliseconds), .integer(entry.effectiveAt.milliseconds),
            .integer(Int64(fact.kind)), .bytes(fact.body), .integer(nextNumber))
        let recorded = RecordedEntry(
            position: position, recordedAt: recordedAt, number: number, entry: entry)
        for change in LedgerFold.changes(of: recorded) { try apply(change) }
        return recorded
    }

    private func apply(_ change: RowChange) throws {
        switch change {
        case .insertTransaction(let row):
            try db.run(
                """
                INSERT INTO transactions (id, position, account, kind, product, subscription_group)
                VALUES (?, ?, ?, ?, ?, ?)
                """,
                .integer(row.id.number), .integer(position), .text(row.account.rawValue),
                .integer(Int64(KindCode(row.sale.type).rawValue)),
                .text(row.sale.payment.productID.rawValue), .text(row.sale.groupID?.rawValue))
        case .putPayment(let row):
            try db.run(
                "INSERT OR REPLACE INTO payments (id, position) VALUES (?, ?)",
                .uuid(row.payment.id.uuid), .integer(position))
        case .insertUnfinished(let row):
            try db.run(
                "INSERT INTO unfinished (account, id, device) VALUES (?, ?, ?)",
                .text(row.account.rawValue), .integer(row.id.number), .text(row.device.rawValue))
        case .moveUnfinished(let id, let account, let device):
            try db.run(
                "UPDATE unfinished SET device = ? WHERE account = ? AND id = ?",
                .text(device.rawValue), .text(account.rawValue), .integer(id.number))
        case .removeUnfinished(let id, let account):
            try db.run(
                "DELETE FROM unfinished WHERE account = ? AND id = ?",
                .text(account.rawValue), .integer(id.number))
        case .insertPending(let row):
            try db.run(
                "INSERT INTO requests (number, position, is_pending) VALUES (?, ?, 1)",
                .integer(row.number.number), .integer(position))
        case .removePending(let number):
            try db.run(
                "UPDATE requests SET is_pending = 0 WHERE number = ?", .integer(number.number))
        case .putAccount(let settings):
            try db.run(
                """
                INSERT OR REPLACE INTO accounts (name, territory, ask_to_buy, can_make_payments)
                VALUES (?, ?, ?, ?)
                """,
                .text(settings.name.rawValue), .text(settings.territory),
                .flag(settings.askToBuy), .flag(settings.canMakePayments))
        case .putFault(let fault):
            try db.run(
                "INSERT OR REPLACE INTO faults (id, body) VALUES (?, ?)",
                .integer(fault.id), .blob(try JSONEncoder().encode(fault)))
        case .removeFault(let id):
            try db.run("DELETE FROM faults WHERE id = ?", .integer(id))
        case .addTakings(let currency, let milliunits):
            let sum = takings[currency] ?? (0, 0)
            takings[currency] = (sum.milliunits + milliunits, sum.sales + 1)
        case .putCatalog(let revision): try putMeta("catalog", revision)
        case .putIdentity(let identity): try putMeta("identity", identity)
        }
    }

    private func writeTakings() throws {
        for (currency, sum) in takings {
            try db.run(
                """
                INSERT INTO takings (currency, milliunits, sales) VALUES (?, ?, ?)
                ON CONFLICT (currency) DO UPDATE
                SET milliunits = milliunits + excluded.milliunits, sales = sales + excluded.sales
                """, .text(currency), .integer(sum.milliunits), .integer(sum.sales))
        }
    }

    private func putMeta(_ name: String, _ value: some Encodable) throws {
        try db.run(
            "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)",
            .text(name), .blob(try JSONEncoder().encode(value)))
    }
}
