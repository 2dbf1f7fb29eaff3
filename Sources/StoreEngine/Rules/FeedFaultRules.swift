import StoreModel

/// What a device's feed hands out of the entries after its reader's cursor.
struct FeedStep: Hashable {
    /// How many of the entries; the next one is held back, if there is one.
    var count: Int
    /// When the held entry may come, if only time has to pass.
    var until: Timestamp?
    /// Whether what is handed out uses up the fault once, and comes as the fault says.
    var usesFault = false
}

/// Decides how a fault of `Fault.Call.updates` disturbs a device's feed.
enum FeedFaultRules {
    /// - Parameters:
    ///   - entries: what was recorded after the reader's cursor.
    ///   - hasMore: whether these are not all. Then nothing waits for a next update, which may lie
    ///     beyond them.
    ///   - unanswered: the payments that this process has sent, and whose calls have not returned.
    static func step(
        of entries: [RecordedEntry], hasMore: Bool, under fault: Fault, at now: Timestamp,
        on device: DeviceName, unanswered: Set<PaymentID>
    ) -> FeedStep {
        var step = FeedStep(count: entries.count)
        switch fault.error {
        case .deliveredTwice: step.usesFault = entries.contains(where: \.isUpdate)
        case .deliveredLate:
            guard let delay = fault.delayMilliseconds else {
                let updates = entries.indices.filter { entries[$0].isUpdate }
                return together(updates, of: entries.count, hasMore: hasMore)
            }
            let held = entries.firstIndex {
                $0.isUpdate && now < $0.recordedAt.advanced(byMilliseconds: delay)
            }
            if let held {
                step.count = held
                step.until = entries[held].recordedAt.advanced(byMilliseconds: delay)
            }
            step.usesFault = entries.prefix(step.count).contains(where: \.isUpdate)
        case .deliveredOutOfOrder:
            return together(movable(entries), of: entries.count, hasMore: hasMore)
        case .deliveredAfterAnswer:
            step.count =
                entries.firstIndex { $0.soldPayment.map { unanswered.contains($0) } ?? false }
                ?? entries.count
            step.usesFault = entries.prefix(step.count).contains {
                $0.soldPayment != nil && $0.entry.device == device
            }
        default: break
        }
        return step
    }

    /// An update alone is held back until another one comes with it.
    private static func together(_ updates: [Int], of count: Int, hasMore: Bool) -> FeedStep {
        if updates.count == 1, !hasMore { return FeedStep(count: updates[0]) }
        return FeedStep(count: count, usesFault: updates.count > 1)
    }

    /// The indices of the updates that may change places: all but those of a transaction that
    /// another entry names, too.
    static func movable(_ entries: [RecordedEntry]) -> [Int] {
        let named = Set(entries.lazy.filter { !$0.isUpdate }.compactMap(\.number))
        return entries.indices.filter {
            entries[$0].isUpdate && entries[$0].number.map { !named.contains($0) } ?? true
        }
    }
}

extension RecordedEntry {
    /// Whether its event brings a device a transaction (StoreKit: `Transaction.updates`).
    var isUpdate: Bool {
        switch entry.fact {
        case .sold: true
        case .revised: kindAndProduct?.kind != .deleted
        default: false
        }
    }

    /// Nil for any entry but the sale of a payment.
    fileprivate var soldPayment: PaymentID? {
        if case .sold(let sale) = entry.fact { sale.payment?.id } else { nil }
    }
}
