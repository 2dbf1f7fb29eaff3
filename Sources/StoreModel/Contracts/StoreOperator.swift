/// The operator's side of the store: everything that decides about a customer from outside. A
/// customer session cannot reach it.
package protocol StoreOperator: Sendable {
    /// Approval requests that wait for an answer, oldest first.
    func pendingRequests() async throws(StoreError) -> [ApprovalRequest]

    /// Carries an action out and answers with the events it caused, in order; none when all of it
    /// was so already. What it caused is durable when this returns. Throws why it is refused.
    func perform(_ action: OperatorAction) async throws(StoreError) -> [StoreEvent]

    /// Why `perform` would refuse the action now; nil where it would not. The same rule, run
    /// without recording anything.
    func refusal(of action: OperatorAction) async throws(StoreError) -> StoreError?

    func settings(of account: AccountName) async throws(StoreError) -> AccountSettings

    func faults() async throws(StoreError) -> [Fault]

    /// What time it is in the store, and what happens next by itself.
    func clock() async throws(StoreError) -> ClockReading

    /// What was taken in, by currency, in milliunits.
    func takings() async throws(StoreError) -> [SalesTotals]

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

/// The sums of one currency, in milliunits.
package struct SalesTotals: Codable, Hashable, Sendable {
    package var currency: String
    package var soldMilliunits: Int64
    package var sales: Int64
    /// Given back by refunds; not subtracted from what was sold.
    package var refundedMilliunits: Int64

    package init(
        currency: String, soldMilliunits: Int64 = 0, sales: Int64 = 0,
        refundedMilliunits: Int64 = 0
    ) {
        self.currency = currency
        self.soldMilliunits = soldMilliunits
        self.sales = sales
        self.refundedMilliunits = refundedMilliunits
    }
}
