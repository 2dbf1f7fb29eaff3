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
}
