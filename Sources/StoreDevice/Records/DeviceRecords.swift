import DurableFiles
import Foundation
import StoreModel
import StoreSigning

/// Reads and changes a device's rows inside one open read or write. Every change here is harmless
/// when it is made twice.
struct DeviceRecords {
    let db: SQLConnection

    init(_ db: SQLConnection) { self.db = db }

    // MARK: - Registration and cursor

    func value<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value? {
        try db.fetchOne("SELECT value FROM meta WHERE name = ?", .text(name)) {
            try JSONDecoder().decode(Value.self, from: $0.data(0))
        }
    }

    private func set(_ name: String, _ value: SQLArgument) throws {
        try db.execute(
            "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", .text(name), value)
    }

    func set(_ name: String, _ value: some Encodable) throws {
        try set(name, .blob(try JSONEncoder().encode(value)))
    }

    var cursor: FeedCursor? { get throws { try value("cursor", as: FeedCursor.self) } }

    func setCursor(_ cursor: FeedCursor) throws { try set("cursor", .bytes(cursor.jsonBytes())) }

    // MARK: - The payment queue

    func enqueue(_ queued: QueuedPayment) throws {
        try db.execute(
            "INSERT OR REPLACE INTO queue (id, queued_at, body) VALUES (?, ?, ?)",
            .uuid(queued.payment.id.uuid), .integer(queued.queuedAt.milliseconds),
            .bytes(queued.jsonBytes()))
    }

    func dequeue(_ id: PaymentID) throws {
        try db.execute("DELETE FROM queue WHERE id = ?", .uuid(id.uuid))
    }

    func queued(_ id: PaymentID) throws -> QueuedPayment? {
        try db.fetchOne("SELECT body FROM queue WHERE id = ?", .uuid(id.uuid), read: Self.queued)
    }

    func isQueued(_ id: PaymentID) throws -> Bool {
        try db.fetchOne("SELECT 1 FROM queue WHERE id = ?", .uuid(id.uuid)) { _ in } != nil
    }

    func queue() throws -> [QueuedPayment] {
        try db.fetchAll("SELECT body FROM queue ORDER BY queued_at, id", read: Self.queued)
    }

    private static func queued(_ row: SQLRow) throws -> QueuedPayment {
        try JSONDecoder().decode(QueuedPayment.self, from: row.data(0))
    }

    // MARK: - Deliveries

    /// Records a delivery and its effect together, unless it was recorded before. False then.
    /// What was taken back is granted again only if the store offers it.
    func deliver(_ sale: VerifiedSale, at now: Timestamp) throws -> Bool {
        let wasVoid = try wasVoid(sale.id)
        if wasVoid != nil { try compare(sale) }
        if wasVoid != nil, !sale.isOffered { return false }
        let payload = sale.transaction.payload
        let isConsumable = payload.type == .consumable
        let unit = isConsumable ? sale.grant?.unit ?? payload.productId.rawValue : nil
        let amount = isConsumable ? Int64(payload.quantity * (sale.grant?.amount ?? 1)) : 0
        // Before the delivery counts, so that what is taken back of it is taken back once. A newer
        // state may be known already.
        try apply(DeliveryRevision(sale.transaction, revision: sale.revision))
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
        guard wasVoid != false else { return false }
        if let unit { try add(amount - takenBack(of: amount, id: sale.id), to: unit) }
        return true
    }

