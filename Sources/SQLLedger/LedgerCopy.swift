import Basics
import Foundation
import StoreEngine
package import StoreModel

/// A copy of a ledger into another database: entries and attachments byte by byte, with their
/// positions and numbers, and the other tables computed from them and compared at the end.
///
/// **Why only one of the two sells.** Until it is complete the copy is marked (`MetaTable.copyOf`),
/// and records nothing. A store that moves is closed by an entry after which nothing is recorded;
/// that entry is copied too, and only then the copy begins to sell. A kill at any moment leaves the
/// store that was copied open, or nobody selling until the copy is made again and goes on where it
/// was. A copy that is to sell beside its store begins an epoch of its own, by which devices tell
/// the two apart.
package struct LedgerCopy: Sendable {
    /// What becomes of the two stores.
    package enum Purpose: Sendable {
        /// The store goes on in the copy, and is closed where it was.
        case move
        /// The store stays as it is, and the copy has a history of its own from here on.
        case copy(epoch: Int64)
    }

    /// After a step was carried out, which is durable then.
    package enum Step: Hashable, Sendable {
        /// Further work is told by the last entry copied, and by the last to be copied.
        case copied(Int64, of: Int64)
        case compared
        case closed
        case completed
    }

    /// A ledger and its address, as people name it: without a password.
    package struct End: Sendable {
        let ledger: any LedgerInTables
        let address: String

        package init(_ ledger: any LedgerInTables, at address: String) {
            self.ledger = ledger
            self.address = address
        }
    }

    private let source: End
    private let target: End
    private let purpose: Purpose
    private let pageSize: Int64
    private let copyBeside: @Sendable () async throws(StoreError) -> Void
    private let onStep: @Sendable (Step) throws(StoreError) -> Void

    /// How often a copy catches up with a store that goes on selling.
    private static let triesMax = 8

    /// - Parameters:
    ///   - pageSize: of entries that are copied in one write.
    ///   - copyBeside: copies what the stores keep beside their ledgers. It is called twice: before
    ///     the first entry, and once nothing more is recorded that is copied. The copy sells only
    ///     after the second call, and what is there already is not to be copied anew.
    ///   - onStep: called after each step; what it throws ends the work there, as a kill would.
    package init(
        of source: End, to target: End, _ purpose: Purpose, pageSize: Int64 = 1_000,
        copyBeside: @escaping @Sendable () async throws(StoreError) -> Void = {
            () async throws(StoreError) in
        },
        onStep: @escaping @Sendable (Step) throws(StoreError) -> Void = { (_) throws(StoreError) in
        }
    ) {
        self.source = source
        self.target = target
        self.purpose = purpose
        self.pageSize = pageSize
        self.copyBeside = copyBeside
        self.onStep = onStep
    }

    /// Makes the copy, or goes on with one that was interrupted. Does nothing if the store has moved
    /// to the target before.
    ///
    /// - Returns: the number of entries copied or found there.
    /// - Throws: `storeExists` if the target has entries that are not the source's; `storeMoved` if
    ///   the source goes on at another address; `copyDiffers` if a table differs, and then the source
    ///   is as it was, unless it was changed since; `storeBusy` if the source records faster than it
    ///   is copied; errors of both ledgers and of `copyBeside`.
    package func run() async throws(StoreError) -> Int64 {
        if case .move = purpose, let address = try await goesOnAt(), address != target.address {
            throw StoreError(.storeMoved, subject: address)
        }
        if try await isComplete() { return try await target.ledger.head().position }
        // Keys before the mark: a program that opens a copy would else make other ones.
        try await copyBeside()
        try await begin()
        try await copyAll()
        switch purpose {
        case .move:
            // A difference is found while the source still sells.
            _ = try await isEqual()
            try onStep(.compared)
            try await close()
            try onStep(.closed)
            try await copyAll()
            try await copyBeside()
            guard try await isEqual() else { throw StoreError(.storeBusy) }
            try await complete(with: .continued)
        case .copy(let epoch):
            var tries = 0
            while try await !isEqual() {
                tries += 1
                guard tries < Self.triesMax else { throw StoreError(.storeBusy) }
                try await copyAll()
            }
            try onStep(.compared)
            try await copyBeside()
            try await complete(with: .copied(epoch: epoch))
        }
        try onStep(.completed)
        return try await target.ledger.head().position
    }

    private func goesOnAt() async throws(StoreError) -> String? {
        try await source.ledger.snapshot(LedgerQuery()).goesOnAt
    }

    // MARK: - Beginning

    private struct Beginning: Sendable {
        var isMarked: Bool
        var last: Int64
        var mark: FeedMark?
    }

    private func beginning() async throws(StoreError) -> Beginning {
        try await target.ledger.reading { reader in
            let last = try EntryRows.last(in: reader.db)
            return Beginning(
                isMarked: try reader.unfinishedCopyOf() != nil, last: last,
                mark: try reader.mark(at: last))
        }
    }

    /// Whether the store has moved to the target before. Throws `storeExists` for a target that
    /// holds something else.
    private func isComplete() async throws(StoreError) -> Bool {
        let found = try await beginning()
        guard found.last > 0 else { return false }
        let (end, mark) = try await source.ledger.reading { reader in
            let end = try EntryRows.last(in: reader.db)
            return (end, try reader.mark(at: min(end, found.last)))
        }
        if found.isMarked {
            guard found.last <= end, found.mark == mark else { throw exists }
            return false
        }
        guard case .move = purpose, try await goesOnAt() == target.address else { throw exists }
        let same = try await target.ledger.reading { try $0.mark(at: end) }
        guard mark == same else { throw exists }
        return true
    }

    private var exists: StoreError { StoreError(.storeExists, subject: target.address) }

    /// Marks the target. Throws `storeExists` if a store was begun there meanwhile.
    private func begin() async throws(StoreError) {
        let (address, exists) = (source.address, exists)
        let cache = target.ledger.cache
        try await target.ledger.write { db in
            guard try LedgerReader(db, cache: cache).unfinishedCopyOf() == nil else { return }
            guard try EntryRows.last(in: db) == 0 else { throw exists }
            try MetaTable.put(MetaTable.copyOf, JSONEncoder().encode(address), in: db)
        }
        cache.forget()
    }

    // MARK: - Copying

    /// Up to the source's end.
    private func copyAll() async throws(StoreError) {
        try await copyAttachments()
        var position = try await target.ledger.read { try EntryRows.last(in: $0) }
        while true {
            let (after, limit) = (position, pageSize)
            let (rows, end) = try await source.ledger.read { db in
                (try EntryRows(after: after, limit: limit, in: db), try EntryRows.last(in: db))
            }
            guard let last = rows.last else { return }
            try await target.ledger.write { db in
                // Another process may copy, too, and a write that lost its connection runs again.
                guard try EntryRows.last(in: db) == after else { return }
                try rows.insert(into: db)
            }
            position = last
            try onStep(.copied(position, of: end))
        }
    }

    /// One at a time, since a catalog may be large.
    private func copyAttachments() async throws(StoreError) {
        let known = try await target.ledger.read { try Set(AttachmentRow.digests(in: $0)) }
        let digests = try await source.ledger.read { try AttachmentRow.digests(in: $0) }
        for digest in digests where !known.contains(digest) {
            let body = try await source.ledger.read { try AttachmentRow.body(digest, in: $0) }
            guard let body else { continue }
            try await target.ledger.write { try AttachmentRow.insert(digest, body, into: $0) }
        }
    }

    // MARK: - Comparing and ending

    /// False if the source has recorded more entries. Throws `copyDiffers`.
    private func isEqual() async throws(StoreError) -> Bool {
        let here = try await source.ledger.read { try LedgerContents($0) }
        let there = try await target.ledger.read { try LedgerContents($0) }
        guard here.position == there.position else { return false }
        if let table = there.difference(from: here) {
            throw StoreError(.copyDiffers, subject: target.address, found: table)
        }
        return true
    }

    /// Does nothing if it was closed for the target before.
    private func close() async throws(StoreError) {
        let found = try await source.ledger.snapshot(LedgerQuery())
        let entry = Entry(
            account: nil, device: nil, effectiveAt: found.recordedUntil ?? .earliest,
            fact: .moved(.closed(goesOnAt: target.address)))
        do throws(StoreError) {
            _ = try await source.ledger.append(
                [Decision(reads: [:], entries: [entry])], at: .earliest)
        } catch  where error.code == .storeMoved && error.subject == target.address {}
    }

    /// Records the entry with which the copy begins to sell, and takes the mark away, in one write.
    private func complete(with move: StoreMove) async throws(StoreError) {
        let (cache, first) = (target.ledger.cache, source.ledger.firstTransactionNumber)
        try await target.ledger.write { db in
            let reader = LedgerReader(db, cache: cache)
            // It runs again only if the first run was rolled back, or another process was first.
            guard try reader.unfinishedCopyOf() != nil else { return }
            let writer = try LedgerWriter(
                db, reader: reader, now: .earliest, firstTransactionNumber: first,
                completesCopy: true)
            let fact = Entry.Fact.moved(move)
            let entry = Entry(
                account: nil, device: nil, effectiveAt: writer.recordedAt, fact: fact)
            _ = try writer.append(
                [Decision(reads: [:], entries: [entry])], facts: [[EntryCoding.encode(fact)]])
            try db.execute("DELETE FROM meta WHERE name = ?", .text(MetaTable.copyOf))
        }
        cache.forget()
    }
}
