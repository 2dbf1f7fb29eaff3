package import StoreModel

/// What can change about a transaction after its sale, whole, as of one revision.
package struct TransactionState: Codable, Hashable, Sendable {
    /// 0 as it was sold; each change is the next.
    package var revision: Int
    /// Nil while nothing was taken back.
    package var revocation: Revocation?
    /// Gone from history, entitlements and takings; the number is not used again.
    package var isDeleted: Bool

    package init(revision: Int = 0, revocation: Revocation? = nil, isDeleted: Bool = false) {
        self.revision = revision
        self.revocation = revocation
        self.isDeleted = isDeleted
    }

    package static let asSold = TransactionState()

    /// Whether it may entitle to anything.
    package var isRevoked: Bool { isDeleted || revocation != nil }
}

/// A change of a transaction, as it is recorded: the whole new state, and what was done to reach it.
package struct TransactionRevision: Codable, Hashable, Sendable {
    package enum Change: Codable, Hashable, Sendable {
        /// Money given back by this refund alone.
        case refunded(Money)
        case revoked
        /// Money taken in again.
        case refundReversed(Money)
        /// What the sale had brought, less what was refunded of it.
        case deleted(sold: Money, refunded: Money)
    }

    package var state: TransactionState
    package var change: Change
    package var productID: ProductID
    package var type: ProductType

    package init(
        state: TransactionState, change: Change, productID: ProductID, type: ProductType
    ) {
        self.state = state
        self.change = change
        self.productID = productID
        self.type = type
    }
}

/// Auto-renew of a subscription turned on or off.
package struct AutoRenewChange: Codable, Hashable, Sendable {
    package enum Reason: String, Codable, Sendable {
        /// The customer's choice, or the operator's for him.
        case chosen
        /// As many renewals as the store allows a run.
        case renewalLimit
        /// Its product is not sold any more.
        case productUnavailable
        /// Its current period was taken back.
        case revoked
    }

    /// The chain's first transaction.
    package var chain: TransactionID
    package var productID: ProductID
    package var isOn: Bool
    package var reason: Reason
    /// The period that comes next and when, while it is on.
    package var next: DueItem?

    package init(
        chain: TransactionID, productID: ProductID, isOn: Bool, reason: Reason,
        next: DueItem? = nil
    ) {
        self.chain = chain
        self.productID = productID
        self.isOn = isOn
        self.reason = reason
        self.next = next
    }
}

/// Something that happens by itself at an instant of store time. Its key is chain, kind and period:
/// it can be recorded once.
package struct DueItem: Codable, Hashable, Sendable {
    package enum Kind: Int, Codable, Sendable, CaseIterable { case renewal = 1 }

    package var account: AccountName
    package var chain: TransactionID
    package var kind: Kind
    /// The ordinal of the period it begins.
    package var period: Int
    package var at: Timestamp

    package init(
        account: AccountName, chain: TransactionID, kind: Kind, period: Int, at: Timestamp
    ) {
        self.account = account
        self.chain = chain
        self.kind = kind
        self.period = period
        self.at = at
    }
}
