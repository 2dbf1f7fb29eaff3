package import Foundation
package import StoreModel

/// Entries to record all together or not at all, with the state from which they were decided.
package struct Decision: Sendable {
    /// The streams that the decision read, with the versions it saw. If a stream has another
    /// version when the append begins, the decision is a conflict and none of it is recorded. The
    /// decisions of one append are not checked against each other: the caller must not combine
    /// contradicting ones.
    package var reads: [StreamID: Int64]
    /// Payments that the ledger must not know yet. A known one is a conflict.
    package var newPayments: [PaymentID]
    /// Products that must never have been sold. A sold one is a conflict.
    package var unsoldProducts: Set<ProductID>
    /// Signatures of offers, by nonce, that no payment may have used. A used one is a conflict.
    package var unusedSignatures: [UUID] = []
    /// How often each code was redeemed. Another number is a conflict.
    package var codeCounts: [String: Int] = [:]
    /// In the order in which they are recorded.
    package var entries: [Entry]
    /// Large texts that the entries refer to, by digest. The ledger keeps each once.
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

extension TransactionID {
    /// A placeholder for the number that an earlier entry of the same decision gets, by that
    /// entry's index. The ledger replaces it (`Entry.naming`); it is never recorded.
    package static func ofEntry(_ index: Int) -> Self { TransactionID(-1 - Int64(index)) }
}

extension Entry {
    /// The entry with real numbers in place of the placeholders of `TransactionID.ofEntry(_:)`,
    /// which every ledger records instead of the original; nil if it has no placeholder.
    ///
    /// - Parameter numbers: the numbers of the decision's earlier entries, by index.
    package func naming(_ numbers: [TransactionID?]) -> Entry? {
        guard case .sold(var sale) = fact, case .familyShare(let shared) = sale.cause else {
            return nil
        }
        if let number = Self.number(shared, numbers) { sale.cause = .familyShare(of: number) }
        if let first = sale.original, let number = Self.number(first.id, numbers) {
            sale.original = Sale.Original(id: number, purchaseDate: first.purchaseDate)
        }
        var named = self
        named.fact = .sold(sale)
        return named
    }

    /// The number that a placeholder stands for; nil if the number is no placeholder.
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
    /// With positions and numbers, in order.
    case recorded([RecordedEntry])
    /// A stream has changed, or a condition on payments, products, signatures or codes does not
    /// hold. Nothing was recorded: read again and decide again.
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
