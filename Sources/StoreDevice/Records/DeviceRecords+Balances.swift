import Basics
import DurableFiles
import Foundation
import StoreModel

extension DeviceRecords {
    /// The amount may be negative, and the balance may fall below zero.
    func add(_ amount: Int64, to unit: String) throws {
        let isGenuine = try balance(unit).isGenuine
        try db.execute(
            """
            INSERT INTO balances (unit, amount) VALUES (?, ?)
            ON CONFLICT (unit) DO UPDATE SET amount = amount + excluded.amount
            """, .text(unit), .integer(amount))
        // An altered balance gets no new seal, because that would hide the alteration. The next
        // `RecordKeeper.balances` computes it anew from the deliveries.
        if isGenuine { try sealBalance(of: unit) }
    }

    func balances() throws -> [Balance] {
        try db.fetchAll("SELECT unit, amount FROM balances ORDER BY unit") {
            Balance(unit: $0.text(0), amount: $0.integer(1))
        }
    }

    /// Idempotent by the spend's id.
    ///
    /// - Returns: the purse with the amount that is left.
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
                .insufficientBalance, subject: spend.unit, found: before,
                expected: spend.amount)
        }
        try db.execute(
            "INSERT INTO spends (id, unit, amount, reason, spent_at) VALUES (?, ?, ?, ?, ?)",
            .uuid(spend.id), .text(spend.unit), .integer(spend.amount), .text(spend.reason),
            .integer(now.milliseconds))
        try add(-spend.amount, to: spend.unit)
        return Balance(unit: spend.unit, amount: before - spend.amount)
    }

    /// The id of the spend that opens a package on this device. It is made with the key of the
    /// seals, so that a row that was entered by hand opens nothing.
    func spendID(opening contentID: String, of product: ProductID) throws -> UUID {
        let seal = try seal(of: Data("open \(product)/\(contentID)".utf8))
        return seal.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    func isOpened(_ contentID: String, of product: ProductID) throws -> Bool {
        try spend(spendID(opening: contentID, of: product)) != nil
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

    /// By purse.
    func spent() throws -> [String: Int64] {
        let sums = try db.fetchAll("SELECT unit, sum(amount) FROM spends GROUP BY unit") {
            ($0.text(0), $0.integer(1))
        }
        return Dictionary(sums, uniquingKeysWith: { first, _ in first })
    }

    /// Also seals them.
    func setBalances(_ balances: [Balance]) throws {
        try db.execute("DELETE FROM balances")
        for balance in balances {
            try db.execute(
                "INSERT INTO balances (unit, amount) VALUES (?, ?)",
                .text(balance.unit), .integer(balance.amount))
            try sealBalance(of: balance.unit)
        }
    }
}
