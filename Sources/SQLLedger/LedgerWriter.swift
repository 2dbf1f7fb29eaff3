import Basics
import Foundation
import StoreEngine
import StoreModel

/// Appends decisions inside one open write transaction.
final class LedgerWriter {
    private let db: any SQLTransaction
    private let reader: LedgerReader
    private let recordedAt: Timestamp
    private var position: Int64
    private var nextNumber: Int64
    /// When the append began.
    private var versions: [StreamID: Int64] = [:]
    private let projections: ProjectionWriter

    /// - Parameter now: the store's time; entries are recorded then, or at the time of the last
    ///   entry if that is later.
    init(
        _ db: any SQLTransaction, reader: LedgerReader, now: Timestamp,
        firstTransactionNumber: Int64
    ) throws {
        self.db = db
        self.reader = reader
        projections = ProjectionWriter(db)
        let last = try db.fetchOne(
            """
            SELECT position, recorded_at, next_number FROM entries
            ORDER BY position DESC LIMIT 1
            """
        ) {
            try (
                position: EntryCoding.count($0.integer(0)), at: EntryCoding.time($0.integer(1)),
                next: EntryCoding.count($0.integer(2))
            )
        }
        position = last?.position ?? 0
        recordedAt = max(now, last?.at ?? now)
        nextNumber = last?.next ?? firstTransactionNumber
    }

    /// In order; a conflict skips its own decision only.
    ///
    /// - Parameter facts: the encoded facts of each decision's entries, in order.
    func append(_ decisions: [Decision], facts: [[EntryCoding.Coded]]) throws -> [AppendResult] {
        for stream in Set(decisions.flatMap(\.reads.keys)) {
            versions[stream] = try reader.version(stream)
        }
        let results = try zip(decisions, facts).map { try append($0, facts: $1) }
        try projections.writeSalesTotals()
        return results
    }

    private func append(_ decision: Decision, facts: [EntryCoding.Coded]) throws -> AppendResult {
        guard decision.reads.allSatisfy({ versions[$0.key] == $0.value }) else {
            return .conflict
        }
        for payment in decision.newPayments where try isKnown(payment) { return .conflict }
        for product in decision.unsoldProducts where try isSold(product) { return .conflict }
        for nonce in decision.unusedSignatures where try reader.use(ofSignature: nonce) != nil {
            return .conflict
        }
        for (code, count) in decision.codeCounts where try reader.count(ofCode: code) != count {
            return .conflict
        }
        for (digest, body) in decision.attachments {
            try db.execute(
                "INSERT INTO attachments (digest, body) VALUES (?, ?) ON CONFLICT DO NOTHING",
                .text(digest), .blob(body))
        }
        var recorded: [RecordedEntry] = []
        for (entry, fact) in zip(decision.entries, facts) {
            let named = entry.naming(recorded.map(\.number))
            // Only a share of a sale in the same decision differs: the sale's number was unknown
            // until now.
            recorded.append(
                try record(named ?? entry, named.map { try EntryCoding.encode($0.fact) } ?? fact))
        }
        return .recorded(recorded)
    }

    private func isKnown(_ payment: PaymentID) throws -> Bool {
        try db.fetchOne("SELECT 1 FROM payments WHERE id = ?", .uuid(payment.uuid)) { _ in } != nil
    }

    private func isSold(_ product: ProductID) throws -> Bool {
        let found: Void? = try db.fetchOne(
            "SELECT 1 FROM sold_products WHERE product = ?", .text(product.rawValue)
        ) { _ in }
        return found != nil
    }

    /// Under the next position; also applies the entry's changes to the other tables.
    private func record(_ entry: Entry, _ fact: EntryCoding.Coded) throws -> RecordedEntry {
        position += 1
        let number: TransactionID? =
            switch entry.number {
            case .none: nil
            case .existing(let id): id
            case .next: TransactionID(nextNumber)
            }
        if entry.number == .next { nextNumber += 1 }
        try db.execute(
            """
            INSERT INTO entries (\(EntryCoding.allColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .integer(position), .text(EntryCoding.column(entry.stream)),
            .text(entry.device?.rawValue), .integer(number?.number), .flag(entry.number == .next),
            .integer(recordedAt.milliseconds), .integer(entry.effectiveAt.milliseconds),
            .integer(Int64(fact.kind)), .bytes(fact.body), .integer(nextNumber))
        let recorded = RecordedEntry(
            position: position, recordedAt: recordedAt, number: number, entry: entry)
        for change in try LedgerFold.changes(of: recorded) {
            try projections.apply(change, at: position)
        }
        return recorded
    }
}
