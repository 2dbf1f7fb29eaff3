import Basics
import Foundation
import StoreEngine
import StoreModel

/// The table `outbox`: what queries select notifications by. Their texts are in the entries.
enum OutboxTable {
    static let statements = [
        """
        CREATE TABLE outbox (
          ordinal INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, type TEXT NOT NULL, subtype TEXT,
          account TEXT, at INTEGER NOT NULL, next INTEGER, is_failed INTEGER NOT NULL,
          progress_position INTEGER)
        """,
        "CREATE INDEX outbox_waiting ON outbox (next, ordinal) WHERE next IS NOT NULL",
        "CREATE INDEX outbox_by_type ON outbox (type, ordinal)",
        """
        CREATE INDEX outbox_by_account ON outbox (account, ordinal) WHERE account IS NOT NULL
        """,
    ]

    /// `meta` has the position up to which entries have been told under this name.
    static let through = "outboxThrough"

    static func apply(_ fact: OutboxFact, at position: Int64, to db: any SQLTransaction) throws {
        switch fact {
        case .queued(let notifications, let through):
            for (index, notification) in notifications.enumerated() {
                try db.execute(
                    """
                    INSERT INTO outbox
                    (ordinal, id, type, subtype, account, at, next, is_failed)
                    VALUES (?, ?, ?, ?, ?, ?, ?, 0)
                    """,
                    .integer(OutboxItem.ordinal(position, index)), .uuid(notification.id),
                    .text(notification.kind.type.rawValue),
                    .text(notification.kind.subtype?.rawValue),
                    .text(notification.account?.rawValue),
                    .integer(notification.at.milliseconds),
                    .integer(notification.next?.milliseconds))
            }
            guard let through else { return }
            try MetaTable.put(Self.through, Data(String(through).utf8), in: db)
        case .progressed(let progress):
            let isFailed =
                !progress.attempts.isEmpty
                && !progress.attempts.contains { $0.result == .success }
            try db.execute(
                "UPDATE outbox SET next = ?, is_failed = ?, progress_position = ? WHERE id = ?",
                .integer(progress.next?.milliseconds), .flag(isFailed), .integer(position),
                .uuid(progress.id))
        }
    }

    /// The query for the rows that a query of the outbox finds, in its order. Its arguments: type,
    /// subtype, account, since, until, the place or instant where it begins, the limit.
    static func rows(_ query: OutboxQuery) -> String {
        var conditions: [String] = []
        var order = "ordinal"
        switch query.selection {
        case .one: conditions.append("id = ?6")
        case .due:
            conditions.append("next IS NOT NULL AND next <= ?6")
            if query.isFailed { conditions.append("is_failed = 1") }
            order = "next, ordinal"
        case .waiting:
            conditions.append("next IS NOT NULL AND next > ?6")
            order = "next, ordinal"
        case .newest:
            conditions.append("ordinal < ?6")
            order = "ordinal DESC"
        case .oldest: conditions.append("ordinal > ?6")
        }
        if query.isNarrowed {
            if query.type != nil { conditions.append("type = ?1") }
            if query.subtype != nil { conditions.append("subtype = ?2") }
            if query.account != nil { conditions.append("account = ?3") }
            if query.since != nil { conditions.append("at >= ?4") }
            if query.until != nil { conditions.append("at < ?5") }
            if query.isFailed { conditions.append("is_failed = 1") }
        }
        return """
            SELECT ordinal, progress_position FROM outbox
            WHERE \(conditions.joined(separator: " AND ")) ORDER BY \(order) LIMIT ?7
            """
    }
}

extension OutboxQuery {
    /// Whether its filters count.
    fileprivate var isNarrowed: Bool {
        switch selection {
        case .newest, .oldest: true
        case .due, .waiting, .one: false
        }
    }

    fileprivate var start: SQLArgument {
        switch selection {
        case .one(let id): .uuid(id)
        case .due(let instant), .waiting(let instant): .integer(instant.milliseconds)
        case .newest(let place): .integer(place ?? .max)
        case .oldest(let place): .integer(place ?? -1)
        }
    }
}

