import StoreModel

/// Reads the ledger after a cursor and tells it as events, for one account or for all. Each reader
/// pulls at its own pace: nothing is buffered for it, nothing is lost, nobody waits for it.
struct EventFeed: Sendable {
    let ledger: any Ledger
    let payloads: Payloads

    func stream(after start: FeedCursor, account: AccountName?) -> StoreEventStream {
        StoreEventStream { [self] in
            var cursor = start
            let wakes = ledger.changes()
            var mayHaveMore = false
            return {
                while true {
                    if !mayHaveMore {
                        guard await wakes.nextWake() else { return nil }
                    }
                    let page = try await ledger.entries(
                        after: cursor, account: account, limit: StoreLimits.feedPageMax)
                    mayHaveMore = page.entries.count == StoreLimits.feedPageMax
                    guard page.cursor != cursor else { continue }
                    cursor = page.cursor
                    guard !page.entries.isEmpty else { continue }
                    return StoreEventBatch(events: try events(of: page), cursor: cursor)
                }
            }
        }
    }

    private func events(of page: EntryPage) throws(StoreError) -> [StoreEvent] {
        var events: [StoreEvent] = []
        for entry in page.entries {
            for change in try changes(entry) {
                events.append(
                    StoreEvent(
                        cursor: FeedCursor(epoch: page.cursor.epoch, position: entry.position),
                        at: entry.recordedAt, account: entry.entry.account,
                        device: entry.entry.device, change: change))
            }
        }
        return events
    }

    /// What an entry tells; one that clears several faults tells of each.
    private func changes(_ recorded: RecordedEntry) throws(StoreError) -> [StoreEvent.Change] {
        if case .faultsCleared(let faults) = recorded.entry.fact {
            return faults.map { .faultCleared($0) }
        }
        return try change(recorded).map { [$0] } ?? []
    }

    /// Nil for what concerns nobody outside the store.
    private func change(_ recorded: RecordedEntry) throws(StoreError) -> StoreEvent.Change? {
        switch recorded.entry.fact {
        case .storeOpened, .faultsCleared: return nil
        case .catalogRevised(let revision): return .catalogRevised(revision: revision.number)
        case .accountChanged(let settings): return .accountChanged(settings)
        case .deferred(let payment):
            return recorded.number.map { .deferred(payment, request: $0) }
        case .failed(let payment, let error):
            return .failed(payment, error, request: recorded.number)
        case .sold(let sale):
            guard let id = recorded.number, let account = recorded.entry.account,
                let device = recorded.entry.device
            else { return nil }
            let row = TransactionRow(id: id, account: account, device: device, sale: sale)
            return .sold(
                try payloads.signed(row), id: id, payment: sale.payment.id, grant: sale.grant)
        case .finished: return recorded.number.map { .finished($0) }
        case .claimed(let device): return recorded.number.map { .claimed($0, by: device) }
        case .faultSet(let fault): return .faultSet(fault)
        case .faultSpent(let fault):
            return fault.remaining > 0 ? .faultSet(fault) : .faultCleared(fault)
        }
    }
}
