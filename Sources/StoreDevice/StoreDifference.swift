import DurableFiles
import StoreModel
import StoreSigning

/// How the history of a store differs from the one that a device has read, because an old copy of
/// the store was put back. The store may have sold other things since.
///
/// Such a store gives transaction numbers again that the device has recorded already, so the device
/// stays closed until the operator accepts the loss (`Device.acceptStore`).
struct StoreDifference: Sendable {
    /// The last position of the store's feed.
    var storeEnd: Int64
    /// The position up to which the device has read.
    var deviceCursor: Int64
    /// The sale delivered here that the store does not know, or knows as another; nil where the
    /// feed alone tells the difference.
    var sale: (id: TransactionID, product: ProductID)?

    /// The refusal to go on. `found` and `expected` are positions of the feed; where the store goes
    /// as far as the device has read, both are the device's.
    func error(at place: String) -> StoreError {
        StoreError(
            .storeBehind, productID: sale?.product, transactionID: sale?.id, subject: place,
            found: String(min(storeEnd, deviceCursor)), expected: String(deviceCursor))
    }

    /// Compares a store with what a device has recorded. It costs one read of the store, or three
    /// where the last sale delivered here may not have been read from the feed.
    ///
    /// - Returns: nil if the store's history goes on from the device's.
    static func find(
        _ store: some Store, _ database: DurableDatabase
    ) async throws(StoreError) -> StoreDifference? {
        let (cursor, mark, last) = try await database.read { db in
            let records = DeviceRecords(db)
            return (try records.cursor, try records.mark, try records.lastDelivery())
        }
        guard let cursor else { return nil }
        let found = try await store.mark(at: cursor)
        if found == nil || mark != nil && found != mark {
            let head = try await store.head()
            // The feed itself refuses a cursor of another epoch (`storeReplaced`).
            guard head.epoch == cursor.epoch else { return nil }
            return StoreDifference(storeEnd: head.position, deviceCursor: cursor.position)
        }
        // A mark proves everything that was read from the feed. A sale may also have been delivered
        // ahead of the feed, at launch: its event is then after the position of its list.
        guard let last, mark == nil || last.asOf >= cursor.position,
            try await !last.isOf(store)
        else { return nil }
        let head = try await store.head()
        return StoreDifference(
            storeEnd: head.position, deviceCursor: max(cursor.position, last.asOf),
            sale: (last.id, last.productID))
    }
}

/// A delivery, as it is compared with the store's sale of the same number.
struct DeliveredSale: Sendable {
    var id: TransactionID
    var productID: ProductID
    var signed: SignedTransaction
    /// The feed position at which it was confirmed.
    var asOf: Int64

    /// Whether the store has this sale. A deleted one has no text that could be compared: its number
    /// is enough.
    func isOf(_ store: some Store) async throws(StoreError) -> Bool {
        guard try await store.knows(id) else { return false }
        let present: SignedTransaction
        do throws(StoreError) { present = try await store.transaction(id) } catch
            where error.code == .transactionNotFound
        { return true }
        return isSame(as: present)
    }

    /// Whether a text of the store's is of the same sale. A text that states nothing contradicts
    /// nothing: verifying it is the task of others.
    func isSame(as other: SignedTransaction) -> Bool {
        guard let mine = TransactionVerifier.unverifiedPayload(of: signed),
            let present = TransactionVerifier.unverifiedPayload(of: other)
        else { return true }
        return mine.isSameSale(as: present)
    }
}

extension TransactionPayload {
    /// Whether two payloads of one number state one sale.
    func isSameSale(as other: TransactionPayload) -> Bool {
        productId == other.productId && purchaseDate == other.purchaseDate
            && quantity == other.quantity
    }
}
