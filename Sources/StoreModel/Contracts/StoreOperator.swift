/// The operator's side of the store: everything that decides about a customer from outside. A
/// customer session cannot reach it.
package protocol StoreOperator: Sendable {
    /// Approval requests that wait for an answer, oldest first.
    func pendingRequests() async throws(StoreError) -> [ApprovalRequest]

    /// Approves a request: it becomes the sale with the request's number. Approving an approved one
    /// answers with the same sale. Throws `requestNotPending` for one that was declined or never
    /// was.
    func approve(_ request: TransactionID) async throws(StoreError) -> ApprovalOutcome

    /// Declines a request; nothing is charged. Throws `requestNotPending` for one that was answered
    /// already or never was.
    func decline(_ request: TransactionID) async throws(StoreError)

    func settings(of account: AccountName) async throws(StoreError) -> AccountSettings

    /// Changes what is given, leaves what is nil.
    func changeAccount(
        _ account: AccountName, askToBuy: Bool?, canMakePayments: Bool?, territory: String?
    ) async throws(StoreError) -> AccountSettings

    /// The next `count` calls fail with `error`. Several faults are spent in the order they were set.
    func failNext(_ call: Fault.Call, error: StoreError.Code, count: Int) async throws(StoreError)
        -> Fault

    func faults() async throws(StoreError) -> [Fault]

    func clearFaults() async throws(StoreError)

    /// What was taken in, by currency, in milliunits.
    func takings() async throws(StoreError) -> [Takings]

    /// The place in the feed where nothing has been missed yet.
    func head() async throws(StoreError) -> FeedCursor

    /// Everything that happens in the store, all accounts, after a cursor.
    func events(after cursor: FeedCursor) -> StoreEventStream
}

/// A payment that waits for somebody's word.
package struct ApprovalRequest: Codable, Hashable, Sendable {
    package var number: TransactionID
    package var account: AccountName
    package var device: DeviceName
    package var payment: Payment
    package var askedAt: Timestamp

    package init(
        number: TransactionID, account: AccountName, device: DeviceName, payment: Payment,
        askedAt: Timestamp
    ) {
        self.number = number
        self.account = account
        self.device = device
        self.payment = payment
        self.askedAt = askedAt
    }
}

/// What came of an approval.
package enum ApprovalOutcome: Codable, Hashable, Sendable {
    case sold(TransactionID, SignedTransaction)
    /// Approved, but by now there was nothing to sell: owned meanwhile, or gone from the catalog.
    case failed(StoreError)
}

/// The sum of sales in one currency.
package struct Takings: Codable, Hashable, Sendable {
    package var currency: String
    package var soldMilliunits: Int64
    package var sales: Int64

    package init(currency: String, soldMilliunits: Int64, sales: Int64) {
        self.currency = currency
        self.soldMilliunits = soldMilliunits
        self.sales = sales
    }
}
