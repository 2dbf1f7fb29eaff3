import Basics
import DurableFiles
import Foundation
import StoreModel

/// The rows of a device's database, read and changed within one open transaction.
///
/// Recording a delivery, revision, claim or spend is idempotent. `add(_:to:)` is not: it adds each
/// time.
struct DeviceRecords {
    let db: SQLConnection

    init(_ db: SQLConnection) { self.db = db }

    // MARK: - Registration

    /// From the table `meta`; nil if it was never set.
    func value<Value: Decodable>(_ name: String, as type: Value.Type) throws -> Value? {
        try db.fetchOne("SELECT value FROM meta WHERE name = ?", .text(name)) {
            try JSONDecoder().decode(Value.self, from: $0.data(0))
        }
    }

    func set(_ name: String, _ value: some Encodable) throws {
        try db.execute(
            "INSERT OR REPLACE INTO meta (name, value) VALUES (?, ?)", .text(name),
            .blob(try JSONEncoder().encode(value)))
    }

    // MARK: - Unpublished deliveries

    /// For a delivery that no process has published yet.
    func markUnpublished(_ id: TransactionID) throws {
        try set(Self.unpublished(id), true)
    }

    /// The delivery is being published.
    ///
    /// - Returns: whether the delivery had the mark.
    func takeUnpublished(_ id: TransactionID) throws -> Bool {
        let name = Self.unpublished(id)
        guard try value(name, as: Bool.self) == true else { return false }
        try db.execute("DELETE FROM meta WHERE name = ?", .text(name))
        return true
    }

    private static func unpublished(_ id: TransactionID) -> String { "unpublished/\(id.number)" }

    // MARK: - Cursor

    /// The feed position up to which events were carried out; nil before registration.
    var cursor: FeedCursor? { get throws { try value("cursor", as: FeedCursor.self) } }

    /// Nil where the store gave none.
    var mark: FeedMark? { get throws { try value("cursor", as: KeptCursor.self)?.mark } }

    /// A cursor, with the mark beside its members.
    private struct KeptCursor: Codable {
        var epoch: Int64
        var position: Int64
        var mark: FeedMark?
    }

    func setCursor(_ cursor: FeedCursor, _ mark: FeedMark?) throws {
        try set(
            "cursor", KeptCursor(epoch: cursor.epoch, position: cursor.position, mark: mark))
    }
}
