package import Foundation

/// The customer's side of the store: one account on one device, without the operator's actions.
/// Served in-process today; the contract also fits a remote store.
///
/// Every call may throw `storeBusy`, `storeFull`, `storeReadOnly`, `storeUnreadable` or
/// `storeReplaced`, and then has changed nothing. An acknowledged change survives a kill at any
/// instant. A call that changes something may also throw `outcomeUnknown`: the change may have been
/// recorded.
package protocol Store: ContentSource {
    /// The app and environment this store belongs to.
    var identity: AppIdentity { get }
    /// The account that buys.
    var account: AccountName { get }
    /// The device the transactions are signed for.
    var device: DeviceName { get }

    /// The root certificate of this store's signatures, DER (X.509). A device pins it when it is
    /// registered.
    var rootCertificate: Data { get }

    /// The account's current settings; the defaults if the store has none for it.
    func settings() async throws(StoreError) -> AccountSettings

    /// The products for sale to this account (StoreKit: `Product.products(for:)`), and the products
    /// that it owns or has not finished. Nil asks for the products that the app lists; identifiers
    /// that are not for sale are returned as invalid. Throws `notAvailableInStorefront` if the
    /// account's territory is none of the App Store's.
    func products(_ identifiers: [ProductID]?) async throws(StoreError) -> ProductsResponse

    /// Decides a payment. Idempotent by payment id: the same payment again returns its current
    /// outcome; the same id with other contents fails with `paymentMismatch`, which names the
    /// field. `purchased` and `pending` are durable when this returns.
    func purchase(_ payment: Payment) async throws(StoreError) -> PurchaseOutcome

    /// The current outcome of a payment; nil if the store has no record of it. Decides and records
    /// nothing. The same id with other contents fails as in `purchase`.
    func outcome(of payment: Payment) async throws(StoreError) -> PurchaseOutcome?

    /// The account's payments that wait for an answer, oldest first.
    func requests() async throws(StoreError) -> [ApprovalRequest]

    /// Takes a waiting request back: its payment fails with `requestWithdrawn` and nothing is
    /// charged. Throws `requestNotPending` unless the request waits and belongs to the account.
    func withdraw(_ request: TransactionID) async throws(StoreError)

    /// Resolves the problem that interrupted a purchase: the purchase is sold now, or fails. Throws
    /// `requestNotPending` as `withdraw` does, and `notAnswerable` for a request that the customer
    /// cannot answer.
    func resolve(_ request: TransactionID) async throws(StoreError)

    /// Asks for a refund, which the operator grants or declines (StoreKit: `beginRefundRequest`).
    /// Throws `transactionNotFound`, and `duplicateRequest` if a refund was requested or given
    /// before.
    func requestRefund(of id: TransactionID, reason: RefundReason) async throws(StoreError)
        -> RefundRequest

    /// Records that the person cancelled before paying, so that the history shows abandoned
    /// purchases. Makes no transaction.
    func noteCancelledPurchase(of product: ProductID) async throws(StoreError)

    /// The account's small values, by key (Foundation: `NSUbiquitousKeyValueStore`).
    func values() async throws(StoreError) -> [String: String]

    /// Sets or removes one of the account's small values; a value that is the same already changes
    /// nothing. Throws as `AccountValue.check`.
    func setValue(_ change: AccountValue) async throws(StoreError)

    /// Whether this transaction was ever sold to the account; true also if it was finished, revoked
    /// or deleted since.
    func knows(_ id: TransactionID) async throws(StoreError) -> Bool

    /// Finishes a delivered transaction (StoreKit: `finish()`). Idempotent. Throws
    /// `transactionNotFound` if it is not this account's.
    func finish(_ id: TransactionID) async throws(StoreError) -> FinishOutcome

    /// Claims an unfinished consumable that another device of the account bought: this device is
    /// then to deliver it. Concurrent claims are recorded one after another and the last one wins;
    /// a device that lost the consumable gets `claimedElsewhere` from `finish`. Throws
    /// `transactionNotFound` if the account has no such unfinished transaction.
    func claim(_ id: TransactionID) async throws(StoreError) -> SignedTransaction

    /// Transactions of the account that are not finished, oldest first (StoreKit:
    /// `Transaction.unfinished`). A consumable is listed only for the device that is to deliver it,
    /// unless `allDevices`.
    func unfinished(allDevices: Bool) async throws(StoreError) -> [UnfinishedTransaction]

    /// One page of the past purchases that a restore brings back: newest first, without consumables
    /// and revoked purchases. `before` is the last id of the preceding page; `limit` is cut to 1 to
    /// 1,000. If a restore fails at a page, a new one from the beginning brings everything.
    func restorable(before: TransactionID?, limit: Int) async throws(StoreError) -> RestorePage

    /// One page of the account's transactions without deleted ones, newest first (StoreKit:
    /// `Transaction.all`). Paged as `restorable`.
    func history(before: TransactionID?, limit: Int) async throws(StoreError)
        -> [SignedTransaction]

    /// One page of everything that happened to the account, newest first. Read by index: the cost
    /// grows with the page, not with the history. The filter's account is ignored: all events are
    /// this account's. Events recorded meanwhile never change a later page. A customer's device
    /// gets the signed text of an event's transaction by `transaction`.
    ///
    /// - Parameters:
    ///   - before: `next` of the preceding page; nil for the newest page.
    ///   - limit: entries of the ledger, cut to 1 to 1,000. An entry of several events counts once.
    /// - Throws: `storeReplaced` for a cursor of another epoch.
    func events(before: FeedCursor?, filter: HistoryFilter, limit: Int) async throws(StoreError)
        -> HistoryPage

    /// A transaction of the account in its present state, signed for this device. Throws
    /// `transactionNotFound` if the account has none of this number, or it was deleted.
    func transaction(_ id: TransactionID) async throws(StoreError) -> SignedTransaction

    /// A new receipt of the account's purchases, signed for this device (StoreKit 1:
    /// `SKReceiptRefreshRequest`). Records nothing.
    func receipt(_ options: ReceiptOptions) async throws(StoreError) -> SignedReceipt

    /// The account's app transaction, signed for this device (StoreKit:
    /// `AppTransaction.refresh()`). Records nothing.
    func appTransaction() async throws(StoreError) -> SignedAppTransaction

    /// The store's list of revoked certificates as of now, signed with its good chain.
    func revokedCertificates() async throws(StoreError) -> SignedRevocationList

    /// The account's entitlements at the store's current time (StoreKit:
    /// `Transaction.currentEntitlements`).
    func entitlements() async throws(StoreError) -> [Entitlement]

    /// The account's family, and the purchases that its members share with it at the store's
    /// current time.
    func familyStatus() async throws(StoreError) -> FamilyStatus

    /// The account's subscriptions, one for each group in which it subscribes or has subscribed,
    /// oldest first; then those that family members share or have shared with it, revoked ones
    /// included (StoreKit: `Product.SubscriptionInfo.status`). Records due items first.
    func subscriptionStatuses() async throws(StoreError) -> [SubscriptionStatus]

    /// Opens the management of the account's subscriptions (StoreKit: `showManageSubscriptions`).
    /// Changes nothing; the call exists so that an operator's fault can make it fail
    /// (`Fault.Call`).
    func manageSubscriptions() async throws(StoreError)

    /// The offers of a product in the account's territory, in the catalog's order, each with the
    /// reason why the account cannot have it (StoreKit: `isEligibleForIntroOffer`,
    /// `eligibleWinBackOfferIDs`). Throws `productUnavailable`.
    func offers(of product: ProductID) async throws(StoreError) -> [OfferAnswer]

    /// The product and offer of an offer code. It redeems nothing: a payment with
    /// `CodeRedemption.asked` does (StoreKit: `presentOfferCodeRedeemSheet`). Throws
    /// `invalidOfferIdentifier` for a text that is no code, or whose offer is not sold in the
    /// account's territory.
    func redemption(of code: String) async throws(StoreError) -> CodeRedemption

    /// The time of the account's oldest due item, such as a renewal, that could not be recorded
    /// because the store is full or read-only: reading calls answer as of that time. Nil if nothing
    /// is overdue.
    func overdueSince() async throws(StoreError) -> Timestamp?

    /// The cursor of the newest entry: a feed after it begins with the next entry that is recorded.
    func head() async throws(StoreError) -> FeedCursor

    /// The mark of the entries up to a cursor; nil if the cursor lies after the newest entry, or is
    /// of another epoch.
    func mark(at cursor: FeedCursor) async throws(StoreError) -> FeedMark?

    /// The account's events after a cursor, in order, each at least once, without end; a fault of
    /// `Fault.Call.updates` can disturb that. Each call makes a new stream for one reader. A slow
    /// reader delays no other reader and misses no event.
    func updates(after cursor: FeedCursor) -> StoreEventStream
}

