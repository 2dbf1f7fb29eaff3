import StoreModel

/// A step by which a store moves to another database, or by which a copy of it begins.
///
/// A store is closed by the entry `closed`, which is its last. The same entry is in the store that
/// goes on, and `continued` follows it there: so one of the two sells, never both, and both have the
/// same history until then. A copy of a store that may go on selling begins a history of its own.
package enum StoreMove: Codable, Hashable, Sendable {
    /// The store goes on at this address; nothing is recorded after this entry.
    case closed(goesOnAt: String)
    /// The store goes on here, after it was closed elsewhere.
    case continued
    /// This is a copy. Cursors are of this epoch from here on, and those of the store that was
    /// copied are refused.
    case copied(epoch: Int64)

    /// Where the store goes on; nil for a step that closes none.
    package var closedFor: String? {
        if case .closed(let address) = self { address } else { nil }
    }

    /// A new epoch is one of many, so that two copies of a store have different ones.
    package static let epochs: ClosedRange<Int64> = (StoreLimits.firstEpoch + 1)...(1 << 52)
}

extension LedgerSnapshot {
    /// Throws `storeMoved` for a store that goes on elsewhere, and `copyUnfinished` for a copy that
    /// is not complete: neither records anything.
    func refuseMoved() throws(StoreError) {
        // First, because a copy has the entry that closes its store before it is complete.
        if let unfinishedCopyOf { throw StoreError(.copyUnfinished, subject: unfinishedCopyOf) }
        if let goesOnAt { throw StoreError(.storeMoved, subject: goesOnAt) }
    }
}
