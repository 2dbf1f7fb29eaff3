package import Foundation
package import StoreModel

/// Entries to be recorded together or not at all, with what was read to decide them.
package struct Decision: Sendable {
    /// The streams it read, with the versions it saw. If one had moved on when the append began,
    /// the decision is refused and nothing of it is recorded. Decisions of one append were made
    /// side by side: whoever puts them together answers for their not contradicting each other.
    package var reads: [StreamID: Int64]
    /// Payments that must not be known yet.
    package var newPayments: [PaymentID]
    /// Products that must never have been sold.
    package var unsoldProducts: Set<ProductID>
    package var entries: [Entry]
    /// Large texts the entries refer to, by their digest; kept once.
    package var attachments: [String: Data]

    package init(
        reads: [StreamID: Int64], newPayments: [PaymentID] = [],
        unsoldProducts: Set<ProductID> = [], entries: [Entry],
        attachments: [String: Data] = [:]
    ) {
        self.reads = reads
        self.newPayments = newPayments
        self.unsoldProducts = unsoldProducts
        self.entries = entries
        self.attachments = attachments
    }
}

/// What became of one decision of an append.
package enum AppendResult: Sendable {
    case recorded([RecordedEntry])
    /// Something it read has changed; nothing was recorded. Read again, decide again.
    case conflict
}

extension [Decision] {
    /// Throws `contradictoryEntry` for the first entry that contradicts itself: every ledger asks
    /// this before it records anything.
    package func checkEntries() throws(StoreError) {
        for decision in self {
            for entry in decision.entries {
                guard let contradiction = entry.contradiction else { continue }
                throw StoreError(.contradictoryEntry, subject: "entry", found: contradiction)
            }
        }
    }
}
