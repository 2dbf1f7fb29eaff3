import StoreModel

/// `StoreOperator`, served by the engine of this process.
struct OperatorSession: StoreOperator {
    let engine: StoreEngine

    func perform(_ action: OperatorAction) async throws(StoreError) -> [StoreEvent] {
        var recorded = try await engine.committer.submit(request(action))
        // Moving the clock includes recording everything that is due by the new time.
        if case .clock = action { recorded += try await engine.committer.recordDue(nil) }
        return try await engine.eventFeed(for: nil).events(of: recorded)
    }

    func refusal(of action: OperatorAction) async throws(StoreError) -> StoreError? {
        try await engine.committer.refusal(of: request(action))
    }

    private func request(_ action: OperatorAction) -> OperatorRequest {
        OperatorRequest(action, homeTerritory: engine.homeTerritory)
    }

    func pendingRequests() async throws(StoreError) -> [ApprovalRequest] {
        try await engine.ledger.pending().map { row in
            ApprovalRequest(
                number: row.number, account: row.account, device: row.device,
                payment: row.payment, askedAt: row.askedAt)
        }
    }

    func settings(of account: AccountName) async throws(StoreError) -> AccountSettings {
        try await engine.settings(of: account)
    }

    func faults() async throws(StoreError) -> [Fault] {
        try await engine.ledger.snapshot(LedgerQuery()).faults
    }

    func clock() async throws(StoreError) -> ClockReading {
        var query = LedgerQuery()
        query.nextDue = true
        let found = try await engine.ledger.snapshot(query)
        engine.clock.update(from: found)
        return ClockReading(
            now: engine.clock.now(), state: engine.clock.state,
            renewals: found.renewals ?? .standard,
            systemBehindMilliseconds: engine.clock.millisecondsAhead,
            next: try await next(found.nextDue))
    }

    /// The next due item with the product of its subscription; nil where there is none.
    private func next(_ item: DueItem?) async throws(StoreError) -> ClockReading.Next? {
        guard let item else { return nil }
        var query = LedgerQuery()
        query.sales = [item.chain]
        query.subscriptions = [.init(account: item.account, id: item.chain)]
        let found = try await engine.ledger.snapshot(query)
        guard let latest = found.subscriptions[item.chain]?.latest else { return nil }
        query.sales = [latest]
        guard let row = try await engine.ledger.snapshot(query).transactions[latest] else {
            return nil
        }
        return ClockReading.Next(
            at: item.at, account: item.account, productID: row.sale.productID)
    }

    func takings() async throws(StoreError) -> [SalesTotals] { try await engine.ledger.takings() }

    func head() async throws(StoreError) -> FeedCursor { try await engine.ledger.head() }

    func events(after cursor: FeedCursor) -> StoreEventStream {
        engine.eventFeed(for: nil).stream(after: cursor, account: nil)
    }
}
