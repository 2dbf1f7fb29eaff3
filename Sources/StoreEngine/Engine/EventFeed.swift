import StoreModel

/// Reads the ledger after a cursor and returns its entries as events, for one account or for all.
/// Each reader pulls at its own pace: nothing is buffered for it, it misses no event, and it does
/// not delay other readers.
struct EventFeed: Sendable {
    let engine: StoreEngine
    /// The device for which transactions are signed; nil for the operator.
    let device: DeviceName?

    private var ledger: any Ledger { engine.ledger }
    private var payloads: Payloads { engine.payloads }

    /// The events after a cursor, in order and at least once, until the reader is cancelled or an
    /// error is thrown (`Store.updates`). A device's feed can be disturbed on purpose
    /// (`DisturbedFeed`).
    func stream(after start: FeedCursor, account: AccountName?) -> StoreEventStream {
        StoreEventStream { [self] in
            var cursor = start
            let wakes = ledger.changes()
            let timer = DueTimer(engine, account: account)
            let disturbed = device.map { DisturbedFeed(engine, of: $0) }
            var mayHaveMore = false
            return {
                if let again = disturbed?.takeRepeated() { return again }
                while true {
                    if !mayHaveMore {
                        guard await (disturbed?.wakes ?? wakes).nextWake() else { return nil }
                    }
                    // Keeps the timer, which records due items, alive as long as this reader.
                    _ = timer
                    var page = try await ledger.entries(
                        after: cursor, account: account, limit: StoreLimits.feedPageMax)
                    mayHaveMore = page.entries.count == StoreLimits.feedPageMax
                    guard page.cursor != cursor else { continue }
                    // A reader that gets this event must already see the new time.
                    if page.entries.contains(where: \.setsClock) {
                        try await engine.committer.refreshClock()
                    }
                    // The cursor moves only when the batch is made, so that a page that could not
                    // be read is read again. A batch without events is returned too, so that the
                    // reader learns the new cursor.
                    guard let feed = disturbed else {
                        let events = try await events(of: page.entries)
                        cursor = page.cursor
                        return StoreEventBatch(events: events, cursor: cursor)
                    }
                    let store = try await ledger.snapshot(LedgerQuery())
                    // A fault that was set or used up after the page was read belongs to a later one.
                    if !mayHaveMore, store.version(.store) > page.cursor.position {
                        mayHaveMore = true
                        continue
                    }
                    let end = page.cursor
                    let found = await feed.cut(&page, hasMore: mayHaveMore, under: store.faults)
                    mayHaveMore = !feed.isHolding && (mayHaveMore || page.cursor != end)
                    guard let step = found else { continue }
                    let events = try await events(of: page.entries, faults: store.faults)
                    let mark = try await ledger.mark(at: page.cursor)
                    cursor = page.cursor
                    return feed.batch(events, of: page, step, mark: mark)
                }
            }
        }
    }

    /// The events of entries, in order.
    ///
    /// - Parameter faults: those in force; one may break the signatures for a device.
    func events(
        of entries: [RecordedEntry], faults: [Fault] = []
    ) async throws(StoreError) -> [StoreEvent] {
        var events: [StoreEvent] = []
        let signatureError = device == nil ? nil : faults.verificationErrorInForce
        let revised = try await revisedTransactions(entries)
        for entry in entries {
            let row = entry.number.flatMap { revised[$0] }
            for event in entry.events(of: row, epoch: engine.epoch)
            where device == nil || !event.kind.isOfBackend {
                events.append(try await handedOut(event, entry, row, signatureError))
            }
        }
        return events
    }

    private func revisedTransactions(
        _ entries: [RecordedEntry]
    ) async throws(StoreError) -> [TransactionID: TransactionRow] {
        var query = LedgerQuery()
        for entry in entries {
            guard case .revised = entry.entry.fact, let id = entry.number,
                let account = entry.entry.account
            else { continue }
            query.transactions.insert(.init(account: account, id: id))
        }
        guard !query.transactions.isEmpty else { return [:] }
        return try await ledger.snapshot(query).transactions
    }

    /// An event with its transaction signed for this reader. A device gets the facts of the signed
    /// text only.
    ///
    /// - Parameters:
    ///   - row: the transaction that the entry revised; its state is that of a later entry, if
    ///     there is one.
    ///   - signatureError: how all signatures for this reader fail now; nil if they are valid.
    private func handedOut(
        _ event: StoreEvent, _ recorded: RecordedEntry, _ row: TransactionRow?,
        _ signatureError: VerificationError?
    ) async throws(StoreError) -> StoreEvent {
        var event = event
        // A history names the sale of every event; in a feed that would be a read more for each.
        event.namedSale = nil
        switch recorded.entry.fact {
        case .accountChanged(var settings):
            // A child's payments always wait for approval, whatever its own setting is.
            if try await engine.family(of: settings.name)?.isChild(settings.name) == true {
                settings.askToBuy = true
            }
            event.change = .accountChanged(settings)
        case .sold(let sale):
            guard let row = recorded.soldRow else { break }
            if device != nil { _ = try await engine.checkedShares(among: [row], of: row.account) }
            // The operator's own texts stay valid: a fault breaks only texts for devices.
            let ownError = device == nil ? nil : sale.brokenSignature?.verificationError
            event.issued = try payloads.issued(row, for: device, broken: ownError ?? signatureError)
        case .revised(let revision) where event.kind != .deleted:
            guard var row else {
                throw StoreError(
                    .storeUnreadable, transactionID: recorded.number, subject: "revision")
            }
            // The transaction as of this revision. Later revisions have their own events.
            row.state = revision.state
            event.issued = try payloads.issued(row, for: device, broken: signatureError)
        default: break
        }
        return device == nil ? event : event.ofDevice
    }
}

extension RecordedEntry {
    fileprivate var setsClock: Bool {
        if case .clockSet = entry.fact { true } else { false }
    }
}
