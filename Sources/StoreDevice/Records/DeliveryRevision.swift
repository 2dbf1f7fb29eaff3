import Basics
import DurableFiles
import StoreModel
import StoreSigning

/// A later state of a transaction, and the share of its grant that this state takes back.
struct DeliveryRevision: Sendable {
    var id: TransactionID
    var revision: Int
    var takenBack: Share
    var isDeleted: Bool
    /// Whether another plan has replaced it, which opens what it opened: its downloads stay.
    var isUpgraded = false
    /// Nil for a deletion, for which the store signs nothing.
    var signed: SignedTransaction?

    /// The state in a verified transaction. Without `revocationDate` nothing is taken back. With
    /// it, the share in `revocationPercentage` is taken back, or everything if that is absent
    /// (StoreKit). A plan that an upgrade has replaced is taken back whole, although only a share
    /// is refunded.
    init(_ transaction: Transaction, revision: Int) {
        self.init(transaction.payload, signed: transaction.signed, revision: revision)
    }

    init(_ payload: TransactionPayload, signed: SignedTransaction, revision: Int) {
        id = payload.transactionId
        self.revision = revision
        let isReplaced = payload.isUpgraded == true && payload.revocationDate != nil
        takenBack = isReplaced ? .all : payload.takenBack
        isDeleted = false
        isUpgraded = payload.isUpgraded == true
        self.signed = signed
    }

    /// Everything is taken back.
    init(deleted id: TransactionID, revision: Int) {
        self.id = id
        self.revision = revision
        takenBack = .all
        isDeleted = true
    }
}

extension DeviceRecords {
    /// Applies a state unless the same or a newer revision was applied before. So a state may
    /// arrive twice, in any order, and before the delivery of its transaction.
    ///
    /// - Returns: whether it was applied.
    @discardableResult
    func apply(_ new: DeliveryRevision) throws -> Bool {
        guard new.revision > (try revision(of: new.id)?.revision ?? 0) else { return false }
        try restate(new)
        return true
    }

    /// Applies a state whatever revision is recorded, and corrects the purse by the difference:
    /// less if more is taken back now, more if a refund was reversed. Ends downloads as `write`.
    func restate(_ new: DeliveryRevision) throws {
        let before = try revision(of: new.id)
        guard before != nil || new.takenBack != .none || new.revision > 0 else { return }
        try changingState(of: new.id) { try write(new) }
        guard let granted = try granted(for: new.id) else { return }
        let had = granted.amount - (before?.takenBack ?? .none).of(granted.amount)
        let has = granted.amount - new.takenBack.of(granted.amount)
        if has != had { try add(has.subtractingClamped(had), to: granted.unit) }
    }

    /// Ends the transaction's downloads if any share is taken back, but for an upgrade.
    func write(_ new: DeliveryRevision) throws {
        try db.execute(
            """
            INSERT OR REPLACE INTO revisions (id, revision, taken_back, is_deleted, signed)
            VALUES (?, ?, ?, ?, ?)
            """,
            .integer(new.id.number), .integer(Int64(new.revision)),
            .integer(Int64(new.takenBack.millipercent)), .flag(new.isDeleted),
            .text(new.signed?.rawValue))
        if new.takenBack != .none, !new.isUpgraded { try endDownloads(for: new.id) }
    }

    /// Marks a transaction's downloads as given up: finished ones become `deleted`, the others
    /// `cancelled`. `DownloadManager.removeDropped` removes their files later.
    private func endDownloads(for id: TransactionID) throws {
        try db.execute(
            """
            UPDATE downloads
            SET error = NULL, state = CASE state WHEN 'finished' THEN 'deleted' ELSE 'cancelled' END
            WHERE transaction_id = ? AND state NOT IN ('cancelled', 'deleted')
            """, .integer(id.number))
    }

    /// The newest recorded one; nil if the transaction has not changed since its sale.
    func revision(of id: TransactionID) throws -> (revision: Int, takenBack: Share)? {
        try db.fetchOne(
            "SELECT revision, taken_back FROM revisions WHERE id = ?", .integer(id.number)
        ) { (Int($0.integer(0)), Share(millipercent: Int($0.integer(1)))) }
    }

    /// Before anything was taken back; nil for a delivery that is void or granted to no purse.
    private func granted(for id: TransactionID) throws -> (unit: String, amount: Int64)? {
        try db.fetchOne(
            """
            SELECT unit, amount FROM deliveries
            WHERE id = ? AND is_void = 0 AND unit IS NOT NULL
            """, .integer(id.number)
        ) { ($0.text(0), $0.integer(1)) }
    }
}
