package import Foundation
package import StoreModel

/// Entries to be recorded together or not at all, with the state they were decided from.
package struct Decision: Sendable {
    /// The streams it read, with the versions it saw. If one has another version when the append
    /// begins, the decision is a conflict and nothing of it is recorded. The decisions of one
    /// append are not checked against each other: the caller must not combine contradicting ones.
    package var reads: [StreamID: Int64]
    /// Payments the ledger must not know yet; one that it knows is a conflict.
    package var newPayments: [PaymentID]
    /// Products that must never have been sold; one that was is a conflict.
    package var unsoldProducts: Set<ProductID>
    /// Signatures of offers, by nonce, that no payment may have used; one that was is a conflict.
    package var unusedSignatures: [UUID] = []
    /// How often codes were redeemed; another number is a conflict.
    package var codeCounts: [String: Int] = [:]
    /// The entries, in the order they are recorded.
    package var entries: [Entry]
    /// Large texts that the entries refer to, by digest; each is kept once.
    package var attachments: [String: Data]

    /// Memberwise.
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

extension TransactionID {
    /// Stands for the number that an earlier entry of the same decision gets, by its index there. The ledger puts
    /// that number in its place (`Entry.naming`); it is never recorded.
    package static func ofEntry(_ index: Int) -> Self { TransactionID(-1 - Int64(index)) }
}

extension Entry {
    /// The entry with real numbers in place of those of `TransactionID.ofEntry(_:)`. Every ledger
    /// records this instead.
    ///
    /// - Parameter numbers: of the entries of the decision that were recorded before it.
    package func naming(_ numbers: [TransactionID?]) -> Entry {
        guard case .sold(var sale) = fact, case .familyShare(let shared) = sale.cause else {
            return self
        }
        if let number = Self.number(shared, numbers) { sale.cause = .familyShare(of: number) }
        if let first = sale.original, let number = Self.number(first.id, numbers) {
            sale.original = Sale.Original(id: number, purchaseDate: first.purchaseDate)
        }
        var named = self
        named.fact = .sold(sale)
        return named
    }

    /// The number that a placeholder stands for; nil for one that is a number itself.
    private static func number(
        _ id: TransactionID, _ numbers: [TransactionID?]
    ) -> TransactionID? {
        guard id.number < 0 else { return nil }
        let index = Int(-1 - id.number)
        return numbers.indices.contains(index) ? numbers[index] : nil
    }
}

/// The result of one decision of an append.
package enum AppendResult: Sendable {
    /// Its entries, with positions and numbers, in order.
    case recorded([RecordedEntry])
    /// A stream it read has changed, or a payment or product is known by now. Nothing was recorded:
    /// read again and decide again.
    case conflict
}

extension [Decision] {
    /// Throws `contradictoryEntry` for the first entry that contradicts itself. Every ledger calls
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
