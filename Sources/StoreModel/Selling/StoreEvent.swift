/// What a subscriber of the feed is told. Always carries its cursor; delivered at least once, in
/// order, after the cursor one asked for.
package struct StoreEvent: Codable, Hashable, Sendable {
    package var cursor: FeedCursor
    package var at: Timestamp
    /// The account it concerns; nil when it concerns everybody.
    package var account: AccountName?
    /// The device that asked for it, if one did.
    package var device: DeviceName?
    package var change: Change

    package enum Change: Codable, Hashable, Sendable {
        /// A sale: a payment, an approved request, a renewal, a share. Signed for this reader just
        /// now.
        case sold(IssuedTransaction)
        /// A transaction changed after its sale; whatever its revision says holds from now on.
        case revised(IssuedTransaction, RevisionKind)
        /// A transaction is gone from history: what was granted for it is taken back.
        case deleted(TransactionID, productID: ProductID, revision: Int)
        /// Auto-renew of a subscription was turned on or off.
        case autoRenewChanged(chain: TransactionID, productID: ProductID, isOn: Bool)
        case clockSet(ClockState)
        case renewalsSet(RenewalSettings)
        /// A fact of a kind this program does not know.
        case unknown(kind: Int)
        /// A payment waits for approval under this number.
        case deferred(Payment, request: TransactionID)
        /// A payment came to nothing; nothing was charged.
        case failed(Payment, StoreError, request: TransactionID?)
        /// Acknowledged: delivered, downloaded, done.
        case finished(TransactionID)
        /// An unfinished consumable now belongs to another device to deliver.
        case claimed(TransactionID, by: DeviceName)
        case catalogRevised(revision: Int64)
        case accountChanged(AccountSettings)
        case faultSet(Fault)
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

/// What the store keeps about a customer.
package struct AccountSettings: Codable, Hashable, Sendable {
    package var name: AccountName
    /// The territory the account buys in, ISO 3166-1 alpha-3.
    package var territory: String
    /// Purchases wait for the family organizer's word (StoreKit: Ask to Buy).
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

/// A failure set up on purpose. Shown while it is in force, so that nobody takes it for a bug.
package struct Fault: Codable, Hashable, Sendable {
    /// Which call fails.
    package enum Call: String, Codable, Sendable, CaseIterable { case purchase }

    /// Counted by the store.
    package var id: Int64
    package var call: Call
    package var error: StoreError.Code
    /// How many calls it still fails; at least 1.
    package var remaining: Int

    package init(id: Int64, call: Call, error: StoreError.Code, remaining: Int) {
        self.id = id
        self.call = call
        self.error = error
        self.remaining = remaining
    }
}
