import Basics
import DurableFiles
import Foundation
import StoreModel
import StoreSigning

/// The recorded deliveries. Each transaction is delivered at most once; a claim by another device
/// can make a delivery void later.
extension DeviceRecords {
    /// Records a delivery and adds its grant to the purse.
    ///
    /// A delivery that another device's claim made void is granted again only if the store lists
    /// the sale as unfinished on this device (`VerifiedSale.isOffered`).
    ///
    /// - Returns: false if this call granted nothing, because the delivery was recorded before.
    /// - Throws: `storeBehind` if the recorded delivery of this number is of another sale.
    func deliver(_ sale: VerifiedSale, at now: Timestamp) throws -> Bool {
        let wasVoid = try wasVoid(sale.id)
        if wasVoid != nil {
            try compare(sale)
            try repairState(of: sale)
        }
        if wasVoid != nil, !sale.isOffered { return false }
        let payload = sale.transaction.payload
        let isConsumable = payload.type == .consumable
        let unit = isConsumable ? sale.grant?.unit ?? payload.productId.rawValue : nil
        let amount =
            isConsumable
            ? Int64(payload.quantity.multipliedClamped(by: sale.grant?.amount ?? 1)) : 0
        // Called before the row is inserted or granted again, so that `restate` takes nothing from
        // the purse; the share taken back is subtracted once, below. A newer state than this one
        // may already be recorded.
        let isChanged = try apply(DeliveryRevision(sale.transaction, revision: sale.revision))
        if isChanged || wasVoid != false { try report(sale.transaction) }
        try db.execute(
            """
            INSERT INTO deliveries
            (id, product, kind, quantity, unit, amount, delivered_at, is_void, signed, as_of)
            VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
            ON CONFLICT (id) DO UPDATE
            SET is_void = 0, as_of = max(as_of, excluded.as_of)
            """,
            .integer(payload.transactionId.number), .text(payload.productId.rawValue),
            .text(payload.type.rawValue), .integer(Int64(payload.quantity)), .text(unit),
            .integer(amount), .integer(now.milliseconds),
            .text(sale.transaction.signed.rawValue), .integer(sale.asOf))
        try sealDelivery(sale.id)
        guard wasVoid != false else { return false }
        if let unit { try add(amount - takenBack(of: amount, id: sale.id), to: unit) }
        return true
    }

    /// Compares a recorded delivery with the sale that now has its number. A row that contradicts
    /// its own signed text was altered; it is repaired from the sale.
    ///
    /// - Throws: `storeBehind` if the row is intact but of another sale: the store has lost entries
    ///   and gives out their numbers again.
    private func compare(_ sale: VerifiedSale) throws {
        let new = sale.transaction.payload
        let row = try db.fetchOne(
            "SELECT product, quantity, signed FROM deliveries WHERE id = ?",
            .integer(sale.id.number)
        ) { (product: $0.text(0), quantity: $0.integer(1), signed: $0.text(2)) }
        guard let row else { return }
        let known = TransactionVerifier.unverifiedPayload(of: SignedTransaction(row.signed))
        let isWhole =
            known?.transactionId == sale.id && known?.productId.rawValue == row.product
            && known.map { Int64($0.quantity) } == row.quantity
        guard let known, isWhole else {
            return try db.execute(
                """
                UPDATE deliveries SET product = ?, kind = ?, quantity = ?, signed = ? WHERE id = ?
                """, .text(new.productId.rawValue), .text(new.type.rawValue),
                .integer(Int64(new.quantity)), .text(sale.transaction.signed.rawValue),
                .integer(sale.id.number))
        }
        guard known.isSameSale(as: new) else {
            let end = max(sale.asOf, try cursor?.position ?? 0)
            let difference = StoreDifference(
                storeEnd: end, deviceCursor: end, sale: (sale.id, known.productId))
            throw difference.error(at: "deliveries")
        }
    }

    /// Repairs the state of an altered delivery from the sale's state at the store. The sale does
    /// not say whether another device has claimed a consumable. So a consumable is repaired only if
    /// the store lists it as unfinished for this device.
    private func repairState(of sale: VerifiedSale) throws {
        let isLasting = sale.transaction.payload.type != .consumable
        guard isLasting || sale.isOffered, try isGenuine(sale.id) == false else { return }
        try repairState(
            of: sale.id, DeliveryRevision(sale.transaction, revision: sale.revision),
            isLasting: isLasting)
    }

    /// Replaces the state of an altered delivery with the store's, and seals it. The purse stays as
    /// it is, because the balance has its own seal. A lasting purchase is never void.
    func repairState(of id: TransactionID, _ state: DeliveryRevision, isLasting: Bool) throws {
        if isLasting {
            try db.execute("UPDATE deliveries SET is_void = 0 WHERE id = ?", .integer(id.number))
        }
        try write(state)
        try sealDelivery(id)
    }

