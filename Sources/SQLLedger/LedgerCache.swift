import Basics
import StoreEngine
import Synchronization

/// Facts of a ledger that a process keeps, so that it need not read them again.
package final class LedgerCache: Sendable {
    let recent = RecentEntries()
    /// The store-wide facts that the last snapshot read; valid while the version of the store's
    /// stream is the same.
    private let storeWide = Mutex<LedgerSnapshot?>(nil)
    /// Of cursors. It never changes in a ledger that has entries and is no unfinished copy.
    private let settledEpoch = Mutex<Int64?>(nil)

    package init() {}

    /// The epoch of the ledger's cursors.
    func epoch(_ reader: LedgerReader) throws -> Int64 {
        if let known = settledEpoch.withLock({ $0 }) { return known }
        let (epoch, isSettled) = try reader.readEpoch()
        if isSettled { settledEpoch.withLock { $0 = epoch } }
        return epoch
    }

    /// The kept facts of the whole store if they are of this version, and otherwise fresh ones,
    /// which are then kept. They change rarely but are read for every purchase.
    func storeWide(version: Int64, _ reader: LedgerReader) throws -> LedgerSnapshot {
        if let known = storeWide.withLock({ $0 }), known.version(.store) == version { return known }
        let fresh = try reader.storeWide(version: version)
        storeWide.withLock { $0 = fresh }
        return fresh
    }

    /// Call it where the database may have lost entries that this process knows.
    package func forget() {
        recent.forget()
        storeWide.withLock { $0 = nil }
        settledEpoch.withLock { $0 = nil }
    }
}

/// The last entries that this process recorded, so that its own feed need not decode them again
/// (`make bench`: "full purchase (queue, decide, deliver, finish)"). Entries never change, so a
/// reader that found a position in the database may use the entry kept for it.
///
/// So many are kept that a burst of notifications is made, sent and recorded without decoding them
/// again (`make bench`: "notifications sent and recorded, beside the HTTP client", 1.4 times as long
/// with the last 512).
final class RecentEntries: Sendable {
    /// By position.
    private let entries = Memo<Int64, RecordedEntry>(limit: 4_096)

    /// Nil if the entry is no longer kept, or another process recorded it.
    subscript(position: Int64) -> RecordedEntry? { entries[position] }

    /// Call it only after the commit is durable.
    func keep(_ results: [AppendResult]) {
        for case .recorded(let recorded) in results {
            for entry in recorded { entries[entry.position] = entry }
        }
    }

    func forget() { entries.forgetAll() }
}
