import Basics
import Foundation
import StoreEngine
import StoreModel

/// Appends decisions inside one open write transaction.
final class LedgerWriter {
    /// The ledger's last entry.
    private struct Last {
        var position: Int64
        var at: Timestamp
        /// The transaction counter.
        var next: Int64

        /// Nil for a ledger without entries.
        init?(_ row: any SQLRow) throws {
            guard !row.isNull(1) else { return nil }
            position = try EntryCoding.count(row.integer(1))
            at = try EntryCoding.time(row.integer(2))
            next = try EntryCoding.count(row.integer(3))
        }
    }

    private let db: any SQLTransaction
    private let reader: LedgerReader
    /// Of the entries.
    let recordedAt: Timestamp
    private var position: Int64
    private var nextNumber: Int64
    /// When the append began.
    private var versions: [StreamID: Int64] = [:]
    /// Those of the decisions' payments that are recorded, also by this append.
    private var knownPayments: Set<PaymentID> = []
    private let projections: ProjectionWriter

    /// - Parameters:
    ///   - now: the store's time; entries are recorded then, or at the time of the last entry if
    ///     that is later.
    ///   - completesCopy: for the entry with which a copy of a store begins to sell.
    /// - Throws: `storeMoved` for a store that was closed, `copyUnfinished` for a copy that is not
    ///   complete.
    init(
        _ db: any SQLTransaction, reader: LedgerReader, now: Timestamp,
        firstTransactionNumber: Int64, completesCopy: Bool = false
    ) throws {
        self.db = db
        self.reader = reader
        projections = ProjectionWriter(db)
        // One query, because every append waits for it.
        let found = try db.fetchOne(
            """
            SELECT (SELECT value FROM meta WHERE name = '\(MetaTable.copyOf)'),
              position, recorded_at, next_number, moved
            FROM (SELECT 1) AS one LEFT JOIN (
              SELECT position, recorded_at, next_number,
                CASE WHEN kind = \(EntryCoding.Kind.moved.rawValue) THEN body END AS moved
              FROM entries ORDER BY position DESC LIMIT 1) AS last ON 1 = 1
            """
        ) { row in
            guard !completesCopy else { return try Last(row) }
            if !row.isNull(0) {
                let address = try JSONDecoder().decode(String.self, from: row.data(0))
                throw StoreError(.copyUnfinished, subject: address)
            }
            if !row.isNull(4), let address = try EntryCoding.goesOnAt(row.data(4)) {
                throw StoreError(.storeMoved, subject: address)
            }
            return try Last(row)
        }
        let last = found ?? nil
        position = last?.position ?? 0
        recordedAt = max(now, last?.at ?? now)
        nextNumber = last?.next ?? firstTransactionNumber
    }

    /// In order; a conflict skips its own decision only.
    ///
    /// - Parameter facts: the encoded facts of each decision's entries, in order.
    func append(_ decisions: [Decision], facts: [[EntryCoding.Coded]]) throws -> [AppendResult] {
        (versions, knownPayments) = try reader.bases(of: decisions)
        let results = try zip(decisions, facts).map { try append($0, facts: $1) }
        try projections.writeSalesTotals()
        return results
    }

    private func append(_ decision: Decision, facts: [EntryCoding.Coded]) throws -> AppendResult {
        guard decision.reads.allSatisfy({ versions[$0.key] == $0.value }) else {
            return .conflict
        }
        guard knownPayments.isDisjoint(with: decision.newPayments) else { return .conflict }
        for product in decision.unsoldProducts where try isSold(product) { return .conflict }
        for nonce in decision.unusedSignatures where try reader.use(ofSignature: nonce) != nil {
            return .conflict
        }
        for (code, count) in decision.codeCounts where try reader.count(ofCode: code) != count {
            return .conflict
        }
        for (digest, body) in decision.attachments {
            try AttachmentRow.insert(digest, body, into: db)
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
            EntryCoding.insertion, .integer(position), .text(EntryCoding.column(entry.stream)),
            .text(entry.device?.rawValue), .integer(number?.number), .flag(entry.number == .next),
            .integer(recordedAt.milliseconds), .integer(entry.effectiveAt.milliseconds),
            .integer(Int64(fact.kind)), .bytes(fact.body), .integer(nextNumber))
        let recorded = RecordedEntry(
            position: position, recordedAt: recordedAt, number: number, entry: entry)
        for change in try LedgerFold.changes(of: recorded) {
            if case .putPayment(let row) = change { knownPayments.insert(row.payment.id) }
            try projections.apply(change, at: position)
        }
        return recorded
    }
}
