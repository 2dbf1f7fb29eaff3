import StoreModel

/// The console's hands, served by the engine of this process.
struct OperatorSession: StoreOperator {
    let engine: StoreEngine

    func pendingRequests() async throws(StoreError) -> [ApprovalRequest] {
        try await engine.ledger.pending().map { row in
            ApprovalRequest(
                number: row.number, account: row.account, device: row.device,
                payment: row.payment, askedAt: row.askedAt)
        }
    }

    func approve(_ request: TransactionID) async throws(StoreError) -> ApprovalOutcome {
        let answer = try await engine.committer.submit(.approve(request))
        guard case .approval(let row) = answer else {
            throw StoreError(.requestNotPending, transactionID: request)
        }
        switch row.state {
        case .sold(let sold): return .sold(sold.id, try engine.payloads.signed(sold))
        case .failed(let error, _): return .failed(error)
        case .deferred: throw StoreError(.unknown, transactionID: request)
        }
    }

    func decline(_ request: TransactionID) async throws(StoreError) {
        _ = try await engine.committer.submit(.decline(request))
    }

    func settings(of account: AccountName) async throws(StoreError) -> AccountSettings {
        try await engine.settings(of: account)
    }

    func changeAccount(
        _ account: AccountName, askToBuy: Bool?, canMakePayments: Bool?, territory: String?
    ) async throws(StoreError) -> AccountSettings {
        let change = Request.AccountChange(
            account: account, homeTerritory: engine.homeTerritory, askToBuy: askToBuy,
            canMakePayments: canMakePayments, territory: territory)
        guard
            case .account(let settings) = try await engine.committer.submit(
                .changeAccount(change))
        else { throw StoreError(.unknown, subject: account.rawValue) }
        return settings
    }

    func failNext(_ call: Fault.Call, error: StoreError.Code, count: Int)
        async throws(StoreError) -> Fault
    {
        let answer = try await engine.committer.submit(
            .failNext(call, error: error, count: count))
        guard case .fault(let fault) = answer else { throw StoreError(.unknown) }
        return fault
    }

    func faults() async throws(StoreError) -> [Fault] {
        try await engine.ledger.snapshot(LedgerQuery()).faults
    }

    func clearFaults() async throws(StoreError) {
        _ = try await engine.committer.submit(.clearFaults)
    }

    func takings() async throws(StoreError) -> [Takings] { try await engine.ledger.takings() }

    func head() async throws(StoreError) -> FeedCursor { try await engine.ledger.head() }

    func events(after cursor: FeedCursor) -> StoreEventStream {
        engine.feed(after: cursor, account: nil)
    }
}
