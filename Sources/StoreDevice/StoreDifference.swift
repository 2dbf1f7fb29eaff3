import DurableFiles
import StoreModel
import StoreSigning

/// How the history of a store differs from the history that a device has read, because an old copy
/// of the store was put back, or because it is a copy that sells beside the store it was made of. The
/// store may have made other sales since.
///
/// Such a store assigns transaction numbers again that the device has already recorded. So the
/// device refuses to open until the operator accepts the loss (`Device.acceptStore`).
struct StoreDifference: Sendable {
    var storeEnd: Int64
    var deviceCursor: Int64
    /// A sale delivered here whose number the store does not know or has given to another sale; nil
    /// if the feed alone shows the difference.
    var sale: (id: TransactionID, product: ProductID)?

    /// The error `storeBehind`. `found` and `expected` are feed positions; both are the device's if
    /// the store's feed reaches that far.
    func error(at place: String) -> StoreError {
        StoreError(
            .storeBehind, productID: sale?.product, transactionID: sale?.id, subject: place,
            found: min(storeEnd, deviceCursor), expected: deviceCursor)
    }

    /// Compares a store with the device's records. Costs one read of the store, or three if the
    /// last sale delivered here may not have come through the feed.
    ///
    /// - Returns: nil if the store's history continues what the device has read.
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
            // Also for a cursor of another epoch: the store is a copy of the one that was read.
            let head = try await store.head()
            return StoreDifference(storeEnd: head.position, deviceCursor: cursor.position)
        }
        // The mark proves the whole feed up to the cursor. It does not prove a sale that was
        // delivered at launch from the list of unfinished transactions: that sale's event may come
        // after the cursor.
        guard let last, mark == nil || last.asOf >= cursor.position,
            try await !last.isOf(store)
        else { return nil }
        let head = try await store.head()
        return StoreDifference(
            storeEnd: head.position, deviceCursor: max(cursor.position, last.asOf),
            sale: (last.id, last.productID))
    }
}

/// A recorded delivery, to be compared with the store's sale of the same number.
struct DeliveredSale: Sendable {
    var id: TransactionID
    var productID: ProductID
    var signed: SignedTransaction
    var asOf: Int64

    /// Whether number and product are those of the signed text. A row that contradicts its text was
    /// altered, and says nothing of the store.
    var isWhole: Bool {
        let sold = TransactionVerifier.unverifiedPayload(of: signed)
        return sold?.transactionId == id && sold?.productId == productID
    }

    /// Whether the store has this sale. For a deleted sale the number alone decides, because the
    /// store has no text of it to compare.
    func isOf(_ store: some Store) async throws(StoreError) -> Bool {
        guard try await store.knows(id) else { return false }
        let present: SignedTransaction
        do throws(StoreError) { present = try await store.transaction(id) } catch
            where error.code == .transactionNotFound
        { return true }
        return isSame(as: present)
    }

    /// Whether the store's text is of the same sale. A text that cannot be read counts as the same:
    /// it is refused where it is verified.
    func isSame(as other: SignedTransaction) -> Bool {
        guard let mine = TransactionVerifier.unverifiedPayload(of: signed),
            let present = TransactionVerifier.unverifiedPayload(of: other)
        else { return true }
        return mine.isSameSale(as: present)
    }
}

extension TransactionPayload {
    func isSameSale(as other: TransactionPayload) -> Bool {
        productId == other.productId && purchaseDate == other.purchaseDate
            && quantity == other.quantity
    }
}
