package import Foundation
package import StoreModel

/// A transaction: its sale and its present state.
package struct TransactionRow: Hashable, Sendable {
    /// StoreKit: `Transaction.id`.
    package var id: TransactionID
    package var account: AccountName
    /// The device that bought it; nil for a renewal, a family share and a purchase outside the app.
    package var device: DeviceName?
    /// Never changes.
    package var sale: Sale
    /// The changes since the sale, folded into one state.
    package var state = TransactionState.asSold
    /// The position of the entry that changed it last, or sold it; 0 before it is recorded.
    package var changedAt: Int64 = 0

    /// The first transaction of its chain, or its own id (StoreKit: `originalID`).
    package var originalID: TransactionID { sale.original?.id ?? id }

    /// When a subscription's period ends, after all moves of its end. Nil if it does not end.
    package var expiresDate: Timestamp? { state.expiresDate ?? sale.expiresDate }

    /// The app's token for its user: the one that its backend has set since, or that of the sale.
    package var appAccountToken: UUID? { state.appAccountToken ?? sale.appAccountToken }

    /// Whether the period has begun at a given time. A period that was charged ahead and revoked
    /// before its start never begins.
    package func hasBegun(at now: Timestamp) -> Bool {
        if let revocation = state.revocation, revocation.date < sale.purchaseDate { return false }
        return sale.purchaseDate <= now
    }
}

/// A decided payment and its outcome so far.
package struct PaymentRow: Hashable, Sendable {
    /// The outcome of a payment so far.
    package enum State: Hashable, Sendable {
        /// The payment waits under this number, for the reason given.
        case deferred(request: TransactionID, reason: RequestReason)
        indirect case sold(TransactionRow)
        /// The payment was answered with the transaction of an earlier sale: it changed a
        /// subscription, and nothing was charged.
        case answered(with: TransactionID)
        /// The payment failed and nothing was charged. `request` is the number under which it
        /// waited; nil if it did not wait.
        case failed(StoreError, request: TransactionID?)
    }

    package var account: AccountName
    package var device: DeviceName
    package var payment: Payment
    package var state: State

    /// Nil unless the payment was sold.
    package var sold: TransactionID? {
        if case .sold(let row) = state { row.id } else { nil }
    }
}

/// A transaction that waits for `finish`.
package struct UnfinishedRow: Hashable, Sendable {
    package var id: TransactionID
    package var account: AccountName
    /// The device that bought or claimed it; only this device may finish a consumable. Nil if no
    /// device bought it; a device must then claim a consumable first.
    package var device: DeviceName?

    package init(id: TransactionID, account: AccountName, device: DeviceName?) {
        self.id = id
        self.account = account
        self.device = device
    }
}

/// How a request ended.
package enum RequestEnd: Hashable, Sendable {
    case sold
    /// The request changed a subscription without a charge, and was answered with this transaction
    /// of an earlier sale.
    case answered(with: TransactionID)
    case failed(StoreError)
}

/// A family member's share of a transaction. There is one for each transaction and member.
package struct ShareRow: Hashable, Sendable {
    /// The owner's transaction.
    package var shared: TransactionID
    /// The first transaction of the owner's chain.
    package var chain: TransactionID
    package var account: AccountName
    package var id: TransactionID

    package init(
        shared: TransactionID, chain: TransactionID, account: AccountName, id: TransactionID
    ) {
        self.shared = shared
        self.chain = chain
        self.account = account
        self.id = id
    }
}

/// The search keys of an entry in a filtered history.
package struct HistoryRow: Hashable, Sendable {
    package var position: Int64
    /// Nil if the entry is about the whole store.
    package var account: AccountName?
    /// The product of the entry or of its transaction; nil if there is none.
    package var product: ProductID?
    package var kind: EventKind

    package init(
        position: Int64, account: AccountName?, product: ProductID?, kind: EventKind
    ) {
        self.position = position
        self.account = account
        self.product = product
        self.kind = kind
    }

    /// Whether the entry matches a filter; `HistoryFilter.since` is not checked.
    package func fits(_ filter: HistoryFilter) -> Bool {
        (filter.kinds.isEmpty || filter.kinds.contains(kind))
            && (filter.product == nil || filter.product == product)
            && (filter.account == nil || filter.account == account)
    }
}

