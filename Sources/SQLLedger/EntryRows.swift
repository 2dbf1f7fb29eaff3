package import Basics
package import Foundation
import StoreEngine
import StoreModel

/// Rows of `entries`, to be copied byte by byte into another database, even those of a kind that
/// this program does not know. Entries are never rewritten: `EntryCoding` reads those of every
/// version.
package struct EntryRows: Sendable {
    private var rows: [[SQLArgument]] = []
    private var recorded: [RecordedEntry] = []

    /// Those after a position, in order.
    package init(after position: Int64, limit: Int64, in db: any SQLTransaction) throws {
        try db.step(
            """
            SELECT \(EntryCoding.allColumns) FROM entries
            WHERE position > ? ORDER BY position LIMIT ?
            """, [.integer(position), .integer(limit)]
        ) { row in
            rows.append([
                .integer(row.integer(0)), .text(row.text(1)), .text(row.textIfAny(2)),
                .integer(row.integerIfAny(3)), .integer(row.integer(4)), .integer(row.integer(5)),
                .integer(row.integer(6)), .integer(row.integer(7)), .blob(row.data(8)),
                .integer(row.integer(9)),
            ])
            recorded.append(try EntryCoding.decode(row))
            return true
        }
    }

    /// The position of the last one; nil if there is none.
    package var last: Int64? { recorded.last?.position }

    /// Inserts them, and computes the rows of all other tables from them.
    package func insert(into db: any SQLTransaction) throws {
        for row in rows { try db.run(EntryCoding.insertion, row) }
        let projections = ProjectionWriter(db)
        for recorded in recorded {
            for change in try LedgerFold.changes(of: recorded) {
                try projections.apply(change, at: recorded.position)
            }
        }
        try projections.writeSalesTotals()
    }

    /// The position of a ledger's last entry; 0 without one.
    package static func last(in db: any SQLTransaction) throws -> Int64 {
        try db.fetchOne("SELECT max(position) FROM entries") { $0.integer(0) } ?? 0
    }
}

/// A text that entries refer to by its digest.
package enum AttachmentRow {
    package static func digests(in db: any SQLTransaction) throws -> [String] {
        try db.fetchAll("SELECT digest FROM attachments") { $0.text(0) }
    }

    package static func body(_ digest: String, in db: any SQLTransaction) throws -> Data? {
        try db.fetchOne("SELECT body FROM attachments WHERE digest = ?", .text(digest)) {
            $0.data(0)
        }
    }

    /// Does nothing if it is there already.
    package static func insert(
        _ digest: String, _ body: Data, into db: any SQLTransaction
    ) throws {
        try db.execute(
            "INSERT INTO attachments (digest, body) VALUES (?, ?) ON CONFLICT DO NOTHING",
            .text(digest), .blob(body))
    }
}