/// One page of the purchases that a restore brings back.
package struct RestorePage: Codable, Hashable, Sendable {
    /// Newest first.
    package var transactions: [IssuedTransaction]
    package var isLast: Bool

    package init(_ transactions: [IssuedTransaction], isLast: Bool) {
        self.transactions = transactions
        self.isLast = isLast
    }
}

/// The result of `finish`.
package enum FinishOutcome: String, Codable, Sendable {
    case finished
    /// The transaction was finished before; this call changed nothing.
    case alreadyFinished
    /// Another device claimed the transaction; this device must revoke its grant.
    case claimedElsewhere
    /// The device has no network. It has queued the finish, and sends it when it reaches the store
    /// again. Only a device answers so.
    case queued
}

/// A transaction that is not finished yet.
package struct UnfinishedTransaction: Codable, Hashable, Sendable {
    /// Signed for the asking device.
    package var transaction: IssuedTransaction
    /// The device that is to deliver it: the buyer's, or the last claimer's. Nil if no device
    /// bought it, as for a renewal: then any device may deliver it, a consumable only after a
    /// claim.
    package var device: DeviceName?

    package init(_ transaction: IssuedTransaction, device: DeviceName?) {
        self.transaction = transaction
        self.device = device
    }

    package var id: TransactionID { transaction.id }

    /// Whether a device must claim it before it is delivered anywhere.
    package var isUnclaimed: Bool { device == nil && transaction.type == .consumable }
}

