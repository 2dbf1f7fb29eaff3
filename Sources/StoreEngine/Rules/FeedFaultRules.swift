import StoreModel

/// What a device's feed hands out of the entries after its reader's cursor.
struct FeedStep: Hashable {
    /// How many of the entries.
    var count: Int
    /// The fault that disturbs them; nil for none.
    var disorder: Fault?
    /// Whether another reader of the device has counted that fault down for them.
    var isCounted = false
    /// The fault that holds back the next entry; nil if none does.
    var holding: Fault?
    /// When the next entry may come, if only time has to pass.
    var until: Timestamp?
}

/// Decides how a fault of `Fault.Call.updates` disturbs a device's feed.
enum FeedFaultRules {
    /// - Parameters:
    ///   - entries: what was recorded after the reader's cursor.
    ///   - hasMore: whether these are not all. Then none waits for a next update.
    ///   - unanswered: the payments of this process whose `purchase` has not answered.
    static func step(
        of entries: [RecordedEntry], hasMore: Bool, under faults: [Fault], at now: Timestamp,
        on device: DeviceName, unanswered: Set<PaymentID>
    ) -> FeedStep {
        if let end = entries.firstIndex(where: { $0.disorder(on: device) != nil }),
            entries[..<end].contains(where: \.isUpdate)
        {
            return FeedStep(
                count: end + 1, disorder: entries[end].disorder(on: device), isCounted: true)
        }
        guard let fault = faults.first(where: { $0.call == .updates }) else {
            return FeedStep(count: entries.count)
        }
        var updates = entries.indices.filter { entries[$0].isUpdate }
        var step = FeedStep(count: entries.count)
        var held: Int?
        switch fault.error {
        case .deliveredLate:
            if let delay = fault.delayMilliseconds {
                let start = now.advanced(byMilliseconds: -delay)
                held = updates.first { start < entries[$0].recordedAt }
                step.until = held.map { entries[$0].recordedAt.advanced(byMilliseconds: delay) }
            } else if updates.count == 1, !hasMore {
                held = updates[0]
            }
        case .deliveredOutOfOrder:
            updates = movable(entries)
            if updates.count == 1 { (held, updates) = (hasMore ? nil : updates[0], []) }
        case .deliveredAfterAnswer:
            updates.removeAll { entries[$0].payment(on: device) == nil }
            held = updates.first { index in
                entries[index].payment(on: device).map { unanswered.contains($0) } ?? false
            }
        default: break
        }
        if let held { (step.count, step.holding) = (held, fault) }
        if updates.contains(where: { $0 < step.count }) { step.disorder = fault }
        return step
    }

    /// The indices of the updates that may change places: all but those of a transaction that
    /// another entry names, too.
    static func movable(_ entries: [RecordedEntry]) -> [Int] {
        let named = Set(entries.lazy.filter { !$0.isUpdate }.compactMap(\.number))
        return entries.indices.filter { index in
            entries[index].isUpdate && entries[index].number.map { !named.contains($0) } ?? true
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

    /// Of a sale to this device; nil for any other entry.
    fileprivate func payment(on device: DeviceName) -> PaymentID? {
        guard case .sold(let sale) = entry.fact, entry.device == device else { return nil }
        return sale.payment?.id
    }

    /// The fault that a feed of this device counted down with this entry.
    fileprivate func disorder(on device: DeviceName) -> Fault? {
        guard case .faultSpent(let fault) = entry.fact, fault.call == .updates else { return nil }
        return entry.device == device ? fault : nil
    }
}
