import StoreModel

/// Reads the ledger backwards and returns its entries as past events. It signs no texts.
struct HistoryReader: Sendable {
    let ledger: any Ledger

    func page(
        before cursor: FeedCursor?, filter: HistoryFilter, limit: Int
    ) async throws(StoreError) -> HistoryPage {
        let limit = min(max(limit, 1), StoreLimits.historyPageMax)
        let start: FeedCursor
        if let cursor { start = cursor } else { start = try await ledger.head() }
        // One entry more than the page has, to find out whether there is a next page.
        let found = try await ledger.entries(before: start, filter: filter, limit: limit + 1)
        let entries = found.entries.prefix(limit)
        let sales = try await sales(changedBy: entries)
        var events: [StoreEvent] = []
        for entry in entries {
            let sale = entry.number.flatMap { sales[$0] }
            events += entry.events(of: sale, epoch: start.epoch).reversed()
        }
        return HistoryPage(
            events: events,
            next: found.entries.dropFirst(limit).first.map {
                FeedCursor(epoch: start.epoch, position: $0.position)
            })
    }

    /// The newest events of several filters, as one page; see `StoreOperator.history`. Reads a page
    /// for each filter, so it suits the accounts of a family but not those of a whole store.
    ///
    /// - Parameters:
    ///   - filters: for different accounts, so that no event matches two of them.
    ///   - shown: changes an event before it is returned; nil leaves it out.
    func page(
        of filters: [HistoryFilter], before cursor: FeedCursor?, limit: Int,
        _ shown: (StoreEvent) -> StoreEvent? = { $0 }
    ) async throws(StoreError) -> HistoryPage {
        let limit = min(max(limit, 1), StoreLimits.historyPageMax)
        var events: [StoreEvent] = []
        // Each filter was read only down to the end of its page. Events older than the newest of
        // these ends belong to the next page.
        var next: FeedCursor?
        for filter in filters {
            let page = try await page(before: cursor, filter: filter, limit: limit)
            events += page.events.compactMap(shown)
            if let end = page.next, end.position > next?.position ?? 0 { next = end }
        }
        events.sort { ($0.cursor.position, $0.index) > ($1.cursor.position, $1.index) }
        var kept: [StoreEvent] = []
        var entries = 0
        for event in events {
            if let next, event.cursor.position <= next.position { break }
            if kept.last?.cursor.position != event.cursor.position { entries += 1 }
            if entries > limit {
                next = event.cursor
                break
            }
            kept.append(event)
        }
        return HistoryPage(events: kept, next: next)
    }

    /// Each with all devices that have joined it, found in the account's deferrals since its oldest
    /// waiting request.
    func requests(_ rows: [ApprovalRequest]) async throws(StoreError) -> [ApprovalRequest] {
        var requests = rows
        for (account, own) in Dictionary(grouping: rows.indices, by: { rows[$0].account }) {
            let filter = HistoryFilter(
                kinds: [.deferred], account: account,
                since: own.map { rows[$0].askedAt }.min())
            let found = try await ledger.entries(
                before: try await ledger.head(), filter: filter,
                limit: StoreLimits.historyPageMax)
            for entry in found.entries.reversed() {
                guard let device = entry.entry.device,
                    let index = own.first(where: { rows[$0].number == entry.number }),
                    !requests[index].devices.contains(device)
                else { continue }
                requests[index].otherDevices.append(device)
            }
        }
        return requests
    }

    /// Completes `requestNotPending` with the outcome of the request: `subject` is its account,
    /// `found` the time (milliseconds of the store's time), and `expected` is `sold` or the code of
    /// the failure. Unchanged if the history has no request with this number; a sale that never
    /// waited has none.
    ///
    /// - Parameter account: the account whose requests may be disclosed; nil for all.
    func explained(_ error: StoreError, of account: AccountName? = nil) async -> StoreError {
        guard let number = error.transactionID else { return error }
        let filter = HistoryFilter(
            kinds: [.failed, .sold, .planChange, .offerRedeemed], account: account)
        let explained = await newest(filter) { event -> StoreError? in
            let end: String
            if case .failed(_, let failure, let request) = event.change, request == number {
                end = failure.code.rawValue
            } else if case .sold(let sale) = event.change, sale.id == number {
                end = "sold"
            } else if case .subscriptionChanged(let change) = event.change,
                change.answers?.request == number
            {
                end = change.kind.rawValue
            } else {
                return nil
            }
            var explained = error
            explained.subject = event.account?.rawValue
            explained.found = event.at.figure
            explained.expected = end.figure
            return explained
        }
        guard let explained else { return error }
        if explained.expected == "sold", await !wasAsked(number, by: account) { return error }
        return explained
    }

    /// Whether the history has a payment that waited under this number.
    private func wasAsked(_ number: TransactionID, by account: AccountName?) async -> Bool {
        await newest(HistoryFilter(kinds: [.deferred], account: account)) { event in
            guard case .deferred(_, let request, _) = event.change, request == number else {
                return nil
            }
            return true
        } ?? false
    }

    /// Completes `refundNotRequested` with the earlier answer: `found` is the time (milliseconds of
    /// the store's time), and `expected` is `refundDeclined` or `refunded`. Unchanged if the
    /// history has no answer, or if the refund has changed since.
    func explainedRefund(_ error: StoreError) async -> StoreError {
        guard let id = error.transactionID else { return error }
        let filter = HistoryFilter(kinds: [.refundDeclined, .refunded, .refundReversed])
        let last = await newest(filter) { $0.transactionID == id ? $0 : nil }
        guard let last, last.kind != .refundReversed else { return error }
        var explained = error
        explained.found = last.at.figure
        explained.expected = last.kind.rawValue.figure
        return explained
    }

    /// Calls `read` with the account's events, newest first, and returns its first non-nil result.
    /// Nil if the newest `StoreLimits.explainingPagesMax` pages give none or cannot be read.
    private func newest<Found>(
        _ filter: HistoryFilter, _ read: (StoreEvent) -> Found?
    ) async -> Found? {
        var cursor: FeedCursor?
        for _ in 0..<StoreLimits.explainingPagesMax {
            guard
                let page = try? await page(
                    before: cursor, filter: filter, limit: StoreLimits.historyPageMax)
            else { return nil }
            for event in page.events {
                if let found = read(event) { return found }
            }
            guard let next = page.next else { return nil }
            cursor = next
        }
        return nil
    }

    /// The transactions that entries name but do not describe, in one read.
    private func sales(
        changedBy entries: some Sequence<RecordedEntry>
    ) async throws(StoreError) -> [TransactionID: TransactionRow] {
        var query = LedgerQuery()
        for recorded in entries where recorded.entry.fact.isOfSale {
            if let id = recorded.number { query.sales.insert(id) }
        }
        guard !query.sales.isEmpty else { return [:] }
        return try await ledger.snapshot(query).transactions
    }
}