    /// Their state was not written by this program.
    func alteredPurchases() throws -> [TransactionID] {
        try db.fetchAll(
            """
            SELECT \(Self.deliveryColumns) FROM \(Self.deliveriesRevised)
            WHERE kind <> ? AND id > 0 ORDER BY id
            """, .text(ProductType.consumable.rawValue), read: readDelivery()
        ).filter { !$0.isGenuine }.map(\.record.transactionID)
    }

    /// By the newest recorded state of the transaction.
    private func takenBack(of amount: Int64, id: TransactionID) throws -> Int64 {
        try revision(of: id)?.takenBack.of(amount) ?? 0
    }

    /// Makes a delivery void, because another device claimed its transaction at this feed position,
    /// and takes its grant from the purse. Does nothing if the delivery was confirmed at the same
    /// or a later position.
    func void(_ id: TransactionID, at position: Int64) throws {
        try setVoid(true, id, before: position)
    }

    private func setVoid(
        _ isVoid: Bool, _ id: TransactionID, before position: Int64 = .max
    ) throws {
        let granted = try db.fetchOne(
            "SELECT unit, amount FROM deliveries WHERE id = ? AND is_void = ? AND as_of < ?",
            .integer(id.number), .flag(!isVoid), .integer(position)
        ) { (unit: $0.textIfAny(0), amount: $0.integer(1)) }
        guard let granted else { return }
        try changingState(of: id) {
            try db.execute(
                "UPDATE deliveries SET is_void = ? WHERE id = ?", .flag(isVoid),
                .integer(id.number))
        }
        guard let unit = granted.unit else { return }
        let left = granted.amount.subtractingClamped(try takenBack(of: granted.amount, id: id))
        try add(isVoid ? Int64(0).subtractingClamped(left) : left, to: unit)
    }

    func isVoid(_ id: TransactionID) throws -> Bool { try wasVoid(id) ?? false }

    /// Nil if no delivery is recorded.
    private func wasVoid(_ id: TransactionID) throws -> Bool? {
        try db.fetchOne("SELECT is_void FROM deliveries WHERE id = ?", .integer(id.number)) {
            $0.flag(0)
        }
    }

    /// Does nothing if the delivery is not void.
    func grantAgain(_ id: TransactionID) throws { try setVoid(false, id) }

    /// Void or not.
    func isDelivered(_ id: TransactionID) throws -> Bool { try wasVoid(id) != nil }

    /// By transaction number, not verified again.
    func deliveries() throws -> [DeliveryRecord] {
        try db.fetchAll(
            "SELECT \(Self.deliveryColumns) FROM \(Self.deliveriesRevised) ORDER BY id",
            read: readDelivery()
        ).map(\.record)
    }

    /// The latest delivery of each product, and every delivery of a non-renewing subscription,
    /// without those that are void or of which any share was taken back. By transaction number.
    /// The recursive query finds each product with one index step, so its cost grows with the
    /// number of products, not of deliveries.
    func latestDeliveries() throws -> [KeptDelivery] {
        try db.fetchAll(
            """
            WITH RECURSIVE products (product) AS (
              SELECT min(product) FROM deliveries
              UNION ALL
              SELECT (SELECT min(product) FROM deliveries WHERE product > products.product)
              FROM products WHERE products.product IS NOT NULL)
            SELECT \(Self.deliveryColumns) FROM \(Self.deliveriesRevised) WHERE id IN (
              SELECT (SELECT id FROM deliveries AS latest
                      WHERE product = products.product AND is_void = 0
                      AND NOT EXISTS (SELECT 1 FROM revisions
                                      WHERE id = latest.id AND taken_back > 0)
                      ORDER BY id DESC LIMIT 1)
              FROM products WHERE products.product IS NOT NULL)
            OR (id IN (SELECT id FROM deliveries
                       WHERE kind = '\(ProductType.nonRenewing.rawValue)' AND is_void = 0)
                AND ifnull(taken_back, 0) = 0)
            ORDER BY id
            """, read: readDelivery())
    }

    /// By the highest number. Altered rows do not count, nor deliveries that `acceptStore` gave
    /// negative numbers.
    func lastDelivery() throws -> DeliveredSale? {
        var end = Int64.max
        while let sale = try db.fetchOne(
            """
            SELECT \(Self.saleColumns) FROM deliveries WHERE id > 0 AND id < ?
            ORDER BY id DESC LIMIT 1
            """, .integer(end), read: Self.sale)
        {
            if sale.isWhole { return sale }
            end = sale.id.number
        }
        return nil
    }