/// A subscription's chain: whether it renews, its last periods, and its state.
package struct SubscriptionRow: Hashable, Sendable {
    package var chain: TransactionID
    package var account: AccountName
    /// Whether the subscription renews when its period ends (App Store Server API:
    /// `autoRenewStatus`).
    package var autoRenews: Bool
    /// Sold so far in the whole chain.
    package var ordinal: Int
    /// The transaction of the last period. It may begin later than now: a renewal is recorded up to
    /// a day before its period begins.
    package var latest: TransactionID
    /// Nil while there is only one.
    package var previous: TransactionID?
    /// The state that the last sale does not include.
    package var state = SubscriptionState.renewing

    package init(
        chain: TransactionID, account: AccountName, autoRenews: Bool, ordinal: Int,
        latest: TransactionID, previous: TransactionID? = nil
    ) {
        self.chain = chain
        self.account = account
        self.autoRenews = autoRenews
        self.ordinal = ordinal
        self.latest = latest
        self.previous = previous
    }
}

/// One change of the lookup rows. `insert` adds a row with a new key. `put` replaces the row with
/// the same key. `remove` does nothing if there is no such row.
package indirect enum RowChange: Hashable, Sendable {
    /// As it was sold.
    case insertTransaction(TransactionRow)
    case putPayment(PaymentRow)
    case insertUnfinished(UnfinishedRow)
    case moveUnfinished(TransactionID, of: AccountName, to: DeviceName)
    case removeUnfinished(TransactionID, of: AccountName)
    /// Without the other devices that send the same request.
    case insertPending(ApprovalRequest)
    case removePending(TransactionID, RequestEnd)
    case putRefundRequest(RefundRequest)
    case removeRefundRequest(TransactionID)
    case putAccount(AccountSettings)
    /// An account's family; nil if the account has left it.
    case putFamily(AccountName, Family?)
    /// An account's value of a key, or none.
    case putValue(AccountName, AccountValue)
    case noteUse(AccountUse)
    /// An account has used an introductory offer, a code or a signature. The first use is kept.
    case noteOfferUse(OfferUse)
    /// Undoes the offer uses of a transaction: its introductory offer, code or signature can be
    /// used again.
    case removeOfferUses(of: TransactionID)
    case insertShare(ShareRow)
    /// With the number of calls it still fails.
    case putFault(Fault)
    case removeFault(Int64)
    /// The amounts that one entry adds to the sales totals of a currency; negative amounts are
    /// subtracted.
    case addSalesTotals(SalesTotals)
    case putState(TransactionID, of: AccountName, TransactionState)
    /// A subscription has a new period. The latest period so far becomes the previous one.
    case putSubscription(SubscriptionRow)
    /// Whether a subscription renews, and its state.
    case putSubscriptionState(
        chain: TransactionID, of: AccountName, autoRenews: Bool, SubscriptionState)
    /// A chain's next item of a kind, which replaces the one before.
    case putDue(DueItem)
    case removeDue(chain: TransactionID, of: AccountName, DueItem.Kind)
    case putClock(ClockState)
    case putRenewals(RenewalSettings)
    case putServer(ServerSettings)
    /// An extension for all was requested with an identifier. The first time is kept.
    case noteExtension(UUID, at: Timestamp)
    case outbox(OutboxFact)
    case putCatalog(CatalogRevision)
    /// A product was sold. Its first sale decides type, group and hosting.
    case noteSoldProduct(SoldProduct)
    case putIdentity(AppIdentity)
    /// Of the cursors from now on.
    case putEpoch(Int64)
    /// The history row of an event. `productOf` is the transaction whose product counts if the
    /// entry names only a transaction. The product stays nil if the account has no such
    /// transaction.
    case insertHistory(HistoryRow, productOf: TransactionID?)
}

extension [String: SalesTotals] {
    /// Adds amounts to the totals of their currency.
    package mutating func add(_ change: SalesTotals) {
        self[change.currency, default: SalesTotals(currency: change.currency)].add(change)
    }
}
