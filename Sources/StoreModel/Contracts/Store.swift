package import Foundation

/// The customer's side of the store: one account on one device. Everything a shop may do, and
/// nothing an operator may. Embedded today; the same contract can be served from afar.
///
/// Every call may throw `storeBusy`, `storeFull`, `storeReadOnly`, `storeUnreadable` or
/// `storeReplaced`, and then has changed nothing; whatever a call acknowledged survives a kill at
/// any instant. A call that changes something may also throw `outcomeUnknown`: it may have done so.
package protocol Store: Sendable {
    var identity: AppIdentity { get }
    var account: AccountName { get }
    var device: DeviceName { get }

    /// The certificate that anchors every signature of this store, DER (X.509). A device pins it
    /// when it is registered.
    var rootCertificate: Data { get }

    /// The account as the store has it now.
    func settings() async throws(StoreError) -> AccountSettings

    /// What is for sale to this account now. Nil asks for everything; identifiers nobody sells come
    /// back as invalid.
    func products(_ identifiers: [ProductID]?) async throws(StoreError) -> ProductsResponse

    /// Decides a payment. Idempotent by payment id: the same id again answers with what has become
    /// of it by now; the same id with other contents fails with `paymentMismatch` naming the field.
    /// When this returns `purchased` or `pending`, that is durable.
    func purchase(_ payment: Payment) async throws(StoreError) -> PurchaseOutcome

    /// What has become of a payment; nil if the store never heard of it. Decides nothing. The same id
    /// with other contents fails as in `purchase`.
    func outcome(of payment: Payment) async throws(StoreError) -> PurchaseOutcome?

    /// Whether this transaction was ever sold to the account, whatever became of it since.
    func knows(_ id: TransactionID) async throws(StoreError) -> Bool

    /// Acknowledges a delivered transaction. Idempotent. Throws `transactionNotFound` for one that
    /// is not this account's.
    func finish(_ id: TransactionID) async throws(StoreError) -> FinishOutcome

    /// Takes over an unfinished consumable another device of this account bought. Atomic: of several
    /// claims one wins, and the device that lost it learns so when it finishes.
    func claim(_ id: TransactionID) async throws(StoreError) -> SignedTransaction

    /// Everything sold to this account and not yet finished, oldest first. A consumable is listed
    /// only for the device it belongs to, unless `allDevices`.
    func unfinished(allDevices: Bool) async throws(StoreError) -> [UnfinishedTransaction]

    /// One page of the account's past purchases that can be brought back: newest first, everything
    /// but consumables (StoreKit: restore). Pass the last id of a page to get the next.
    func restorable(before: TransactionID?, limit: Int) async throws(StoreError)
        -> [IssuedTransaction]

    /// One page of everything ever sold to the account, newest first.
    func history(before: TransactionID?, limit: Int) async throws(StoreError)
        -> [SignedTransaction]

    /// What the account may use at the store's now.
    func entitlements() async throws(StoreError) -> [Entitlement]

    /// Since when something that was due could not be recorded, because the store is full or read-only:
    /// what reading calls answer holds as of then. Nil where nothing is overdue.
    func overdueSince() async throws(StoreError) -> Timestamp?

    /// The files of a hosted package. Throws `notEntitled` unless the account owns the product.
    func contentManifest(product: ProductID, contentID: String) async throws(StoreError)
        -> ContentManifest

    /// Bytes of one file of a hosted package, at most `count`, fewer only at the end of the file.
    func contentBytes(
        product: ProductID, contentID: String, path: String, offset: Int64, count: Int
    ) async throws(StoreError) -> Data

    /// The place in the feed where nothing has been missed yet.
    func head() async throws(StoreError) -> FeedCursor

    /// The feed of this account after a cursor, then for ever: at least once, in order. One stream
    /// has one reader; ask again for another. A slow reader delays nobody and loses nothing.
    func updates(after cursor: FeedCursor) -> StoreEventStream
}

/// What `finish` found.
package enum FinishOutcome: String, Codable, Sendable {
    case finished
    /// It was finished before; nothing changed.
    case alreadyFinished
    /// Another device claimed it meanwhile: what this device granted for it must be taken back.
    case claimedElsewhere
}

/// A sale that waits to be acknowledged.
package struct UnfinishedTransaction: Codable, Hashable, Sendable {
    package var transaction: IssuedTransaction
    /// The device that is to deliver it; nil where any may, a consumable after a claim.
    package var device: DeviceName?

    package init(_ transaction: IssuedTransaction, device: DeviceName?) {
        self.transaction = transaction
        self.device = device
    }

    package var id: TransactionID { transaction.id }
}

/// Some events of a feed, in order, read in one go.
package struct StoreEventBatch: Sendable {
    /// May be empty when only others' events lie before `cursor`.
    package var events: [StoreEvent]
    /// Everything at or before it has been handed out to this reader.
    package var cursor: FeedCursor

    package init(events: [StoreEvent], cursor: FeedCursor) {
        self.events = events
        self.cursor = cursor
    }
}

/// A feed: ends only by cancellation of its reader or by an error. Yields batches, so that a reader
/// that fell behind catches up with one write instead of many.
package struct StoreEventStream: AsyncSequence, Sendable {
    package typealias Element = StoreEventBatch
    package typealias Step = () async throws -> StoreEventBatch?
    private let makeStep: @Sendable () -> Step

    /// `makeStep` is called once per reader and answers with what yields that reader's batches.
    package init(makeStep: @escaping @Sendable () -> Step) { self.makeStep = makeStep }

    package func makeAsyncIterator() -> Iterator { Iterator(step: makeStep()) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let step: Step
        package mutating func next() async throws -> StoreEventBatch? { try await step() }
    }
}
