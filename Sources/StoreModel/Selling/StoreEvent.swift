/// One event of the store: an entry of the feed, of a history, and of the answer to an operator's
/// action.
///
/// A reader of the feed gets the events after its cursor at least once, in order. A device's feed
/// tells of a transaction what its signed text tells (`ofDevice`); the operator's feed and the
/// histories have all facts.
package struct StoreEvent: Codable, Hashable, Sendable {
    /// The position of the event's entry in the ledger. Events of one entry share it.
    package var cursor: FeedCursor
    /// The event's index among the events of its entry, from 0. Cursor and index together identify
    /// the event.
    package var index: Int
    /// In store time.
    package var at: Timestamp
    /// When the event took effect, in store time. A renewal or expiry took effect when it was due,
    /// even if it was recorded later because the clock had been moved past that time.
    package var happenedAt: Timestamp
    /// Nil if the event concerns all accounts.
    package var account: AccountName?
    /// The device whose request caused the event; nil if no device did.
    package var device: DeviceName?
    package var change: Change
    /// The sale of a transaction that the change only names; nil in the feed, and if this program
    /// cannot read the sale.
    package var namedSale: PastSale?
    /// The transaction of a sale or revision with its text, signed for the feed's reader; nil in a
    /// history, because signing every transaction of a page would cost far more than reading it.
    /// `Store.transaction` and `StoreOperator.transaction` make a signed text on request.
    package var issued: IssuedTransaction?

    /// The kinds of events, with their facts.
    package enum Change: Codable, Hashable, Sendable {
        /// A sale, from a payment, an approved request, a renewal or a family share.
        case sold(PastSale)
        /// A transaction was changed after its sale; its revision replaces earlier ones.
        case revised(PastRevision)
        /// A transaction was deleted from history; devices revoke their grants for it.
        case deleted(TransactionID, productID: ProductID, revision: Int)
        /// Auto-renew of a subscription was turned on or off; `chain` is its original transaction.
        /// `commitmentEnds` is the end of the commitment, until which its payments continue
        /// although auto-renew is off; nil without one.
        case autoRenewChanged(
            chain: TransactionID, productID: ProductID, isOn: Bool, commitmentEnds: Timestamp? = nil
        )
        /// A subscription changed as a whole, such as by its expiry.
        case subscriptionChanged(SubscriptionEvent)
        /// A payment waits under this number, for the reason given (StoreKit: `pending`).
        case deferred(Payment, request: TransactionID, reason: RequestReason)
        /// A payment failed; nothing was charged. `request` is its approval request, if it had one.
        case failed(Payment, StoreError, request: TransactionID?)
        /// The customer asked for a refund; it waits for the operator's answer.
        case refundRequested(RefundRequest)
        case refundDeclined(RefundRequest)
        /// The customer began to buy this product outside the app (StoreKit: `PurchaseIntent`); the
        /// app may continue the purchase at once or later.
        case promoted(ProductID)
        /// The customer cancelled before paying. No transaction follows.
        case purchaseCancelled(ProductID)
        /// StoreKit: `finish()`.
        case finished(TransactionID)
        /// A device claimed an unfinished consumable and is to deliver it.
        case claimed(TransactionID, by: DeviceName)
        /// A new catalog revision is sold from then on. `release` is the release of a hosted
        /// package that the revision added or put into another state, as it was from then on; nil
        /// if the revision has another cause. `takesOffSale` is true if a product was for sale
        /// before and is not any more, otherwise nil.
        case catalogRevised(
            revision: Int64, release: PackageRelease? = nil, takesOffSale: Bool? = nil)
        /// As they were from then on.
        case accountChanged(AccountSettings)
        /// As it was from then on.
        case familyChanged(FamilyChange)
        /// A device set or removed one of the account's small values.
        case valueChanged(AccountValue)
        case clockSet(ClockState)
        case renewalsSet(RenewalSettings)
        /// As they are from then on.
        case serverSet(ServerSettings)
        /// The app's backend told what was consumed of a purchase.
        case consumptionAnswered(ConsumptionAnswer)
        /// An extension for all subscribers of a product came to its end.
        case extensionDone(ExtensionOutcome)
        /// A fault was set, or was used and has calls left.
        case faultSet(Fault)
        case faultCleared(Fault)
        /// An entry that a newer program wrote and this one does not know.
        case unknown(kind: Int)
    }

    /// `happenedAt` is `at` unless it is given.
    package init(
        cursor: FeedCursor, index: Int = 0, at: Timestamp, happenedAt: Timestamp? = nil,
        account: AccountName?, device: DeviceName?, change: Change, namedSale: PastSale? = nil,
        issued: IssuedTransaction? = nil
    ) {
        self.cursor = cursor
        self.index = index
        self.at = at
        self.happenedAt = happenedAt ?? at
        self.account = account
        self.device = device
        self.change = change
        self.namedSale = namedSale
        self.issued = issued
    }

    /// The event as the feed of a device tells it: of a transaction only what its signed text
    /// tells, without what the operator knows besides.
    package var ofDevice: StoreEvent {
        var event = self
        event.index = 0
        event.happenedAt = at
        event.namedSale = nil
        switch change {
        case .sold(var sale):
            sale.sharedBy = nil
            event.change = .sold(sale)
        case .revised(let revision):
            event.change = .revised(
                PastRevision(id: revision.id, kind: revision.kind, productID: revision.productID))
        default: break
        }
        return event
    }
}

