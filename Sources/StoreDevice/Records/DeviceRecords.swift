import DurableFiles
import Foundation
import StoreModel
import StoreSigning

/// The rows of a device's database, read and changed inside one open transaction.
///
/// Repeating a recorded delivery, revision, claim or spend changes nothing. Only `add(_:to:)` adds
/// each time.
struct DeviceRecords {
    let db: SQLConnection

    init(_ db: SQLConnection) { self.db = db }

    // MARK: - Registration and cursor

    /// A value of the table `meta`; nil if it was never set.
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

    /// How far the feed was carried out; nil before registration.
    var cursor: FeedCursor? { get throws { try value("cursor", as: FeedCursor.self) } }

    /// The store's mark at the cursor; nil if a version without marks recorded the cursor.
    var mark: FeedMark? { get throws { try value("cursor", as: KeptMark.self)?.mark } }

    private struct KeptMark: Decodable { var mark: FeedMark? }

    /// Records how far the feed was carried out, and the store's mark there.
    func setCursor(_ cursor: FeedCursor, _ mark: FeedMark?) throws {
        try set("cursor", .bytes(cursor.jsonBytes(mark: mark)))
    }

    // MARK: - The payment queue

    /// Puts a payment into the queue, or replaces the one with its id.
    func enqueue(_ queued: QueuedPayment) throws {
        try db.execute(
            "INSERT OR REPLACE INTO queue (id, queued_at, body) VALUES (?, ?, ?)",
            .uuid(queued.payment.id.uuid), .integer(queued.queuedAt.milliseconds),
            .bytes(queued.jsonBytes()))
    }

    func dequeue(_ id: PaymentID) throws {
        try db.execute("DELETE FROM queue WHERE id = ?", .uuid(id.uuid))
    }

    /// Removes the payments that wait under a request's number, once it is sold, declined or
    /// withdrawn: also one from this device that only repeated another device's request.
    func dequeue(waitingUnder request: TransactionID) throws {
        try db.execute(
            "DELETE FROM queue WHERE CAST(body AS TEXT) ->> '$.request' = ?",
            .text(request.description))
    }

    func queued(_ id: PaymentID) throws -> QueuedPayment? {
        try db.fetchOne("SELECT body FROM queue WHERE id = ?", .uuid(id.uuid), read: Self.queued)
    }

    func isQueued(_ id: PaymentID) throws -> Bool {
        try db.fetchOne("SELECT 1 FROM queue WHERE id = ?", .uuid(id.uuid)) { _ in } != nil
    }

    /// All queued payments, oldest first.
    func queue() throws -> [QueuedPayment] {
        try db.fetchAll("SELECT body FROM queue ORDER BY queued_at, id", read: Self.queued)
    }

    private static func queued(_ row: SQLRow) throws -> QueuedPayment {
        try JSONDecoder().decode(QueuedPayment.self, from: row.data(0))
    }

    // MARK: - Deliveries

