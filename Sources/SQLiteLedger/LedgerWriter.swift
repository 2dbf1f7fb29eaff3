import Foundation
import GRDB
import StoreEngine
import StoreModel

/// Appends decisions inside one open write. Numbers and positions are read once at its beginning
/// and written once at its end.
final class LedgerWriter {
    private let db: Database
    private let recordedAt: Timestamp
    private var position: Int64
    private var nextNumber: Int64
    private var versions: [StreamID: Int64] = [:]
    private var raised: Set<StreamID> = []
    /// Streams that refused decisions of this append would have raised: whoever counted on that
    /// saw a version nobody vouches for.
    private var doubtful: Set<StreamID> = []

    init(_ db: Database, now: Timestamp) throws {
        self.db = db
        let last = try Row.fetchOne(
            db.cachedStatement(
                sql: "SELECT position, recorded_at FROM entries ORDER BY position DESC LIMIT 1"))
        position = last?[0] ?? 0
        recordedAt = max(now, Timestamp(milliseconds: last?[1] ?? now.milliseconds))
        nextNumber =
            try Int64.fetchOne(
                db.cachedStatement(sql: "SELECT value FROM meta WHERE name = 'next_number'"))
            ?? StoreLimits.firstTransactionNumber
    }

    func append(_ decision: Decision, bodies: [Data]) throws -> AppendResult {
        guard try isCurrent(decision) else {
            doubtful.formUnion(decision.entries.flatMap(\.streams))
            return .conflict
        }
        for (digest, body) in decision.attachments {
            try execute(
                "INSERT OR IGNORE INTO attachments (digest, body) VALUES (?, ?)",
                [digest, body])
        }
        return .recorded(try zip(decision.entries, bodies).map { try record($0, body: $1) })
    }

    private func isCurrent(_ decision: Decision) throws -> Bool {
        guard doubtful.isDisjoint(with: decision.reads.keys) else { return false }
        for (stream, version) in decision.reads where try self.version(stream) != version {
            return false
        }
        for payment in decision.newPayments where try isKnown(payment) { return false }
        return true
    }

    /// Writes what all the decisions together moved.
    func close() throws {
        guard !raised.isEmpty else { return }
        for stream in raised {
            try execute(
                "INSERT OR REPLACE INTO streams (name, version) VALUES (?, ?)",
                [stream.name, versions[stream]])
        }
        try execute(
            "INSERT OR REPLACE INTO meta (name, value) VALUES ('next_number', ?)", [nextNumber])
    }

    private func version(_ stream: StreamID) throws -> Int64 {
        if let known = versions[stream] { return known }
        let statement = try db.cachedStatement(sql: "SELECT version FROM streams WHERE name = ?")
        let version = try Int64.fetchOne(statement, arguments: [stream.name]) ?? 0
        versions[stream] = version
        return version
    }

    private func isKnown(_ payment: PaymentID) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM payments WHERE id = ?")
        return try Int.fetchOne(statement, arguments: [payment.uuid.bytes]) != nil
    }

    private func record(_ entry: Entry, body: Data) throws -> RecordedEntry {
        position += 1
        let number: TransactionID? =
            switch entry.number {
            case .none: nil
            case .existing(let id): id
            case .next: TransactionID(nextNumber)
            }
        if entry.number == .next { nextNumber += 1 }
        try execute(
            "INSERT INTO entries (\(EntryCoding.columns)) VALUES (?, ?, ?, ?, ?, ?)",
            [
                position, entry.account?.rawValue ?? "", entry.device?.rawValue,
                number?.number, recordedAt.milliseconds, body,
            ])
        let recorded = RecordedEntry(
            position: position, recordedAt: recordedAt, number: number, entry: entry)
        for change in LedgerFold.changes(of: recorded) { try apply(change) }
        for stream in entry.streams {
            versions[stream] = try version(stream) + 1
            raised.insert(stream)
        }
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
        case .moveUnfinished(let id, let device):
            try execute(
                "UPDATE unfinished SET device = ? WHERE \(Self.thatUnfinished)",
                [device.rawValue, id.number, id.number])
        case .removeUnfinished(let id):
            try execute(
                "DELETE FROM unfinished WHERE \(Self.thatUnfinished)", [id.number, id.number])
        case .insertPending(let row):
            try execute(
                "INSERT INTO pending (number, position) VALUES (?, ?)",
                [row.number.number, position])
        case .removePending(let number):
            try execute("DELETE FROM pending WHERE number = ?", [number.number])
        case .putAccount(let settings):
            try execute(
                "INSERT OR REPLACE INTO accounts (name, body) VALUES (?, ?)",
                [settings.name.rawValue, try JSONEncoder().encode(settings)])
        case .putFault(let fault):
            try execute(
                "INSERT OR REPLACE INTO faults (id, body) VALUES (?, ?)",
                [fault.id, try JSONEncoder().encode(fault)])
        case .removeFault(let id): try execute("DELETE FROM faults WHERE id = ?", [id])
        case .addTakings(let currency, let milliunits):
            try execute(
                """
                INSERT INTO takings (currency, milliunits, sales) VALUES (?, ?, 1)
                ON CONFLICT (currency) DO UPDATE
                SET milliunits = milliunits + excluded.milliunits, sales = sales + 1
                """, [currency, milliunits])
        case .putCatalog(let revision): try putMeta("catalog", revision)
        case .putIdentity(let identity): try putMeta("identity", identity)
        }
    }

    /// The key of `unfinished` begins with the account, which the transaction tells.
    private static let thatUnfinished =
        "account = (SELECT account FROM transactions WHERE id = ?) AND id = ?"

    private func putMeta(_ name: String, _ value: some Encodable) throws {
        try execute(
            "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)",
            [name, try JSONEncoder().encode(value)])
    }

    private func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