    /// Every delivery under a number that the store gave it, in order of number. Deliveries that
    /// `acceptStore` renumbered are left out.
    func deliveredSales() throws -> [DeliveredSale] {
        try db.fetchAll(
            "SELECT \(Self.saleColumns) FROM deliveries WHERE id > 0 ORDER BY id", read: Self.sale)
    }

    private static let saleColumns = "id, product, signed, as_of"

    private static func sale(_ row: any SQLRow) -> DeliveredSale {
        DeliveredSale(
            id: TransactionID(row.integer(0)), productID: ProductID(row.text(1)),
            signed: SignedTransaction(row.text(2)), asOf: row.integer(3))
    }

    /// Whether there is a delivery of this non-consumable that is still granted although
    /// `acceptStore` has set it aside, because the store has lost its sale.
    func isSetAside(_ product: ProductID) throws -> Bool {
        try db.fetchOne(
            """
            SELECT 1 FROM deliveries WHERE product = ? AND id < 0 AND kind = ? AND is_void = 0
            AND NOT EXISTS (SELECT 1 FROM revisions WHERE id = deliveries.id AND taken_back > 0)
            """, .text(product.rawValue), .text(ProductType.nonConsumable.rawValue)
        ) { _ in } != nil
    }

    /// Those that are not void, by transaction number.
    func consumables(after id: TransactionID?, limit: Int) throws -> [KeptDelivery] {
        try db.fetchAll(
            """
            SELECT \(Self.deliveryColumns) FROM \(Self.deliveriesRevised)
            WHERE kind = ? AND is_void = 0 AND id > ? ORDER BY id LIMIT ?
            """,
            .text(ProductType.consumable.rawValue), .integer(id?.number ?? Int64.min),
            .integer(Int64(limit)), read: readDelivery())
    }

    /// Newest first, without those that `acceptStore` set aside.
    func deliveries(before id: TransactionID?, limit: Int) throws -> [KeptDelivery] {
        try db.fetchAll(
            """
            SELECT \(Self.deliveryColumns) FROM \(Self.deliveriesRevised)
            WHERE id > 0 AND id < ? ORDER BY id DESC LIMIT ?
            """,
            .integer(id?.number ?? Int64.max), .integer(Int64(limit)), read: readDelivery())
    }

    private static let deliveryColumns = """
        id, product, kind, quantity, delivered_at, is_void, deliveries.signed, unit, amount,
        taken_back, is_deleted, revisions.signed, seal, revision
        """

    /// Each delivery, joined with the newest state of its transaction if it has changed.
    private static let deliveriesRevised = "deliveries LEFT JOIN revisions USING (id)"

    /// Compares each row with its seal.
    private func readDelivery() throws -> (any SQLRow) -> KeptDelivery {
        let key = try sealKeyIfAny()
        return { Self.delivery($0, sealKey: key) }
    }

    private static func delivery(_ row: any SQLRow, sealKey: Data?) -> KeptDelivery {
        let state = SealedState(
            id: row.integer(0), isVoid: row.flag(5), revision: row.integerIfAny(13) ?? 0,
            takenBack: row.integerIfAny(9) ?? 0, isDeleted: row.integerIfAny(10) == 1)
        return KeptDelivery(
            record: DeliveryRecord(
                transactionID: TransactionID(row.integer(0)), productID: ProductID(row.text(1)),
                type: ProductType(rawValue: row.text(2)) ?? .consumable,
                quantity: Int(row.integer(3)),
                deliveredAt: Timestamp(milliseconds: row.integer(4)), isVoid: row.flag(5),
                takenBack: Share(millipercent: Int(row.integerIfAny(9) ?? 0))),
            signed: SignedTransaction(row.text(6)), unit: row.textIfAny(7),
            amount: row.integer(8),
            revised: row.textIfAny(11).map { SignedTransaction($0) },
            isDeleted: state.isDeleted,
            isGenuine: isSeal(row.data(12), of: state.text, key: sealKey))
    }

    /// The latest delivery of a product that is neither void nor taken back. It entitles this
    /// device to the product's content.
    func transaction(delivering product: ProductID) throws -> TransactionID? {
        let last = try db.fetchOne(
            """
            SELECT max(id) FROM deliveries WHERE product = ? AND is_void = 0
            AND NOT EXISTS (SELECT 1 FROM revisions WHERE id = deliveries.id AND taken_back > 0)
            """, .text(product.rawValue)
        ) { $0.integerIfAny(0) }
        return last?.map { TransactionID($0) }
    }
}
