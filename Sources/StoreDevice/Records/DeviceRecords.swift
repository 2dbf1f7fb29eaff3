import Foundation
import GRDB
import StoreModel
import StoreSigning

/// Reads and changes a device's rows inside one open read or write. Every change here is harmless
/// when it is made twice.
struct DeviceRecords {
    let db: Database

    init(_ db: Database) { self.db = db }

    // MARK: - Registration and cursor

    func value<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value? {
        try Data.fetchOne(
            db.cachedStatement(sql: "SELECT value FROM meta WHERE name = ?"), arguments: [name]
        ).map { try JSONDecoder().decode(Value.self, from: $0) }
    }

    func set(_ name: String, _ value: some Encodable) throws {
        try execute(
            "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)",
            [name, try JSONEncoder().encode(value)])
    }

    var cursor: FeedCursor? { get throws { try value("cursor", as: FeedCursor.self) } }

    // MARK: - The payment queue

    func enqueue(_ queued: QueuedPayment) throws {
        try execute(
            "INSERT OR REPLACE INTO queue (id, queued_at, body) VALUES (?, ?, ?)",
            [
                key(queued.payment.id), queued.queuedAt.milliseconds,
                try JSONEncoder().encode(queued),
            ])
    }

    func dequeue(_ id: PaymentID) throws {
        try execute("DELETE FROM queue WHERE id = ?", [key(id)])
    }

    func queued(_ id: PaymentID) throws -> QueuedPayment? {
        let statement = try db.cachedStatement(sql: "SELECT body FROM queue WHERE id = ?")
        return try Data.fetchOne(statement, arguments: [key(id)]).map {
            try JSONDecoder().decode(QueuedPayment.self, from: $0)
        }
    }

    func queue() throws -> [QueuedPayment] {
        try Data.fetchAll(db, sql: "SELECT body FROM queue ORDER BY queued_at, id").map {
            try JSONDecoder().decode(QueuedPayment.self, from: $0)
        }
    }

    private func key(_ id: PaymentID) -> Data { withUnsafeBytes(of: id.uuid.uuid) { Data($0) } }

    // MARK: - Deliveries

    /// Records a delivery and its effect together, unless it was recorded before. False then.
    /// What was taken back is granted again only if the store offers it.
    func deliver(_ arrival: Arrival, at now: Timestamp) throws -> Bool {
        let known = try db.cachedStatement(sql: "SELECT is_void FROM deliveries WHERE id = ?")
        let wasVoid = try Bool.fetchOne(known, arguments: [arrival.id.number])
        if wasVoid != nil, !arrival.isOffered { return false }
        let payload = arrival.transaction.payload
        let isConsumable = payload.type == .consumable
        let unit = isConsumable ? arrival.grant?.unit ?? payload.productId.rawValue : nil
        let amount = isConsumable ? Int64(payload.quantity * (arrival.grant?.amount ?? 1)) : 0
        try execute(
            """
            INSERT INTO deliveries
            (id, product, kind, quantity, unit, amount, delivered_at, is_void, signed, as_of)
            VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?)
            ON CONFLICT (id) DO UPDATE
            SET is_void = 0, as_of = max(as_of, excluded.as_of)
            """,
            [
                payload.transactionId.number, payload.productId.rawValue, payload.type.rawValue,
                payload.quantity, unit, amount, now.milliseconds,
                arrival.transaction.signed.rawValue, arrival.asOf,
            ])
        guard wasVoid != false else { return false }
        if let unit { try add(amount, to: unit) }
        return true
    }

    /// Takes back what was granted for a transaction another device claimed at a place in the feed,
    /// unless the store has offered it to this device after that.
    func void(_ id: TransactionID, at position: Int64) throws {
        let statement = try db.cachedStatement(
            sql: "SELECT unit, amount FROM deliveries WHERE id = ? AND is_void = 0 AND as_of < ?")
        guard let row = try Row.fetchOne(statement, arguments: [id.number, position]) else {
            return
        }
        try execute("UPDATE deliveries SET is_void = 1 WHERE id = ?", [id.number])
        if let unit: String = row[0] { try add(-(row[1] as Int64), to: unit) }
    }

