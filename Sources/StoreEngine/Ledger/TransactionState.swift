package import Foundation
package import StoreModel

/// Everything that can change about a transaction after its sale, as of one revision.
package struct TransactionState: Codable, Hashable, Sendable {
    /// 0 as it was sold; each change adds 1.
    package var revision: Int
    /// The revocation, whole or in part; nil while nothing was taken back, and after a reversal.
    package var revocation: Revocation?
    /// Whether it is deleted from history, entitlements and sales totals. Its number is not used
    /// again.
    package var isDeleted: Bool

    /// When a subscription's period ends, if that was moved since the sale (`expiryMoved`); nil for
    /// the end that was sold.
    package var expiresDate: Timestamp?
    /// Whether the customer changed to another plan at once, which took the rest of this period back
    /// (StoreKit: `isUpgraded`).
    package var isUpgraded: Bool
    /// The extensions for all subscribers that moved the end of this period (App Store Server API:
    /// `requestIdentifier`): none moves it twice. Nil for none.
    package var extensions: [UUID]?

    /// Memberwise.
    package init(
        revision: Int = 0, revocation: Revocation? = nil, isDeleted: Bool = false,
        expiresDate: Timestamp? = nil, isUpgraded: Bool = false, extensions: [UUID]? = nil
    ) {
        self.revision = revision
        self.revocation = revocation
        self.isDeleted = isDeleted
        self.expiresDate = expiresDate
        self.isUpgraded = isUpgraded
        self.extensions = extensions
    }

    /// Reads the states of earlier versions too, which moved no end and knew no upgrade.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            revision: try container.decode(Int.self, forKey: .revision),
            revocation: try container.decodeIfPresent(Revocation.self, forKey: .revocation),
            isDeleted: try container.decode(Bool.self, forKey: .isDeleted),
            expiresDate: try container.decodeIfPresent(Timestamp.self, forKey: .expiresDate),
            isUpgraded: try container.decodeIfPresent(Bool.self, forKey: .isUpgraded) ?? false,
            extensions: try container.decodeIfPresent([UUID].self, forKey: .extensions))
    }

    /// Revision 0, nothing changed.
    package static let asSold = TransactionState()

    /// Whether it was deleted, or any part of it taken back; it then entitles to nothing.
    package var isRevoked: Bool { isDeleted || revocation != nil }
}

/// A change of a transaction, as it is recorded: the whole new state, and the action that led to
/// it.
package struct TransactionRevision: Codable, Hashable, Sendable {
    /// The operator's action.
    package enum Change: Codable, Hashable, Sendable {
        /// A refund; the money is the sum that this refund alone gave back.
        case refunded(Money)
        /// Taken back without money (StoreKit: revocation).
        case revoked
        /// The revocation was reversed; the money is all that had been refunded.
        case refundReversed(Money)
        /// The end of the period was moved: later by an extension, or to now by the operator.
        case expiryMoved
        /// The customer changed to another plan at once; the money is what was given back of the
        /// rest of the period.
        case upgraded(Money)
        /// Deleted; `sold` is the sum that was charged, `refunded` the part of it that was given back.
        case deleted(sold: Money, refunded: Money)
    }

    /// The whole new state.
    package var state: TransactionState
    /// The action that led to it.
    package var change: Change
    /// The product that was sold.
    package var productID: ProductID
    /// Its type.
    package var type: ProductType
    /// The consequences for the subscription that the transaction belongs to; nil where it stays as
    /// it is, and where an entry of its own says so.
    package var renewal: Renewal?

    /// Memberwise.
    package init(
        state: TransactionState, change: Change, productID: ProductID, type: ProductType,
        renewal: Renewal? = nil
    ) {
        self.state = state
        self.change = change
        self.productID = productID
        self.type = type
        self.renewal = renewal
    }

    /// A subscription after one of its periods was changed.
    package struct Renewal: Codable, Hashable, Sendable {
        /// Its first transaction.
        package var chain: TransactionID
        /// Whether it renews.
        package var autoRenews: Bool
        /// The whole new state.
        package var state: SubscriptionState
        /// The next due item; nil for none.
        package var next: DueItem?

        /// Memberwise.
        package init(
            chain: TransactionID, autoRenews: Bool, state: SubscriptionState, next: DueItem?
        ) {
            self.chain = chain
            self.autoRenews = autoRenews
            self.state = state
            self.next = next
        }
    }
}

/// Auto-renew of a subscription was turned on or off (App Store Server API: `autoRenewStatus`).
package struct AutoRenewChange: Codable, Hashable, Sendable {
    /// Why it was turned on or off.
    package enum Reason: String, Codable, Sendable {
        /// The operator turned it on or off, as the customer would.
        case chosen
        /// The run reached the number of renewals that the store allows.
        case renewalLimit
        /// The product is no longer sold, has no price in the account's territory, or is free now.
        case productUnavailable
        /// Its current period was refunded, revoked or deleted.
        case revoked
        /// The customer declined a higher price.
        case priceDeclined
        /// It expired, for the reason in its state.
        case expired
    }

    /// The chain's first transaction.
    package var chain: TransactionID
    /// The product of its last period.
    package var productID: ProductID
    /// Whether it renews from now on.
    package var isOn: Bool
    /// Why.
    package var reason: Reason
    /// The next due item: the renewal while auto-renew is on, the end of the period while it is
    /// off. Nil when nothing is due any more.
    package var next: DueItem?
    /// The whole new state of the subscription; nil in entries of versions that recorded none.
    package var state: SubscriptionState?
    /// The payment that turned it on: of the plan that the account has. Nil where none did.
    package var answered: AnsweredPayment?
    /// When the commitment ends whose payments are still owed: until then the subscription renews
    /// although it was turned off. Nil for no such commitment.
    package var commitmentEnds: Timestamp?

    /// Memberwise.
    package init(
        chain: TransactionID, productID: ProductID, isOn: Bool, reason: Reason,
        next: DueItem? = nil, state: SubscriptionState? = nil, answered: AnsweredPayment? = nil,
        commitmentEnds: Timestamp? = nil
    ) {
        self.commitmentEnds = commitmentEnds
        self.chain = chain
        self.productID = productID
        self.isOn = isOn
        self.reason = reason
        self.next = next
        self.state = state
        self.answered = answered
    }
}

/// Something the store does by itself at an instant of its time. Chain, kind and period identify
/// it; it is recorded once.
package struct DueItem: Codable, Hashable, Sendable {
    /// The kind of step that the store takes. The raw value is in ledgers: never renumber one.
    package enum Kind: Int, Codable, Sendable, CaseIterable {
        /// The next step of a subscription's life: an attempt to renew it, or the end of its last
        /// period. `RenewalRules` decides which, by the subscription's state.
        case renewal = 1
    }

    /// The account it concerns.
    package var account: AccountName
    /// The first transaction of its subscription.
    package var chain: TransactionID
    /// The kind of step.
    package var kind: Kind
    /// The ordinal of the period it begins (`SubscriptionTerm.ordinal`).
    package var period: Int
    /// When it is due, in the store's time.
    package var at: Timestamp

    /// Memberwise.
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