extension StoreEvent.Change {
    package var kind: EventKind {
        switch self {
        case .sold: .sold
        case .revised(let revision): EventKind(revision.kind)
        case .deleted: .deleted
        case .autoRenewChanged(_, _, let isOn, _): isOn ? .autoRenewEnabled : .autoRenewDisabled
        case .subscriptionChanged(let event): event.eventKind
        case .deferred: .deferred
        case .refundRequested: .refundRequested
        case .refundDeclined: .refundDeclined
        case .promoted: .promoted
        case .purchaseCancelled: .purchaseCancelled
        case .failed: .failed
        case .finished: .finished
        case .claimed: .claimed
        case .catalogRevised: .catalogRevised
        case .accountChanged: .accountChanged
        case .familyChanged(let change): change.eventKind
        case .valueChanged: .valueChanged
        case .clockSet: .clockSet
        case .renewalsSet: .renewalsSet
        case .serverSet: .serverSet
        case .consumptionAnswered: .consumptionAnswered
        case .extensionDone: .extensionDone
        case .faultSet: .faultSet
        case .faultCleared: .faultCleared
        case .unknown: .unknown
        }
    }

    package var productID: ProductID? {
        switch self {
        case .sold(let sale): sale.productID
        case .revised(let revision): revision.productID
        case .deleted(_, let product, _), .autoRenewChanged(_, let product, _, _),
            .promoted(let product), .purchaseCancelled(let product):
            product
        case .subscriptionChanged(let event): event.productID
        case .refundRequested(let request), .refundDeclined(let request): request.productID
        case .familyChanged(let change): change.productID
        case .catalogRevised(_, let release, _): release?.productID
        case .consumptionAnswered(let answer): answer.productID
        case .extensionDone(let outcome): outcome.request.productID
        default: unsoldPayment?.productID
        }
    }

    package var transactionID: TransactionID? {
        switch self {
        case .sold(let sale): sale.id
        case .revised(let revision): revision.id
        case .deleted(let id, _, _), .finished(let id), .claimed(let id, _): id
        case .autoRenewChanged(let chain, _, _, _): chain
        case .subscriptionChanged(let event): event.chain
        case .refundRequested(let request), .refundDeclined(let request): request.transactionID
        case .consumptionAnswered(let answer): answer.transactionID
        default: nil
        }
    }

    package var requestID: TransactionID? {
        switch self {
        case .deferred(_, let request, _): request
        case .failed(_, _, let request): request
        case .subscriptionChanged(let event): event.answers?.request
        default: nil
        }
    }

    package var paymentID: PaymentID? {
        switch self {
        case .sold(let sale): sale.payment
        case .revised(let revision): revision.sale?.payment
        case .subscriptionChanged(let event): event.answers?.paymentID
        default: unsoldPayment?.id
        }
    }

    /// Nil for any change but one of a payment without a sale.
    fileprivate var unsoldPayment: Payment? {
        switch self {
        case .deferred(let payment, _, _), .failed(let payment, _, _): payment
        default: nil
        }
    }

    package var error: StoreError? {
        if case .failed(_, let error, _) = self { error } else { nil }
    }

    /// Nil for any change but one of an account.
    package var settings: AccountSettings? {
        if case .accountChanged(let settings) = self { settings } else { nil }
    }
}

extension StoreEvent {
    package var kind: EventKind { change.kind }
    package var transactionID: TransactionID? { change.transactionID }
    package var requestID: TransactionID? { change.requestID }
    package var error: StoreError? { change.error }

    /// Nil if the event concerns no sale, or this program cannot read the sale.
    package var sale: PastSale? {
        switch change {
        case .sold(let sale): sale
        case .revised(let revision): revision.sale
        default: namedSale
        }
    }

    package var productID: ProductID? { change.productID ?? sale?.productID }

    package var paymentID: PaymentID? { change.paymentID ?? sale?.payment }

    /// Of the purchase, or of the payment that sold nothing.
    package var quantity: Int? { sale?.quantity ?? change.unsoldPayment?.quantity }

    /// The sum charged for the whole quantity, or that would have been charged; nil if the event
    /// concerns no purchase, or the sum does not fit 64 bits.
    package var price: Money? {
        if let sale { return sale.price }
        guard let payment = change.unsoldPayment else { return nil }
        let one = payment.shownPrice
        let (sum, isTooLarge) = one.milliunits.multipliedReportingOverflow(
            by: Int64(payment.quantity))
        return isTooLarge ? nil : Money(milliunits: sum, currency: one.currency)
    }
}