    func isVoid(_ id: TransactionID) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: "SELECT is_void FROM deliveries WHERE id = ?")
        return try Bool.fetchOne(statement, arguments: [id.number]) ?? false
    }

    /// Gives back what was taken, if it was.
    func grantAgain(_ id: TransactionID) throws {
        let statement = try db.cachedStatement(
            sql: "SELECT unit, amount FROM deliveries WHERE id = ? AND is_void = 1")
        guard let row = try Row.fetchOne(statement, arguments: [id.number]) else { return }
        try execute("UPDATE deliveries SET is_void = 0 WHERE id = ?", [id.number])
        if let unit: String = row[0] { try add(row[1], to: unit) }
    }

    private func add(_ amount: Int64, to unit: String) throws {
        try execute(
            """
            INSERT INTO balances (unit, amount) VALUES (?, ?)
            ON CONFLICT (unit) DO UPDATE SET amount = amount + excluded.amount
            """, [unit, amount])
    }

    func isDelivered(_ id: TransactionID) throws -> Bool {
        let statement = try db.cachedStatement(sql: "SELECT 1 FROM deliveries WHERE id = ?")
        return try Int.fetchOne(statement, arguments: [id.number]) != nil
    }

    func deliveries() throws -> [DeliveryRecord] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, product, kind, quantity, delivered_at, is_void
                FROM deliveries ORDER BY id
                """
        ).map { row in
            DeliveryRecord(
                transactionID: TransactionID(row[0] as Int64),
                productID: ProductID(row[1] as String),
                type: ProductType(rawValue: row[2]) ?? .consumable, quantity: row[3],
                deliveredAt: Timestamp(milliseconds: row[4]), isVoid: row[5])
        }
    }

    /// The latest delivery of a product: what entitles this device to its content.
    func transaction(delivering product: ProductID) throws -> TransactionID? {
        let statement = try db.cachedStatement(
            sql: "SELECT max(id) FROM deliveries WHERE product = ? AND is_void = 0")
        return try Int64.fetchOne(statement, arguments: [product.rawValue])
            .map { TransactionID($0) }
    }

    func balances() throws -> [Balance] {
        try Row.fetchAll(db, sql: "SELECT unit, amount FROM balances ORDER BY unit").map {
            Balance(unit: $0[0], amount: $0[1])
        }
    }

    // MARK: - Downloads

    /// Adds a download that waits, unless this package is known.
    func addDownload(
        _ content: HostedContent, of product: ProductID, transaction: TransactionID
    ) throws {
        try execute(
            """
            INSERT INTO downloads (product, content, transaction_id, version, length, state)
            VALUES (?, ?, ?, ?, ?, 'waiting')
            ON CONFLICT (product, content) DO UPDATE
            SET transaction_id = excluded.transaction_id, version = excluded.version,
                length = excluded.length, error = NULL,
                state = CASE WHEN state = 'finished' AND version = excluded.version
                        THEN 'finished' ELSE 'waiting' END
            """,
            [
                product.rawValue, content.id, transaction.number, content.version,
                content.length,
            ])
    }

    func setState(
        _ state: Download.State, of product: ProductID, contentID: String,
        from allowed: [Download.State] = Download.State.allCases, error: StoreError? = nil
    ) throws {
        let names = allowed.map { "'\($0.rawValue)'" }.joined(separator: ", ")
        try execute(
            """
            UPDATE downloads SET state = ?, error = ?
            WHERE product = ? AND content = ? AND state IN (\(names))
            """,
            [
                state.rawValue, try error.map { try JSONEncoder().encode($0) }, product.rawValue,
                contentID,
            ])
    }

    func downloads(of product: ProductID? = nil) throws -> [Download] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT product, content, transaction_id, version, length, state, error
                FROM downloads WHERE ?1 IS NULL OR product = ?1
                ORDER BY transaction_id, product, content
                """, arguments: [product?.rawValue]
        ).map { row in
            let error: Data? = row[6]
            return Download(
                transactionID: TransactionID(row[2] as Int64),
                productID: ProductID(row[0] as String),
                contentID: row[1], version: row[3],
                state: Download.State(rawValue: row[5]) ?? .waiting, bytesReceived: 0,
                bytesExpected: row[4],
                error: try error.map { try JSONDecoder().decode(StoreError.self, from: $0) })
        }
    }

    /// True once a transaction is granted here and nothing is left to fetch for it: all of it is
    /// here, or was given up. What another device took over is that one's to finish.
    func isSettled(_ transaction: TransactionID) throws -> Bool {
        let statement = try db.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM deliveries WHERE id = ?1 AND is_void = 0)
                AND NOT EXISTS (SELECT 1 FROM downloads WHERE transaction_id = ?1
                                AND state NOT IN ('finished', 'cancelled'))
                """)
        return try Bool.fetchOne(statement, arguments: [transaction.number]) == true
    }

    private func execute(_ sql: String, _ arguments: StatementArguments) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }
}