    /// A delivery that is known must be of the same sale. Where the row was altered, it is put right;
    /// where another sale has its number, the store has lost entries and counts anew.
    ///
    /// - Throws: `storeBehind`.
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
        let isSame =
            known.productId == new.productId && known.purchaseDate == new.purchaseDate
            && known.quantity == new.quantity
        guard isSame else {
            throw StoreError(
                .storeBehind, productID: new.productId, transactionID: sale.id)
        }
    }

    /// How much of an amount the newest state of its transaction takes back.
    private func takenBack(of amount: Int64, id: TransactionID) throws -> Int64 {
        try revision(of: id)?.takenBack.of(amount) ?? 0
    }

    /// Takes back what was granted for a transaction another device claimed at a place in the feed,
    /// unless the store has offered it to this device after that.
    func void(_ id: TransactionID, at position: Int64) throws {
        let granted = try db.fetchOne(
            "SELECT unit, amount FROM deliveries WHERE id = ? AND is_void = 0 AND as_of < ?",
            .integer(id.number), .integer(position)
        ) { (unit: $0.textIfAny(0), amount: $0.integer(1)) }
        guard let granted else { return }
        try db.execute("UPDATE deliveries SET is_void = 1 WHERE id = ?", .integer(id.number))
        if let unit = granted.unit {
            try add(takenBack(of: granted.amount, id: id) - granted.amount, to: unit)
        }
    }

    func isVoid(_ id: TransactionID) throws -> Bool { try wasVoid(id) ?? false }

    /// Nil for what was never delivered.
    private func wasVoid(_ id: TransactionID) throws -> Bool? {
        try db.fetchOne("SELECT is_void FROM deliveries WHERE id = ?", .integer(id.number)) {
            $0.flag(0)
        }
    }

    /// Gives back what was taken, if it was.
    func grantAgain(_ id: TransactionID) throws {
        let taken = try db.fetchOne(
            "SELECT unit, amount FROM deliveries WHERE id = ? AND is_void = 1",
            .integer(id.number)
        ) { (unit: $0.textIfAny(0), amount: $0.integer(1)) }
        guard let taken else { return }
        try db.execute("UPDATE deliveries SET is_void = 0 WHERE id = ?", .integer(id.number))
        if let unit = taken.unit {
            try add(taken.amount - takenBack(of: taken.amount, id: id), to: unit)
        }
    }

    func add(_ amount: Int64, to unit: String) throws {
        let isGenuine = try balance(unit).isGenuine
        try db.execute(
            """
            INSERT INTO balances (unit, amount) VALUES (?, ?)
            ON CONFLICT (unit) DO UPDATE SET amount = amount + excluded.amount
            """, .text(unit), .integer(amount))
        // One that was altered is not sealed by adding to it: the next look works it out anew.
        if isGenuine { try sealBalance(of: unit) }
    }

    func isDelivered(_ id: TransactionID) throws -> Bool { try wasVoid(id) != nil }

    func deliveries() throws -> [DeliveryRecord] {
        try db.fetchAll(
            "SELECT \(Self.deliveryColumns) FROM \(Self.deliveriesRevised) ORDER BY id",
            read: Self.delivery
        ).map(\.record)
    }

    /// The latest of each product that stands, and all of a non-renewing subscription: not taken over
    /// by another device, and nothing of it taken back. Costs what there are products, however often
    /// each was delivered.
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
            """, read: Self.delivery)
    }

    /// The delivery with the highest number, and the place in the feed it was known at; those that
    /// were set aside do not count.
    func lastDelivery() throws -> (id: TransactionID, asOf: Int64)? {
        try db.fetchOne("SELECT id, as_of FROM deliveries WHERE id > 0 ORDER BY id DESC LIMIT 1") {
            (TransactionID($0.integer(0)), $0.integer(1))
        }
    }

    /// One page of the consumables that were not taken back, in the order of their numbers.
    func consumables(after id: TransactionID?, limit: Int) throws -> [KeptDelivery] {
        try db.fetchAll(
            """
            SELECT \(Self.deliveryColumns) FROM \(Self.deliveriesRevised)
            WHERE kind = ? AND is_void = 0 AND id > ? ORDER BY id LIMIT ?
            """,
            .text(ProductType.consumable.rawValue), .integer(id?.number ?? Int64.min),
            .integer(Int64(limit)), read: Self.delivery)
    }

    private static let deliveryColumns = """
        id, product, kind, quantity, delivered_at, is_void, deliveries.signed, unit, amount,
        taken_back, is_deleted, revisions.signed
        """

    /// Each delivery with the newest state of its transaction, where that changed.
    private static let deliveriesRevised = "deliveries LEFT JOIN revisions USING (id)"

    private static func delivery(_ row: SQLRow) -> KeptDelivery {
        KeptDelivery(
            record: DeliveryRecord(
                transactionID: TransactionID(row.integer(0)), productID: ProductID(row.text(1)),
                type: ProductType(rawValue: row.text(2)) ?? .consumable,
                quantity: Int(row.integer(3)),
                deliveredAt: Timestamp(milliseconds: row.integer(4)), isVoid: row.flag(5),
                takenBack: Share(millipercent: Int(row.integerIfAny(9) ?? 0))),
            signed: SignedTransaction(row.text(6)), unit: row.textIfAny(7),
            amount: row.integer(8),
            revised: row.textIfAny(11).map { SignedTransaction($0) },
            isDeleted: row.integerIfAny(10) == 1)
    }

    /// The latest delivery of a product: what entitles this device to its content.
    func transaction(delivering product: ProductID) throws -> TransactionID? {
        let last = try db.fetchOne(
            """
            SELECT max(id) FROM deliveries WHERE product = ? AND is_void = 0
            AND NOT EXISTS (SELECT 1 FROM revisions WHERE id = deliveries.id AND taken_back > 0)
            """, .text(product.rawValue)
        ) { $0.integerIfAny(0) }
        return last?.map { TransactionID($0) }
    }

    func balances() throws -> [Balance] {
        try db.fetchAll("SELECT unit, amount FROM balances ORDER BY unit") {
            Balance(unit: $0.text(0), amount: $0.integer(1))
        }
    }

    // MARK: - Spending

    /// Records a spend with its effect, once.
    ///
    /// - Throws: `insufficientBalance`, `spendMismatch`.
    func spend(_ spend: Spend, at now: Timestamp) throws -> Balance {
        if let known = try self.spend(spend.id) {
            guard known == spend else {
                let field = Self.difference(spend, known)
                throw StoreError(
                    .spendMismatch, subject: field.name, found: field.found,
                    expected: field.expected)
            }
            return Balance(unit: spend.unit, amount: try balance(spend.unit).amount)
        }
        let before = try balance(spend.unit).amount
        guard before >= spend.amount else {
            throw StoreError(
                .insufficientBalance, subject: spend.unit, found: String(before),
                expected: String(spend.amount))
        }
        try db.execute(
            "INSERT INTO spends (id, unit, amount, reason, spent_at) VALUES (?, ?, ?, ?, ?)",
            .uuid(spend.id), .text(spend.unit), .integer(spend.amount), .text(spend.reason),
            .integer(now.milliseconds))
        try add(-spend.amount, to: spend.unit)
        return Balance(unit: spend.unit, amount: before - spend.amount)
    }

    private func spend(_ id: UUID) throws -> Spend? {
        try db.fetchOne("SELECT unit, amount, reason FROM spends WHERE id = ?", .uuid(id)) {
            Spend(id: id, unit: $0.text(0), amount: $0.integer(1), reason: $0.text(2))
        }
    }

    private static func difference(
        _ new: Spend, _ known: Spend
    ) -> (name: String, found: String, expected: String) {
        if new.unit != known.unit { return ("unit", new.unit, known.unit) }
        if new.amount != known.amount {
            return ("amount", String(new.amount), String(known.amount))
        }
        return ("reason", new.reason, known.reason)
    }

    /// What was spent of each purse in all.
    func spent() throws -> [String: Int64] {
        let sums = try db.fetchAll("SELECT unit, sum(amount) FROM spends GROUP BY unit") {
            ($0.text(0), $0.integer(1))
        }
        return Dictionary(sums, uniquingKeysWith: { first, _ in first })
    }

    func setBalances(_ balances: [Balance]) throws {
        try db.execute("DELETE FROM balances")
        for balance in balances {
            try db.execute(
                "INSERT INTO balances (unit, amount) VALUES (?, ?)",
                .text(balance.unit), .integer(balance.amount))
            try sealBalance(of: balance.unit)
        }
    }

    // MARK: - Downloads

    /// Adds a download that waits, unless this package is known.
    func addDownload(
        _ content: HostedContent, of product: ProductID, transaction: TransactionID
    ) throws {
        try db.execute(
            """
            INSERT INTO downloads (product, content, transaction_id, version, length, state)
            VALUES (?, ?, ?, ?, ?, 'waiting')
            ON CONFLICT (product, content) DO UPDATE
            SET transaction_id = excluded.transaction_id, version = excluded.version,
                length = excluded.length, error = NULL,
                state = CASE WHEN version = excluded.version
                             AND state IN ('finished', 'active')
                        THEN state ELSE 'waiting' END
            """,
            .text(product.rawValue), .text(content.id), .integer(transaction.number),
            .text(content.version), .integer(content.length))
    }

    /// False where it was in no such state, and stays as it is.
    @discardableResult
    func setState(
        _ state: Download.State, of product: ProductID, contentID: String,
        from allowed: [Download.State] = Download.State.allCases, error: StoreError? = nil
    ) throws -> Bool {
        let names = allowed.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        try db.execute(
            """
            UPDATE downloads SET state = ?, error = ?
            WHERE product = ? AND content = ? AND state IN (\(names))
            """,
            .text(state.rawValue), .blob(try error.map { try JSONEncoder().encode($0) }),
            .text(product.rawValue), .text(contentID))
        return db.changesCount > 0
    }

    /// Records what was fetched, as the store announced it when it was. False where the download
    /// was stopped meanwhile.
    func finishDownload(
        of product: ProductID, contentID: String, version: String, length: Int64
    ) throws -> Bool {
        try db.execute(
            """
            UPDATE downloads SET state = 'finished', error = NULL, version = ?, length = ?
            WHERE product = ? AND content = ? AND state = 'active'
            """,
            .text(version), .integer(length), .text(product.rawValue), .text(contentID))
        return db.changesCount > 0
    }

    func downloads(of product: ProductID? = nil) throws -> [Download] {
        try db.fetchAll(
            """
            SELECT product, content, transaction_id, version, length, state, error
            FROM downloads WHERE ?1 IS NULL OR product = ?1
            ORDER BY transaction_id, product, content
            """, .text(product?.rawValue)
        ) { row in
            var download = Download(
                transactionID: TransactionID(row.integer(2)), productID: ProductID(row.text(0)),
                contentID: row.text(1), version: row.text(3), state: .failed, bytesReceived: 0,
                bytesExpected: row.integer(4),
                error: row.isNull(6)
                    ? nil : try JSONDecoder().decode(StoreError.self, from: row.data(6)))
            if let state = Download.State(rawValue: row.text(5)) {
                download.state = state
            } else {
                // A newer program's: told, and left alone.
                download.error = StoreError(
                    .storeNewer, subject: "download state", found: row.text(5))
            }
            return download
        }
    }

    /// True once a transaction is granted here and nothing is left to fetch for it: all of it is
    /// here, or was given up. What another device took over is that one's to finish.
    func isComplete(_ transaction: TransactionID) throws -> Bool {
        try db.fetchOne(
            """
            SELECT EXISTS (SELECT 1 FROM deliveries WHERE id = ?1 AND is_void = 0)
            AND NOT EXISTS (SELECT 1 FROM downloads WHERE transaction_id = ?1
                            AND state NOT IN ('finished', 'cancelled', 'deleted'))
            """, .integer(transaction.number)
        ) { $0.flag(0) } ?? false
    }
}
