import DurableFiles
import StoreModel
import StoreSigning

/// What a transaction's newest state leaves of what it granted.
struct DeliveryRevision: Sendable {
    var id: TransactionID
    var revision: Int
    var takenBack: Share
    var isDeleted: Bool
    /// Nil for one that was deleted: nothing is signed about it any more.
    var signed: SignedTransaction?

    /// The state a verified transaction tells. Whatever was revoked entitles to nothing; of a
    /// consumable the percentage says how much is taken back (StoreKit: `revocationPercentage`).
    init(_ transaction: Transaction, revision: Int) {
        self.init(transaction.payload, signed: transaction.signed, revision: revision)
    }

    init(_ payload: TransactionPayload, signed: SignedTransaction, revision: Int) {
        id = payload.transactionId
        self.revision = revision
        takenBack =
            payload.revocationDate == nil
            ? .none
            : payload.revocationPercentage.map { Share(millipercent: $0) } ?? .all
        isDeleted = false
        self.signed = signed
    }

    init(deleted id: TransactionID, revision: Int) {
        self.id = id
        self.revision = revision
        takenBack = .all
        isDeleted = true
    }
}

extension DeviceRecords {
    /// Applies a state once: one that is not newer than what is known changes nothing, so that they
    /// may arrive in any order, and before the delivery they are about.
    func apply(_ new: DeliveryRevision) throws {
        guard new.revision > (try revision(of: new.id)?.revision ?? 0) else { return }
        try restate(new)
    }

    /// Applies a state whatever is known, with what it takes from a purse or gives back to it.
    func restate(_ new: DeliveryRevision) throws {
        let before = try revision(of: new.id)
        guard before != nil || new.takenBack != .none || new.revision > 0 else { return }
        try db.execute(
            """
            INSERT OR REPLACE INTO revisions (id, revision, taken_back, is_deleted, signed)
            VALUES (?, ?, ?, ?, ?)
            """,
            .integer(new.id.number), .integer(Int64(new.revision)),
            .integer(Int64(new.takenBack.millipercent)), .flag(new.isDeleted),
            .text(new.signed?.rawValue))
        if new.takenBack != .none { try endDownloads(for: new.id) }
        guard let granted = try granted(for: new.id) else { return }
        let had = granted.amount - (before?.takenBack ?? .none).of(granted.amount)
        let has = granted.amount - new.takenBack.of(granted.amount)
        if has != had { try add(has - had, to: granted.unit) }
    }

    /// Nothing more is fetched for what was taken back, and nothing of it stays here.
    private func endDownloads(for id: TransactionID) throws {
        try db.execute(
            """
            UPDATE downloads
            SET error = NULL, state = CASE state WHEN 'finished' THEN 'deleted' ELSE 'cancelled' END
            WHERE transaction_id = ? AND state NOT IN ('cancelled', 'deleted')
            """, .integer(id.number))
    }

    /// The newest state known; nil while it is as it was sold.
    func revision(of id: TransactionID) throws -> (revision: Int, takenBack: Share)? {
        try db.fetchOne(
            "SELECT revision, taken_back FROM revisions WHERE id = ?", .integer(id.number)
        ) { (Int($0.integer(0)), Share(millipercent: Int($0.integer(1)))) }
    }

    /// What a delivery that stands had added to a purse, before anything was taken back.
    private func granted(for id: TransactionID) throws -> (unit: String, amount: Int64)? {
        try db.fetchOne(
            """
            SELECT unit, amount FROM deliveries
            WHERE id = ? AND is_void = 0 AND unit IS NOT NULL
            """, .integer(id.number)
        ) { ($0.text(0), $0.integer(1)) }
    }
}
