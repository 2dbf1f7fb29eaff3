import Basics
import Foundation
import StoreEngine
import StoreModel

extension LedgerReader {
    func head() throws -> FeedCursor {
        try cursor(EntryRows.last(in: db))
    }

    func cursor(_ position: Int64) throws -> FeedCursor {
        FeedCursor(epoch: try cache.epoch(self), position: position)
    }

    /// - Returns: the epoch, and whether it stays.
    func readEpoch() throws -> (epoch: Int64, isSettled: Bool) {
        let epoch: Int64? = try meta(MetaTable.epoch)
        let first = try db.fetchOne("SELECT min(position) FROM entries") { $0.integer(0) }
        return (epoch ?? StoreLimits.firstEpoch, try unfinishedCopyOf() == nil && (first ?? 0) > 0)
    }

    private func refuseOtherEpoch(_ cursor: FeedCursor) throws {
        guard try cursor.epoch == cache.epoch(self) else { throw StoreError(.storeReplaced) }
    }

    /// Reads one short range of the table, by its key.
    func mark(at cursor: FeedCursor) throws -> FeedMark? {
        guard try cursor.epoch == cache.epoch(self), cursor.position >= 0 else { return nil }
        return try mark(at: cursor.position)
    }

    /// Nil if the ledger ends before.
    func mark(at end: Int64) throws -> FeedMark? {
        var stored = Data()
        var last: Int64 = 0
        _ = try db.fetchAll(
            """
            SELECT position, kind, number, recorded_at, next_number, account, device, body
            FROM entries WHERE position > ? AND position <= ? ORDER BY position
            """, .integer(end - Int64(StoreLimits.markedEntries)), .integer(end)
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
        return last == end ? FeedMark(ofStored: stored) : nil
    }

    /// With an account, reads two ranges of one index: the account's entries and the whole store's
    /// ('').
    func entries(after cursor: FeedCursor, account: AccountName?, limit: Int) throws -> EntryPage {
        try refuseOtherEpoch(cursor)
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
        return EntryPage(entries: entries, cursor: try self.cursor(last.position))
    }

    func entries(before cursor: FeedCursor, filter: HistoryFilter, limit: Int) throws -> EntryPage {
        try refuseOtherEpoch(cursor)
        // In the table `history` an empty name stands for any account or product; none has an empty
        // name.
        guard filter.account?.rawValue != "", filter.product?.rawValue != "" else {
            return EntryPage(before: [], limit: limit, epoch: cursor.epoch)
        }
        let before = try filter.since.map { try last(recordedBefore: $0) } ?? 0
        let positions = try db.fetchAll(
            HistoryTable.positions(filter), .text(filter.account?.rawValue ?? ""),
            .text(filter.product?.rawValue ?? ""), .integer(cursor.position), .integer(before),
            .integer(Int64(limit))
        ) { $0.integer(0) }
        return EntryPage(before: try entries(at: positions), limit: limit, epoch: cursor.epoch)
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

    func entry(at position: Int64) throws -> RecordedEntry? { try entries(at: [position]).first }

    /// Those that are there, in the order of the positions. Those that this process recorded recently
    /// are not read.
    ///
    /// - Parameter positions: that rows of this transaction have.
    func entries(at positions: [Int64]) throws -> [RecordedEntry] {
        let recent = cache.recent
        let unknown = positions.filter { recent[$0] == nil }
        let read = try db.fetchOne(
            "SELECT \(EntryCoding.columns) FROM entries WHERE position = ?",
            each: unknown.map { [.integer($0)] }, read: entry)
        let found = Dictionary(zip(unknown, read), uniquingKeysWith: { first, _ in first })
        return positions.compactMap { recent[$0] ?? found[$0] ?? nil }
    }

    /// Not decoded if this process recorded the entry recently.
    func entry(_ row: any SQLRow) throws -> RecordedEntry {
        try cache.recent[row.integer(0)] ?? EntryCoding.decode(row)
    }
}