    /// Records a delivery and adds what it grants to its purse.
    ///
    /// A delivery that another device's claim made void is granted again only if the store lists
    /// the sale as unfinished on this device (`VerifiedSale.isOffered`).
    ///
    /// - Returns: false if nothing was granted, because the delivery was recorded before.
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
        let amount = isConsumable ? Int64(payload.quantity * (sale.grant?.amount ?? 1)) : 0
        // Before the row exists or is no longer void: `restate` then takes nothing from the purse,
        // and the share taken back is subtracted once, below. A newer state may be recorded
        // already.
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
        try sealDelivery(sale.id)
        guard wasVoid != false else { return false }
        if let unit { try add(amount - takenBack(of: amount, id: sale.id), to: unit) }
        return true
    }

    /// Compares a recorded delivery with the sale that now has its number. A row that contradicts
    /// its own signed text was altered, and is repaired from the sale.
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

    /// Puts the state of an altered delivery right from the sale as the store states it. What the
    /// sale cannot tell is whether another device claimed a consumable: such a row is put right only
    /// if the store offers it to this device.
    private func repairState(of sale: VerifiedSale) throws {
        let isLasting = sale.transaction.payload.type != .consumable
        guard isLasting || sale.isOffered, try isGenuine(sale.id) == false else { return }
        try repairState(
            of: sale.id, DeliveryRevision(sale.transaction, revision: sale.revision),
            isLasting: isLasting)
    }

    /// Replaces the state of an altered delivery by the store's, and seals it. Leaves the purse as
    /// it is: that has a seal of its own. A lasting purchase is never void.
    func repairState(of id: TransactionID, _ state: DeliveryRevision, isLasting: Bool) throws {
        if isLasting {
            try db.execute("UPDATE deliveries SET is_void = 0 WHERE id = ?", .integer(id.number))
        }
        try write(state)
        try sealDelivery(id)
    }

    /// The lasting purchases whose state this program did not write.
    func alteredPurchases() throws -> [TransactionID] {
        try db.fetchAll(
            """
            SELECT \(Self.deliveryColumns) FROM \(Self.deliveriesRevised)
            WHERE kind <> ? AND id > 0 ORDER BY id
            """, .text(ProductType.consumable.rawValue), read: readDelivery()
        ).filter { !$0.isGenuine }.map(\.record.transactionID)
    }

    /// How much of a granted amount the newest recorded state of its transaction takes back.
    private func takenBack(of amount: Int64, id: TransactionID) throws -> Int64 {
        try revision(of: id)?.takenBack.of(amount) ?? 0
    }

    /// Makes a delivery void, because another device claimed its transaction at a position of the
    /// feed, and takes what it granted from its purse. Does nothing if this delivery was confirmed
    /// at the same or a later position.
    func void(_ id: TransactionID, at position: Int64) throws {
        let granted = try db.fetchOne(
            "SELECT unit, amount FROM deliveries WHERE id = ? AND is_void = 0 AND as_of < ?",
            .integer(id.number), .integer(position)
        ) { (unit: $0.textIfAny(0), amount: $0.integer(1)) }
        guard let granted else { return }
        try changingState(of: id) {
            try db.execute("UPDATE deliveries SET is_void = 1 WHERE id = ?", .integer(id.number))
        }
        if let unit = granted.unit {
            try add(takenBack(of: granted.amount, id: id) - granted.amount, to: unit)
        }
    }

    func isVoid(_ id: TransactionID) throws -> Bool { try wasVoid(id) ?? false }

    /// Whether a recorded delivery is void; nil if none is recorded.
    private func wasVoid(_ id: TransactionID) throws -> Bool? {
        try db.fetchOne("SELECT is_void FROM deliveries WHERE id = ?", .integer(id.number)) {
            $0.flag(0)
        }
    }

    /// Reverses `void`. Does nothing if the delivery is not void.
    func grantAgain(_ id: TransactionID) throws {
        let taken = try db.fetchOne(
            "SELECT unit, amount FROM deliveries WHERE id = ? AND is_void = 1",
            .integer(id.number)
        ) { (unit: $0.textIfAny(0), amount: $0.integer(1)) }
        guard let taken else { return }
        try changingState(of: id) {
            try db.execute("UPDATE deliveries SET is_void = 0 WHERE id = ?", .integer(id.number))
        }
        if let unit = taken.unit {
            try add(taken.amount - takenBack(of: taken.amount, id: id), to: unit)
        }
    }

    /// Adds an amount, which may be negative, to a purse. The balance may fall below zero.
    func add(_ amount: Int64, to unit: String) throws {
        let isGenuine = try balance(unit).isGenuine
        try db.execute(
            """
            INSERT INTO balances (unit, amount) VALUES (?, ?)
            ON CONFLICT (unit) DO UPDATE SET amount = amount + excluded.amount
            """, .text(unit), .integer(amount))
        // An altered balance gets no new seal, which would hide the alteration: the next
        // `RecordKeeper.balances` adds the deliveries up anew.
        if isGenuine { try sealBalance(of: unit) }
    }

    /// Whether a delivery is recorded, void or not.
    func isDelivered(_ id: TransactionID) throws -> Bool { try wasVoid(id) != nil }

    /// Every recorded delivery, by transaction number, not verified again.
    func deliveries() throws -> [DeliveryRecord] {
        try db.fetchAll(
            "SELECT \(Self.deliveryColumns) FROM \(Self.deliveriesRevised) ORDER BY id",
            read: readDelivery()
        ).map(\.record)
    }

    /// The latest delivery of each product, and every delivery of a non-renewing subscription,
    /// without those that are void or of which any share was taken back. By transaction number.
    ///
    /// The recursive query finds each product by one step in an index: the cost grows with the
    /// number of products, not with how often each was delivered.
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

    /// The delivery with the highest number. Deliveries that `acceptStore` gave negative numbers do
    /// not count.
    func lastDelivery() throws -> DeliveredSale? {
        try db.fetchOne(
            "SELECT \(Self.saleColumns) FROM deliveries WHERE id > 0 ORDER BY id DESC LIMIT 1",
            read: Self.sale)
    }

    /// Every delivery under the number that the store gave it, by number.
    func deliveredSales() throws -> [DeliveredSale] {
        try db.fetchAll(
            "SELECT \(Self.saleColumns) FROM deliveries WHERE id > 0 ORDER BY id", read: Self.sale)
    }

    private static let saleColumns = "id, product, signed, as_of"

    private static func sale(_ row: SQLRow) -> DeliveredSale {
        DeliveredSale(
            id: TransactionID(row.integer(0)), productID: ProductID(row.text(1)),
            signed: SignedTransaction(row.text(2)), asOf: row.integer(3))
    }

    /// Whether a delivery that `acceptStore` set aside, because the store lost its sale, is of a
    /// non-consumable and still granted.
    func isSetAside(_ product: ProductID) throws -> Bool {
        try db.fetchOne(
            """
            SELECT 1 FROM deliveries WHERE product = ? AND id < 0 AND kind = ? AND is_void = 0
            AND NOT EXISTS (SELECT 1 FROM revisions WHERE id = deliveries.id AND taken_back > 0)
            """, .text(product.rawValue), .text(ProductType.nonConsumable.rawValue)
        ) { _ in } != nil
    }

    /// One page of the consumable deliveries that are not void, by transaction number.
    func consumables(after id: TransactionID?, limit: Int) throws -> [KeptDelivery] {
        try db.fetchAll(
            """
            SELECT \(Self.deliveryColumns) FROM \(Self.deliveriesRevised)
            WHERE kind = ? AND is_void = 0 AND id > ? ORDER BY id LIMIT ?
            """,
            .text(ProductType.consumable.rawValue), .integer(id?.number ?? Int64.min),
            .integer(Int64(limit)), read: readDelivery())
    }

    /// One page of all deliveries, newest first, without those that `Device.acceptStore` set aside.
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

    /// Reads rows of `deliveryColumns`, and compares each with its seal.
    private func readDelivery() throws -> (SQLRow) -> KeptDelivery {
        let key = try sealKeyIfAny()
        return { Self.delivery($0, sealKey: key) }
    }

    private static func delivery(_ row: SQLRow, sealKey: Data?) -> KeptDelivery {
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
            isGenuine: isGenuine(state, row.data(12), key: sealKey))
    }

    /// The latest delivery of a product that is neither void nor taken back: it entitles this
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

    func balances() throws -> [Balance] {
        try db.fetchAll("SELECT unit, amount FROM balances ORDER BY unit") {
            Balance(unit: $0.text(0), amount: $0.integer(1))
        }
    }

    // MARK: - Spending

    /// Records a spend and takes its amount from the purse. The same spend again changes nothing.
    ///
    /// - Returns: the purse with what is left in it.
    /// - Throws: `insufficientBalance`; `spendMismatch`, naming the first field that differs from
    ///   the recorded spend of this id.
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

    /// The total spent from each purse.
    func spent() throws -> [String: Int64] {
        let sums = try db.fetchAll("SELECT unit, sum(amount) FROM spends GROUP BY unit") {
            ($0.text(0), $0.integer(1))
        }
        return Dictionary(sums, uniquingKeysWith: { first, _ in first })
    }

    /// Replaces all balances, and seals them.
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

    /// An issue that this device does not have.
    struct NewIssue {
        var product: ProductID
        var content: HostedContent
        var transaction: TransactionID
    }

    /// The issues of a product that this device has never downloaded. None where the product was not
    /// delivered here, or none of its issues is kept here.
    func newIssues(of product: Product) throws -> [NewIssue] {
        let known = try downloads(of: product.id)
        guard known.contains(where: { $0.state == .finished || $0.state == .waiting }),
            let transaction = try transaction(delivering: product.id)
        else { return [] }
        let ids = Set(known.map(\.contentID))
        return product.hostedContent.filter { !ids.contains($0.id) }.map {
            NewIssue(product: product.id, content: $0, transaction: transaction)
        }
    }

    /// Queues a package for download. One that is recorded already takes the new transaction,
    /// version and length, and becomes `waiting`, unless this version of it is `finished` or
    /// `active`.
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

    /// Changes the state of a download if it is in one of the allowed states.
    ///
    /// - Returns: whether it was changed.
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

    /// Marks an active download as finished, with the version and length that were fetched.
    ///
    /// - Returns: false if the download is no longer active, because it was paused or cancelled.
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

    /// Goes back to the version of a package that is on this device: what was to be fetched beside
    /// it was given up.
    func keepInstalled(_ package: Download) throws {
        try db.execute(
            """
            UPDATE downloads SET state = 'finished', error = NULL, version = ?
            WHERE product = ? AND content = ?
            """,
            .text(package.version), .text(package.productID.rawValue), .text(package.contentID))
    }

    /// The recorded downloads of one product, or of all.
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
                // A newer program wrote this state: it is shown as an error and not changed.
                download.error = StoreError(
                    .storeNewer, subject: "download state", found: row.text(5))
            }
            return download
        }
    }

    /// Whether this device may finish a transaction: its delivery is recorded and not void, and
    /// each of its downloads is finished, cancelled or deleted. A transaction that another device
    /// claimed is finished by that device.
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
