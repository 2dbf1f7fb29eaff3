import Basics
import Foundation
import StoreEngine
import StoreModel

extension LedgerReader {
    func head() throws -> FeedCursor {
        let last = try db.fetchOne("SELECT max(position) FROM entries") { $0.integer(0) }
        return FeedCursor(epoch: 1, position: last ?? 0)
    }

    /// Reads one short range of the table, by its key.
    func mark(at cursor: FeedCursor) throws -> FeedMark? {
        guard cursor.epoch == 1, cursor.position >= 0 else { return nil }
        var stored = Data()
        var last: Int64 = 0
        _ = try db.fetchAll(
            """
            SELECT position, kind, number, recorded_at, next_number, account, device, body
            FROM entries WHERE position > ? AND position <= ? ORDER BY position
            """, .integer(cursor.position - Int64(StoreLimits.markedEntries)),
            .integer(cursor.position)
        ) { row in
            last = row.integer(0)
            for column in 0..<Int32(5) {
                withUnsafeBytes(of: row.integer(column).littleEndian) {
                    stored.append(contentsOf: $0)
                }
            }
            stored.append(contentsOf: Data((row.text(5) + "\n" + row.text(6) + "\n").utf8))
            stored.append(row.data(7))
        }
        return last == cursor.position ? FeedMark(ofStored: stored) : nil
    }

    /// With an account, reads two ranges of one index: the account's entries and the whole store's
    /// ('').
    func entries(after cursor: FeedCursor, account: AccountName?, limit: Int) throws -> EntryPage {
        guard cursor.epoch == 1 else { throw StoreError(.storeReplaced) }
        let entries: [RecordedEntry]
        if let account {
            entries = try db.fetchAll(
                """
                SELECT \(EntryCoding.columns) FROM entries
                WHERE account = ?1 AND position > ?3
                UNION ALL
                SELECT \(EntryCoding.columns) FROM entries
                WHERE account = ?2 AND position > ?3
                ORDER BY position LIMIT ?4
                """, .text(account.rawValue), .text(""), .integer(cursor.position),
                .integer(Int64(limit)), read: entry)
        } else {
            entries = try db.fetchAll(
                """
                SELECT \(EntryCoding.columns) FROM entries
                WHERE position > ? ORDER BY position LIMIT ?
                """, .integer(cursor.position), .integer(Int64(limit)), read: entry)
        }
        guard entries.count == limit, let last = entries.last else {
            return EntryPage(entries: entries, cursor: try head())
        }
        return EntryPage(entries: entries, cursor: FeedCursor(epoch: 1, position: last.position))
    }

    func entries(before cursor: FeedCursor, filter: HistoryFilter, limit: Int) throws -> EntryPage {
        guard cursor.epoch == 1 else { throw StoreError(.storeReplaced) }
        // In the table `history` an empty name stands for any account or product; none has an empty
        // name.
        guard filter.account?.rawValue != "", filter.product?.rawValue != "" else {
            return EntryPage(before: [], limit: limit)
        }
        let before = try filter.since.map { try last(recordedBefore: $0) } ?? 0
        let positions = try db.fetchAll(
            HistoryTable.positions(filter), .text(filter.account?.rawValue ?? ""),
            .text(filter.product?.rawValue ?? ""), .integer(cursor.position), .integer(before),
            .integer(Int64(limit))
        ) { $0.integer(0) }
        return EntryPage(before: try positions.compactMap { try entry(at: $0) }, limit: limit)
    }

    /// 0 if there is no such entry. Found by binary search, because the times of entries never go
    /// back.
    private func last(recordedBefore instant: Timestamp) throws -> Int64 {
        var (low, high) = (Int64(0), try head().position)
        while low < high {
            let middle = high - (high - low) / 2
            let recordedAt = try db.fetchOne(
                "SELECT recorded_at FROM entries WHERE position = ?", .integer(middle)
            ) { $0.integer(0) }
            if let recordedAt, recordedAt < instant.milliseconds {
                low = middle
            } else {
                high = middle - 1
            }
        }
        return low
    }

    /// Not read if this process recorded the entry recently.
    ///
    /// - Parameter position: one that a row of this transaction has.
    func entry(at position: Int64) throws -> RecordedEntry? {
        if let known = recent[position] { return known }
        return try db.fetchOne(
            "SELECT \(EntryCoding.columns) FROM entries WHERE position = ?", .integer(position),
            read: entry)
    }

    /// Not decoded if this process recorded the entry recently.
    func entry(_ row: any SQLRow) throws -> RecordedEntry {
        try recent[row.integer(0)] ?? EntryCoding.decode(row)
    }
}
