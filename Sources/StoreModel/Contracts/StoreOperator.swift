import Basics

/// The operator's side of the store: the changes to a customer's account that no customer session
/// can make. Every call may throw the errors named at `Store`.
package protocol StoreOperator: Sendable {
    /// Payments that wait for an answer, oldest first.
    func pendingRequests() async throws(StoreError) -> [ApprovalRequest]

    /// Refund requests of customers that are not answered yet, oldest first.
    func refundRequests() async throws(StoreError) -> [RefundRequest]

    /// Carries out an action and returns the events it caused, in order; none if the store was
    /// already in that state. The change is durable when this returns. Throws the error with which
    /// the action is refused (`OperatorAction` names it at each case).
    func perform(_ action: OperatorAction) async throws(StoreError) -> [StoreEvent]

    /// The error that `perform` would throw now, by the same rules and without recording anything;
    /// nil if it would not refuse the action.
    func refusal(of action: OperatorAction) async throws(StoreError) -> StoreError?

    /// The releases of hosted packages that were put into the store, in every state, oldest first;
    /// none in a family organizer's session.
    func packageReleases() async throws(StoreError) -> [PackageRelease]

    /// All families, in order of their organizers; in a family organizer's session only its own.
    func families() async throws(StoreError) -> [Family]

    /// The tokens, user names and devices that more accounts use than is usual, in order of kind
    /// and subject; read by index.
    func notices() async throws(StoreError) -> [AccountNotice]

    /// The family of an account; nil if it is in none.
    func family(of account: AccountName) async throws(StoreError) -> Family?

    /// An account's current settings; the defaults if the store has none for it.
    func settings(of account: AccountName) async throws(StoreError) -> AccountSettings

    /// The faults in force, in the order they are used up.
    func faults() async throws(StoreError) -> [Fault]

    /// The store's time, how subscriptions renew, and the next due item.
    func clock() async throws(StoreError) -> ClockReading

    /// Sales totals, one for each currency, including the renewals that are due.
    func takings() async throws(StoreError) -> [SalesTotals]

    /// One page of everything that happened in the store, newest first. Read by index: the cost
    /// grows with the page, not with the history. Events recorded meanwhile never change a later
    /// page.
    ///
    /// - Parameters:
    ///   - before: `next` of the preceding page; nil for the newest page.
    ///   - limit: entries of the ledger, cut to 1 to 1,000. An entry of several events counts once.
    /// - Throws: `storeReplaced` for a cursor of another epoch.
    func history(before: FeedCursor?, filter: HistoryFilter, limit: Int) async throws(StoreError)
        -> HistoryPage

    /// A transaction of any account in its present state, signed without naming a device. Throws
    /// `transactionNotFound` if no transaction has this number, or it was deleted.
    func transaction(_ id: TransactionID) async throws(StoreError) -> SignedTransaction

    /// The next steps that the store takes by itself, such as renewals, in order of time, at most
    /// `limit` of them (cut to 1 to 1,000).
    func upcoming(limit: Int) async throws(StoreError) -> [UpcomingItem]

    /// The cursor of the newest entry: a feed after it begins with the next entry that is recorded.
    func head() async throws(StoreError) -> FeedCursor

    /// The events of all accounts after a cursor; a stream as in `Store.updates`.
    func events(after cursor: FeedCursor) -> StoreEventStream
}

/// A payment that waits for the organizer's, the bank's or the customer's answer (StoreKit:
/// `pending`).
package struct ApprovalRequest: Codable, Hashable, Sendable {
    /// The request's number. Approval makes it the transaction number. Requests of all reasons are
    /// numbered together.
    package var number: TransactionID
    package var account: AccountName
    package var device: DeviceName
    package var payment: Payment
    /// Why the request waits; decides whether the organizer, the bank or the customer answers it.
    package var reason: RequestReason
    /// In store time.
    package var askedAt: Timestamp
    /// The account's other devices that sent the same request before the answer, in order; their
    /// payments get the same answer.
    package var otherDevices: [DeviceName] = []
    /// In answers to a person; nil in the store's records, and if it cannot be sold any more.
    package var charge: Charge?

    /// What an answer that accepts the request charges, as of now: the price with the offer that
    /// applies, which the payment may not name.
    package struct Charge: Codable, Hashable, Sendable {
        /// For the whole quantity; 0 for a free trial, and for a change of plan that begins later.
        package var price: Money
        /// The offer with which the subscription begins, or the change of plan.
        package var offer: Offer?
        /// Of each period of a subscription after the offer.
        package var renewalPrice: Money?
        package var renewalPeriod: SubscriptionPeriod?
        /// When a change of plan begins for which nothing is charged now; nil for a sale.
        package var startsAt: Timestamp?

        package init(price: Money) { self.price = price }
    }

    /// The first one first.
    package var devices: [DeviceName] { [device] + otherDevices }

    package init(
        number: TransactionID, account: AccountName, device: DeviceName, payment: Payment,
        reason: RequestReason = .askToBuy, askedAt: Timestamp
    ) {
        self.number = number
        self.reason = reason
        self.account = account
        self.device = device
        self.payment = payment
        self.askedAt = askedAt
    }
}

/// The sums of one currency. Deleted transactions count nowhere.
package struct SalesTotals: Codable, Hashable, Sendable {
    /// ISO 4217.
    package var currency: String
    /// Charged for all sales, in milliunits.
    package var soldMilliunits: Int64
    /// Renewals included.
    package var sales: Int64
    /// Returned by refunds, in milliunits; not subtracted from `soldMilliunits`.
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

    /// Adds amounts of the same currency; negative ones are subtracted.
    package mutating func add(_ change: SalesTotals) {
        soldMilliunits = soldMilliunits.addingClamped(change.soldMilliunits)
        sales += change.sales
        refundedMilliunits = refundedMilliunits.addingClamped(change.refundedMilliunits)
    }
}
