/// One event of the store's feed. A reader gets the events after its cursor at least once, in
/// order.
package struct StoreEvent: Codable, Hashable, Sendable {
    /// Where this event stands in the feed. Events of the same entry share it.
    package var cursor: FeedCursor
    /// When it was recorded, in store time.
    package var at: Timestamp
    /// The account it concerns; nil if it concerns all.
    package var account: AccountName?
    /// The device whose request caused it; nil if none did.
    package var device: DeviceName?
    /// What happened.
    package var change: Change

    /// The kinds of events, with their contents.
    package enum Change: Codable, Hashable, Sendable {
        /// A sale, from a payment, an approved request, a renewal or a family share. Signed for
        /// this reader when it is read.
        case sold(IssuedTransaction)
        /// A transaction was changed after its sale; this revision replaces earlier ones.
        case revised(IssuedTransaction, RevisionKind)
        /// A transaction was deleted from history; devices revoke what they granted for it.
        case deleted(TransactionID, productID: ProductID, revision: Int)
        /// Auto-renew of a subscription was turned on or off.
        case autoRenewChanged(chain: TransactionID, productID: ProductID, isOn: Bool)
        /// The operator moved, stopped or resumed the store's clock.
        case clockSet(ClockState)
        /// The operator, or a catalog with a rate of its own, changed how subscriptions renew.
        case renewalsSet(RenewalSettings)
        /// An entry that a newer program wrote and this one does not know.
        case unknown(kind: Int)
        /// A payment waits for approval under this number.
        case deferred(Payment, request: TransactionID)
        /// A payment failed; nothing was charged. `request` is its approval request, if it had one.
        case failed(Payment, StoreError, request: TransactionID?)
        /// A device finished the transaction (StoreKit: `finish()`).
        case finished(TransactionID)
        /// Another device is to deliver an unfinished consumable.
        case claimed(TransactionID, by: DeviceName)
        /// A new catalog revision is sold from now on.
        case catalogRevised(revision: Int64)
        /// An account's settings were recorded or changed.
        case accountChanged(AccountSettings)
        /// A fault was set, or was used and has calls left.
        case faultSet(Fault)
        /// A fault was removed or used up.
        case faultCleared(Fault)
    }

    package init(
        cursor: FeedCursor, at: Timestamp, account: AccountName?, device: DeviceName?,
        change: Change
    ) {
        self.cursor = cursor
        self.at = at
        self.account = account
        self.device = device
        self.change = change
    }
}

/// An account's settings.
package struct AccountSettings: Codable, Hashable, Sendable {
    /// The account.
    package var name: AccountName
    /// The territory the account buys in, ISO 3166-1 alpha-3.
    package var territory: String
    /// Whether purchases wait for the family organizer's approval (StoreKit: Ask to Buy).
    package var askToBuy: Bool
    /// Whether this account may pay at all (StoreKit: `canMakePayments`).
    package var canMakePayments: Bool

    package init(
        name: AccountName, territory: String, askToBuy: Bool = false, canMakePayments: Bool = true
    ) {
        self.name = name
        self.territory = territory
        self.askToBuy = askToBuy
        self.canMakePayments = canMakePayments
    }
}

/// A failure the operator has set for coming calls. Shown while it is in force, so that it is not
/// taken for a bug.
package struct Fault: Codable, Hashable, Sendable {
    /// The calls that can be made to fail.
    package enum Call: String, Codable, Sendable, CaseIterable { case purchase }

    /// Counted by the store, in the order the faults are used up.
    package var id: Int64
    /// Which call fails.
    package var call: Call
    /// The error it fails with.
    package var error: StoreError.Code
    /// How many more calls fail; at least 1 while it is in force.
    package var remaining: Int

    /// Whether it still fails calls.
    package var isInForce: Bool { remaining > 0 }

    package init(id: Int64, call: Call, error: StoreError.Code, remaining: Int) {
        self.id = id
        self.call = call
        self.error = error
        self.remaining = remaining
    }
}