extension LedgerReader {
    func outbox(_ query: OutboxQuery) throws -> OutboxPage {
        let rows = try db.fetchAll(
            OutboxTable.rows(query), .text(query.type?.rawValue), .text(query.subtype?.rawValue),
            .text(query.account?.rawValue), .integer(query.since?.milliseconds),
            .integer(query.until?.milliseconds), query.start, .integer(Int64(query.limit))
        ) { (ordinal: $0.integer(0), progress: $0.integerIfAny(1)) }
        // Notifications that were made together are in one entry.
        var entries: [Int64: [QueuedNotification]] = [:]
        var items: [OutboxItem] = []
        for row in rows {
            let (position, index) = OutboxItem.place(row.ordinal)
            let queued = try entries[position] ?? queued(at: position)
            entries[position] = queued
            guard queued.indices.contains(index) else {
                throw StoreError(.storeUnreadable, subject: "outbox \(row.ordinal)")
            }
            var item = OutboxItem(
                ordinal: row.ordinal, queued[index], changedAt: row.progress ?? position)
            if let now = try row.progress.map({ try progress(at: $0) }) {
                item.attempts = now.attempts
                item.next = now.next
            }
            items.append(item)
        }
        return OutboxPage(
            items: items, through: try outboxThrough(), version: try version(.outbox),
            count: try count(query))
    }

    /// Does not read the notification, whose entry is long.
    func outboxProgress(of id: UUID) throws -> OutboxProgressRow? {
        let row = try db.fetchOne(
            "SELECT ordinal, next, progress_position FROM outbox WHERE id = ?", .uuid(id)
        ) { (ordinal: $0.integer(0), next: $0.integerIfAny(1), progress: $0.integerIfAny(2)) }
        guard let row else { return nil }
        if let position = row.progress {
            return OutboxProgressRow(try progress(at: position), changedAt: position)
        }
        let next = row.next.map { Timestamp(milliseconds: $0) }
        return OutboxProgressRow(
            OutboxProgress(id: id, attempts: [], next: next),
            changedAt: OutboxItem.place(row.ordinal).position)
    }

    private func progress(at position: Int64) throws -> OutboxProgress {
        guard case .outbox(.progressed(let progress)) = try entry(at: position)?.entry.fact
        else { throw StoreError(.storeUnreadable, subject: "entry \(position)") }
        return progress
    }

    private func count(_ query: OutboxQuery) throws -> Int {
        guard query.counts, case .due(let instant) = query.selection else { return 0 }
        let sql =
            "SELECT count(*) FROM outbox WHERE next IS NOT NULL AND next <= ?"
            + (query.isFailed ? " AND is_failed = 1" : "")
        return try db.fetchOne(sql, .integer(instant.milliseconds)) { Int($0.integer(0)) } ?? 0
    }

    func outboxThrough() throws -> Int64? {
        try db.fetchOne("SELECT value FROM meta WHERE name = ?", .text(OutboxTable.through)) {
            Int64(String(decoding: $0.data(0), as: UTF8.self))
        } ?? nil
    }

    private func queued(at position: Int64) throws -> [QueuedNotification] {
        guard case .outbox(.queued(let queued, _)) = try entry(at: position)?.entry.fact else {
            throw StoreError(.storeUnreadable, subject: "entry \(position)")
        }
        return queued
    }
}

/// The table `meta`: values of which the store has one each, by name.
enum MetaTable {
    /// Of cursors; absent in a store that is no copy.
    static let epoch = "epoch"
    /// The address of the store that this is a copy of, while the copy is not complete: nothing else
    /// is recorded then.
    static let copyOf = "copyOf"

    static func put(_ name: String, _ value: Data, in db: any SQLTransaction) throws {
        try db.execute(
            """
            INSERT INTO meta (name, value) VALUES (?, ?)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """, .text(name), .blob(value))
    }
}
