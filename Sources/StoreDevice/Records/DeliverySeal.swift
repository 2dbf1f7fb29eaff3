import Basics
import DurableFiles
import Foundation
import StoreModel

/// Each delivery has a seal over the facts that the store does not sign: whether the delivery is
/// void, and which revision of its transaction is the newest. The seal reveals a refund that was
/// removed from the record by hand, although the signed text of the sale is genuine.
///
/// The key and its limits are those of the balances' seals (`BalanceSeal`). All other facts are in
/// the signed texts and need no seal.
extension DeviceRecords {
    /// The values that the seal of a delivery covers.
    struct SealedState {
        var id: Int64
        var isVoid: Bool
        var revision: Int64
        var takenBack: Int64
        var isDeleted: Bool

        var text: Data {
            Data("delivery \(id) \(isVoid) \(revision) \(takenBack) \(isDeleted)".utf8)
        }
    }

    /// Whether this program wrote the delivery's state; nil if no delivery with this number is
    /// recorded.
    func isGenuine(_ id: TransactionID) throws -> Bool? {
        guard let (state, seal) = try sealedState(of: id) else { return nil }
        return Self.isSeal(seal, of: state.text, key: try sealKeyIfAny())
    }

    /// Renews the seal. A delivery that was altered gets no new seal, because that would hide the
    /// alteration.
    func changingState<Value>(
        of id: TransactionID, _ change: () throws -> Value
    ) throws -> Value {
        let wasGenuine = try isGenuine(id) ?? true
        let value = try change()
        if wasGenuine { try sealDelivery(id) }
        return value
    }

    /// Does nothing if the delivery is not recorded.
    func sealDelivery(_ id: TransactionID) throws {
        guard let (state, _) = try sealedState(of: id) else { return }
        try db.execute(
            "UPDATE deliveries SET seal = ? WHERE id = ?", .blob(try seal(of: state.text)),
            .integer(id.number))
    }

    private func sealedState(
        of id: TransactionID
    ) throws -> (state: SealedState, seal: Data)? {
        try db.fetchOne(
            """
            SELECT is_void, seal, revision, taken_back, is_deleted
            FROM deliveries LEFT JOIN revisions USING (id) WHERE id = ?
            """, .integer(id.number)
        ) {
            (
                SealedState(
                    id: id.number, isVoid: $0.flag(0), revision: $0.integerIfAny(2) ?? 0,
                    takenBack: $0.integerIfAny(3) ?? 0, isDeleted: $0.integerIfAny(4) == 1),
                $0.data(1)
            )
        }
    }
}
