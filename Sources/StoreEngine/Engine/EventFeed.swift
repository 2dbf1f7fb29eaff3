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
    /// error is thrown (`Store.updates`).
    func stream(after start: FeedCursor, account: AccountName?) -> StoreEventStream {
        StoreEventStream { [self] in
            var cursor = start
            let wakes = ledger.changes()
            let timer = DueTimer(engine, account: account)
            var mayHaveMore = false
            return {
                while true {
                    if !mayHaveMore {
                        guard await wakes.nextWake() else { return nil }
                    }
                    // Keeps the timer, which records due items, alive as long as this reader.
                    _ = timer
                    let page = try await ledger.entries(
                        after: cursor, account: account, limit: StoreLimits.feedPageMax)
                    mayHaveMore = page.entries.count == StoreLimits.feedPageMax
                    guard page.cursor != cursor else { continue }
                    // A reader that gets this event must already see the new time.
                    if page.entries.contains(where: \.setsClock) {
                        try await engine.committer.refreshClock()
                    }
                    let events = try await events(of: page.entries, epoch: page.cursor.epoch)
                    let mark = device == nil ? nil : try await ledger.mark(at: page.cursor)
                    // The cursor moves only now, so that a page that could not be read is read
                    // again.
                    cursor = page.cursor
                    // A batch without events is returned too, so that the reader learns the new
                    // cursor.
                    return StoreEventBatch(events: events, cursor: cursor, mark: mark)
                }
            }
        }
    }

    /// The events of entries, in order.
    func events(
        of entries: [RecordedEntry], epoch: Int64 = StoreLimits.firstEpoch
    ) async throws(StoreError) -> [StoreEvent] {
        var events: [StoreEvent] = []
        let signatureError =
            device == nil
            ? nil
            : try await ledger.snapshot(LedgerQuery()).faults
                .verificationErrorInForce
        for entry in entries {
            for change in try await changes(entry, signatureError) {
                events.append(
                    StoreEvent(
                        cursor: FeedCursor(epoch: epoch, position: entry.position),
                        at: entry.recordedAt, account: entry.entry.account,
                        device: entry.entry.device, change: change))
            }
        }
        return events
    }

    /// The changes that an entry makes: one, or one for each fault that was cleared.
    ///
    /// - Parameter signatureError: how all signatures for this reader fail now; nil if they are
    ///   valid.
    private func changes(
        _ recorded: RecordedEntry, _ signatureError: VerificationError?
    ) async throws(StoreError) -> [StoreEvent.Change] {
        if case .faultsCleared(let faults) = recorded.entry.fact {
            return faults.map { .faultCleared($0) }
        }
        return try await change(recorded, signatureError).map { [$0] } ?? []
    }

    /// The change that an entry makes; nil if readers do not need the entry.
    private func change(
        _ recorded: RecordedEntry, _ signatureError: VerificationError?
    ) async throws(StoreError) -> StoreEvent.Change? {
        switch recorded.entry.fact {
        case .storeOpened, .faultsCleared, .extensionAsked: return nil
        case .catalogRevised(let revision):
            return .catalogRevised(revision: revision.number, release: revision.package)
        case .accountChanged(var settings):
            // A child's payments always wait for approval, whatever its own setting is.
            if try await engine.family(of: settings.name)?.isChild(settings.name) == true {
                settings.askToBuy = true
            }
            return .accountChanged(settings)
        case .familyChanged(let change): return .familyChanged(change)
        case .deferred(let payment, let reason):
            return recorded.number.map { .deferred(payment, request: $0, reason: reason) }
        case .refundRequested(let request): return .refundRequested(request)
        case .refundDeclined(let request): return .refundDeclined(request)
        case .promoted(let product): return .promoted(product)
        case .purchaseCancelled(let product): return .purchaseCancelled(product)
        case .failed(let payment, let error):
            return .failed(payment, error, request: recorded.number)
        case .sold(let sale):
            guard let id = recorded.number, let account = recorded.entry.account else {
                return nil
            }
            let row = TransactionRow(
                id: id, account: account, device: recorded.entry.device, sale: sale)
            if device != nil { _ = try await engine.checkedShares(among: [row], of: account) }
            // The operator's own texts stay valid: a fault breaks only texts for devices.
            let ownError = device == nil ? nil : sale.brokenSignature?.verificationError
            return .sold(
                try payloads.issued(row, for: device, broken: ownError ?? signatureError))
        case .revised(let revision): return try await revised(revision, recorded, signatureError)
        case .autoRenewChanged(let change):
            return .autoRenewChanged(
                chain: change.chain, productID: change.productID, isOn: change.isOn,
                commitmentEnds: change.commitmentEnds)
        case .subscriptionChanged(let change):
            return .subscriptionChanged(change.event(of: recorded.number))
        case .clockSet(let state): return .clockSet(state)
        case .renewalsSet(let settings): return .renewalsSet(settings)
        case .unknown(let kind, _): return .unknown(kind: kind)
        case .finished: return recorded.number.map { .finished($0) }
        case .claimed(let device): return recorded.number.map { .claimed($0, by: device) }
        case .faultSet(let fault): return .faultSet(fault)
        case .faultSpent(let fault):
            return fault.isInForce ? .faultSet(fault) : .faultCleared(fault)
        }
    }

    /// The transaction as of this revision. Later revisions have their own events.
    private func revised(
        _ revision: TransactionRevision, _ recorded: RecordedEntry,
        _ signatureError: VerificationError?
    ) async throws(StoreError) -> StoreEvent.Change? {
        guard let id = recorded.number, let account = recorded.entry.account else { return nil }
        let kind: RevisionKind
        switch revision.change {
        case .deleted:
            return .deleted(
                id, productID: revision.productID, revision: revision.state.revision)
        case .refunded: kind = .refunded
        case .revoked: kind = .revoked
        case .refundReversed: kind = .refundReversed
        case .expiryMoved: kind = .expiryMoved
        case .upgraded: kind = .upgraded
        }
        var query = LedgerQuery()
        query.transactions = [.init(account: account, id: id)]
        guard var row = try await ledger.snapshot(query).transactions[id] else {
            throw StoreError(.storeUnreadable, transactionID: id, subject: "revision")
        }
        row.state = revision.state
        return .revised(try payloads.issued(row, for: device, broken: signatureError), kind)
    }
}

extension RecordedEntry {
    fileprivate var setsClock: Bool {
        if case .clockSet = entry.fact { true } else { false }
    }
}
