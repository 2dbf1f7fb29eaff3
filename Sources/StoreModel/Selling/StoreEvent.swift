/// One event of the store's feed. A reader gets the events after its cursor at least once, in
/// order.
package struct StoreEvent: Codable, Hashable, Sendable {
    /// The position of the event's entry in the feed. Events of one entry share it.
    package var cursor: FeedCursor
    /// When the event was recorded, in store time.
    package var at: Timestamp
    /// The account that the event concerns; nil if it concerns all accounts.
    package var account: AccountName?
    /// The device whose request caused the event; nil if no device did.
    package var device: DeviceName?
    /// The change that the event reports.
    package var change: Change

    /// The kinds of events, with their contents.
    package enum Change: Codable, Hashable, Sendable {
        /// A sale, from a payment, an approved request, a renewal or a family share. Signed for
        /// this reader when it is read.
        case sold(IssuedTransaction)
        /// A transaction was changed after its sale; this revision replaces earlier ones.
        case revised(IssuedTransaction, RevisionKind)
        /// A transaction was deleted from history; devices revoke their grants for it.
        case deleted(TransactionID, productID: ProductID, revision: Int)
        /// Auto-renew of a subscription was turned on or off. `commitmentEnds` is the end of the
        /// commitment, until which its payments continue although auto-renew is off; nil without
        /// one.
        case autoRenewChanged(
            chain: TransactionID, productID: ProductID, isOn: Bool, commitmentEnds: Timestamp? = nil
        )
        /// A subscription changed as a whole, such as by its expiry.
        case subscriptionChanged(SubscriptionEvent)
        /// The operator moved, stopped or resumed the store's clock.
        case clockSet(ClockState)
        /// The operator, or a catalog with a renewal rate, changed how subscriptions renew.
        case renewalsSet(RenewalSettings)
        /// An entry that a newer program wrote and this one does not know.
        case unknown(kind: Int)
        /// A payment waits under this number, for the reason given (StoreKit: `pending`).
        case deferred(Payment, request: TransactionID, reason: RequestReason)
        /// A payment failed; nothing was charged. `request` is its approval request, if it had one.
        case failed(Payment, StoreError, request: TransactionID?)
        /// The customer asked for a refund; it waits for the operator's answer.
        case refundRequested(RefundRequest)
        /// The operator declined a customer's refund request.
        case refundDeclined(RefundRequest)
        /// The customer began to buy this product outside the app (StoreKit: `PurchaseIntent`); the
        /// app may continue the purchase at once or later.
        case promoted(ProductID)
        /// The customer cancelled before paying. No transaction follows.
        case purchaseCancelled(ProductID)
        /// A device finished the transaction (StoreKit: `finish()`).
        case finished(TransactionID)
        /// A device claimed an unfinished consumable and is to deliver it.
        case claimed(TransactionID, by: DeviceName)
        /// A new catalog revision is sold from now on; `release` is the release of a hosted package
        /// that the revision added or put into another state.
        case catalogRevised(revision: Int64, release: PackageRelease? = nil)
        /// An account's settings were recorded or changed.
        case accountChanged(AccountSettings)
        /// The account's family was changed, or it joined or left one.
        case familyChanged(FamilyChange)
        /// A fault was set, or was used and has calls left.
        case faultSet(Fault)
        /// A fault was removed or used up.
        case faultCleared(Fault)
    }

    /// Memberwise: the values are not checked.
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
