package import Foundation

/// The store as its own server sees it (App Store Server API): it reads the transactions of every
/// account, signed without naming a device, and records what an app's backend asks for. Every call
/// may throw the errors named at `Store`.
package protocol ServedStore: ContentServerStore {
    /// The system's time, in which the tokens of backends are dated. The store's clock may be
    /// stopped or years ahead.
    var systemNow: Timestamp { get }

    /// The notifications to the backend.
    var outbox: any OutboxStore { get }

    /// What the answer to a request depends on, as of the last commit of any process.
    ///
    /// - Parameter id: a transaction that is to be read along; nil for none.
    func server(along id: TransactionID?) async throws(StoreError) -> ServerReading

    /// Uses up one call of a fault; false if another call has done so first.
    func spend(_ fault: Fault) async throws(StoreError) -> Bool

    /// Makes or revokes a key, and returns the settings from then on. Refused with `invalidName`
    /// for a key that the store does not have.
    func change(_ keys: APIKeyChange) async throws(StoreError) -> ServerSettings

    /// A transaction in its state after all that was due by now; nil if there is none with this
    /// number, or it was deleted.
    func served(_ id: TransactionID) async throws(StoreError) -> ServedTransaction?

    /// The account with this `appTransactionId`; nil if there is none. The cost grows with the
    /// number of accounts.
    func account(withAppTransaction id: String) async throws(StoreError) -> AccountName?

    /// A page of an account's transactions, in the order in which they changed last. Read by index.
    ///
    /// - Throws: `storeReplaced` for a position after the end of the ledger.
    func history(_ query: ServedHistoryQuery) async throws(StoreError) -> ServedHistoryPage

    /// One status for each subscription of an account, and one for each that a family member shares
    /// or has shared with it.
    func statuses(of account: AccountName) async throws(StoreError) -> [SubscriptionStatus]

    /// That the account has the app (StoreKit: `AppTransaction`).
    func appTransaction(of account: AccountName) async throws(StoreError) -> SignedAppTransaction

    /// Acknowledges a transaction, whichever device it belongs to (StoreKit: `finish`). Idempotent.
    func finish(_ id: TransactionID) async throws(StoreError)

    /// Sets the `appAccountToken` of a purchase, or of a subscription: of its first and last
    /// periods, and of all that follow. Refused with `sharedPurchase` for a family share.
    func setToken(_ token: UUID, of id: TransactionID) async throws(StoreError)

    /// Extends a subscription as `OperatorAction.extend` does, but twice in 365 days at most, and
    /// returns its last period. Refused with the same errors, and with `noSubscription` and the
    /// obstacle `extendedTwice`.
    func extend(_ id: TransactionID, days: Int) async throws(StoreError) -> ServedTransaction

    /// Extends all subscriptions that the request names, but none more often than `extend` would.
    /// The same request again goes on if it was interrupted, and changes nothing if it came to its
    /// end. Refused as `OperatorAction.extendAll`.
    ///
    /// - Returns: false if the identifier is that of another request, and then nothing is changed.
    func extendAll(_ request: ExtensionRequest) async throws(StoreError) -> Bool

    /// Whether an extension of the product was asked for with this identifier, and what came of it.
    func extensionStatus(
        of id: UUID, _ product: ProductID
    ) async throws(StoreError) -> (isAsked: Bool, outcome: ExtensionOutcome?)

    /// Records the answer of a backend; `answeredAt` becomes now.
    func answer(_ consumption: ConsumptionAnswer) async throws(StoreError)
}

extension ServedStore {
    package func server() async throws(StoreError) -> ServerReading {
        try await server(along: nil)
    }
}

/// What one read of the store tells before a request is answered.
package struct ServerReading: Sendable {
    /// The keys and addresses.
    package var settings: ServerSettings
    /// Those that are in force on purpose.
    package var faults: [Fault]
    /// Signs the transaction that was read along. Nil if only `served` can tell of it: it was not
    /// asked for before, or something of its account may be due.
    package var transaction: (@Sendable () throws(StoreError) -> ServedTransaction?)?

    package init(settings: ServerSettings, faults: [Fault]) {
        self.settings = settings
        self.faults = faults
    }
}

/// A transaction for an app's backend.
package struct ServedTransaction: Hashable, Sendable {
    package var account: AccountName
    package var payload: TransactionPayload
    package var signed: SignedTransaction

    package init(account: AccountName, payload: TransactionPayload, signed: SignedTransaction) {
        self.account = account
        self.payload = payload
        self.signed = signed
    }
}

/// Selects transactions of an account: those that fit every part.
package struct ServedHistoryQuery: Hashable, Sendable {
    package var account: AccountName
    /// The newest change first.
    package var isDescending = false
    /// All if empty; likewise the two below.
    package var products: Set<ProductID> = []
    package var types: Set<ProductType> = []
    package var groups: Set<SubscriptionGroupID> = []
    package var ownership: TransactionPayload.Ownership?
    /// Nil for revoked ones and others.
    package var isRevoked: Bool?
    /// Only those for which money was given back, but not for a change of plan.
    package var isRefunded = false
    /// By the date of purchase, this instant included.
    package var since: Timestamp?
    /// By the date of purchase, this instant excluded.
    package var until: Timestamp?
    /// Without consumables that are finished and not revoked.
    package var leavesOutFinished = false
    /// Where the page begins: the position of the ledger after which transactions changed, or in
    /// descending order the last one at which they did. Nil for the first page.
    package var position: Int64?
    /// The end of the ledger when the first page was read; nil for that page.
    package var head: Int64?
    /// At least 1.
    package var limit: Int

    package init(account: AccountName, limit: Int) {
        self.account = account
        self.limit = limit
    }
}

/// A page of an account's transactions.
package struct ServedHistoryPage: Hashable, Sendable {
    package var transactions: [SignedTransaction]
    /// Where the next page begins. After the last page of ascending order, where a later one with
    /// what has changed since begins.
    package var position: Int64
    /// The end of the ledger when the first page was read.
    package var head: Int64
    /// False for the last page. A page that is not the last may have less than its limit, even
    /// none, if few transactions fit.
    package var hasMore: Bool

    package init(
        transactions: [SignedTransaction], position: Int64, head: Int64, hasMore: Bool
    ) {
        self.transactions = transactions
        self.position = position
        self.head = head
        self.hasMore = hasMore
    }
}
