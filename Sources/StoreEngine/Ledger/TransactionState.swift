import Basics
package import Foundation
package import StoreModel

/// Everything about a transaction that can change after its sale, as of one revision.
package struct TransactionState: Codable, Hashable, Sendable {
    /// 0 at the sale; each change adds 1.
    package var revision: Int
    /// Full or partial; nil if there is none, and after a reversal.
    package var revocation: Revocation?
    /// Whether the transaction is deleted from history, entitlements and sales totals. Its number
    /// is not used again.
    package var isDeleted: Bool

    /// When a subscription's period ends, if its end was moved since the sale (`expiryMoved`); nil
    /// otherwise.
    package var expiresDate: Timestamp?
    /// Whether the customer changed to another plan at once, which revoked the rest of this period
    /// (StoreKit: `isUpgraded`).
    package var isUpgraded = false
    /// The extensions for all subscribers that moved the end of this period (App Store Server API:
    /// `requestIdentifier`). None moves it twice. Nil for none.
    package var extensions: [UUID]?
    /// When the app's backend extended this period, alone or for all subscribers: it may only so
    /// often in a year. Nil for never, and for what was recorded before the store counted.
    package var extendedAt: [Timestamp]?
    /// The token that the app's backend has set since the sale (App Store Server API:
    /// `Set App Account Token`); nil for that of the sale.
    package var appAccountToken: UUID?

    package init(revision: Int = 0, revocation: Revocation? = nil, isDeleted: Bool = false) {
        self.revision = revision
        self.revocation = revocation
        self.isDeleted = isDeleted
    }

    /// The state at the sale: revision 0, unchanged.
    package static let asSold = TransactionState()

    /// Whether the transaction was deleted, or wholly or partly revoked. It then does not entitle.
    package var isRevoked: Bool { isDeleted || revocation != nil }
}

/// A change of a transaction, as recorded: the whole new state, and the action that caused it.
package struct TransactionRevision: Codable, Hashable, Sendable {
    /// The action that changed a transaction.
    package enum Change: Codable, Hashable, Sendable {
        /// A refund; the money is the sum that this refund alone gave back.
        case refunded(Money)
        /// A revocation without a refund (StoreKit: revocation).
        case revoked
        /// A reversal of the revocation; the money is the total that had been refunded.
        case refundReversed(Money)
        /// A move of the period's end: later by an extension, or to now by the operator.
        case expiryMoved
        /// Another `appAccountToken`, set by the app's backend.
        case tokenSet
        /// A change to another plan at once; the money is the refund for the rest of the period.
        case upgraded(Money)
        /// A deletion; `sold` is the amount that was charged, `refunded` the part that was given
        /// back.
        case deleted(sold: Money, refunded: Money)
    }

    package var state: TransactionState
    package var change: Change
    package var productID: ProductID
    package var type: ProductType
    /// The effects on the transaction's subscription; nil if it does not change, or if another
    /// entry has them.
    package var renewal: Renewal?

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
        package var chain: TransactionID
        package var autoRenews: Bool
        package var state: SubscriptionState
        /// Nil for none.
        package var next: DueItem?
    }
}

extension TransactionRow {
    /// The entry that records the row's state as the transaction's next revision.
    ///
    /// - Parameter renewal: the effects on the subscription; nil if another entry has them.
    func revised(
        _ change: TransactionRevision.Change, at instant: Timestamp,
        _ renewal: TransactionRevision.Renewal? = nil
    ) -> Entry {
        var state = state
        state.revision = state.revision.addingClamped(1)
        return Entry(
            account: account, device: nil, effectiveAt: instant, number: .existing(id),
            fact: .revised(
                TransactionRevision(
                    state: state, change: change, productID: sale.productID, type: sale.type,
                    renewal: renewal)))
    }
}

/// Auto-renew of a subscription was turned on or off (App Store Server API: `autoRenewStatus`).
package struct AutoRenewChange: Codable, Hashable, Sendable {
    /// Why auto-renew was turned on or off.
    package enum Reason: String, Codable, Sendable {
        /// The operator turned it on or off, in place of the customer.
        case chosen
        /// The run reached the number of renewals that the store allows.
        case renewalLimit
        /// The product is no longer sold, has no price in the account's territory, or is free now.
        case productUnavailable
        /// The subscription's current period was refunded, revoked or deleted.
        case revoked
        /// The customer declined a higher price.
        case priceDeclined
        /// The subscription expired, for the reason in its state.
        case expired
    }

    package var chain: TransactionID
    package var productID: ProductID
    package var isOn: Bool
    package var reason: Reason
    /// The next due item: the renewal while auto-renew is on, the end of the period while it is
    /// off. Nil if no step is due.
    package var next: DueItem?
    package var state: SubscriptionState
    /// The payment for the present plan that turned auto-renew on; nil if no payment did.
    package var answered: AnsweredPayment?
    /// The end of the commitment whose payments are owed: until then the subscription renews
    /// although auto-renew is off. Nil for no such commitment.
    package var commitmentEnds: Timestamp?
}

/// A step that the store takes by itself at a given store time. Chain, kind and period identify it;
/// it is recorded once.
package struct DueItem: Codable, Hashable, Sendable {
    /// The kind of step that the store takes. The raw value is in ledgers: never renumber one.
    package enum Kind: Int, Codable, Sendable, CaseIterable {
        /// The next step of a subscription: an attempt to renew it, or the end of its last period.
        /// `RenewalRules` decides which, from the subscription's state.
        case renewal = 1
    }

    package var account: AccountName
    package var chain: TransactionID
    package var kind: Kind
    /// The ordinal of the period that the step begins (`SubscriptionTerm.ordinal`).
    package var period: Int
    /// In the store's time.
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
