import Basics
import DurableFiles
import SQLLedger
import StoreEngine

/// Fills a ledger of this version from a ledger of an earlier version: copies the entries byte by
/// byte, and computes all other tables from them again.
///
/// Entries are never rewritten: `EntryCoding` reads the entries of every version.
enum LedgerRebuild {
    static let rebuild = DurableDatabase.Rebuild { work in
        try copyAttachments(work)
        try copyEntries(work)
    }

    /// Entries read, decoded and folded at a time. It bounds the memory for a large store.
    private static let page: Int64 = 1_000

    private static func copyEntries(_ work: DurableDatabase.Rebuild.Work) throws {
        let projections = ProjectionWriter(work.new)
        let total = try last(work.old)
        var position = try last(work.new)
        while position < total {
            let rows = try work.old.fetchAll(
                """
                SELECT \(EntryCoding.allColumns) FROM entries
                WHERE position > ? ORDER BY position LIMIT ?
                """, .integer(position), .integer(page)
            ) { row in
                try insert(row, into: work.new)
                return try EntryCoding.decode(row)
            }
            for recorded in rows {
                for change in try LedgerFold.changes(of: recorded) {
                    try projections.apply(change, at: recorded.position)
                }
            }
            try projections.writeSalesTotals()
            guard let end = rows.last?.position else { return }
            position = end
            try work.tell(done: position, of: total)
        }
    }

    /// Unchanged, even if this program does not know the row's kind.
    private static func insert(_ row: any SQLRow, into new: SQLConnection) throws {
        try new.execute(
            """
            INSERT INTO entries (\(EntryCoding.allColumns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            .integer(row.integer(0)), .text(row.text(1)), .text(row.textIfAny(2)),
            .integer(row.integerIfAny(3)), .integer(row.integer(4)), .integer(row.integer(5)),
            .integer(row.integer(6)), .integer(row.integer(7)), .blob(row.data(8)),
            .integer(row.integer(9)))
    }

    private static func last(_ connection: SQLConnection) throws -> Int64 {
        try connection.fetchOne("SELECT max(position) FROM entries") { $0.integer(0) } ?? 0
    }

    /// One attachment at a time, since a catalog may be large; skips those already copied.
    private static func copyAttachments(_ work: DurableDatabase.Rebuild.Work) throws {
        let digests = try work.old.fetchAll("SELECT digest FROM attachments") { $0.text(0) }
        for digest in digests {
            let isThere =
                try work.new.fetchOne(
                    "SELECT 1 FROM attachments WHERE digest = ?", .text(digest)
                ) { _ in } != nil
            if isThere { continue }
            _ = try work.old.fetchOne(
                "SELECT body FROM attachments WHERE digest = ?", .text(digest)
            ) { row in
                try work.new.execute(
                    "INSERT INTO attachments (digest, body) VALUES (?, ?)",
                    .text(digest), .blob(row.data(0)))
            }
        }
    }
}