/// A batch of a feed's events, in order.
package struct StoreEventBatch: Sendable {
    /// Empty if all entries before `cursor` concern other accounts, or the next one is held back.
    package var events: [StoreEvent]
    /// Every event at or before this cursor has been given to this reader.
    package var cursor: FeedCursor
    /// For a device; nil for the operator.
    package var mark: FeedMark?
    /// The fault of `Fault.Call.updates` that holds back what follows; nil if none does.
    package var heldBack: StoreError.Code?

    package init(events: [StoreEvent], cursor: FeedCursor, mark: FeedMark? = nil) {
        self.events = events
        self.cursor = cursor
        self.mark = mark
    }

    /// Whether a reader that wants to come up to this cursor has come as far as it can for now.
    package func reaches(_ end: FeedCursor) -> Bool {
        heldBack != nil || cursor.position >= end.position
    }
}

/// A feed of events. It ends only when its reader is cancelled or an error is thrown. It yields
/// batches, so that a reader that fell behind can record many events with one write.
package struct StoreEventStream: AsyncSequence, Sendable {
    /// One batch of events.
    package typealias Element = StoreEventBatch
    /// Waits for the next batch; nil ends the stream.
    package typealias Step = () async throws -> StoreEventBatch?
    private let makeStep: @Sendable () -> Step

    /// `makeStep` is called once for each iterator and returns the function that yields its
    /// batches.
    package init(makeStep: @escaping @Sendable () -> Step) { self.makeStep = makeStep }

    package func makeAsyncIterator() -> Iterator { Iterator(step: makeStep()) }

    /// One reader's position in the feed.
    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let step: Step
        package mutating func next() async throws -> StoreEventBatch? { try await step() }
    }
}
