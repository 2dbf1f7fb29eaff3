/// One event of a history. It has the facts of the feed's `StoreEvent`, but no signed text: signing
/// every transaction of a page would cost far more than reading it. `Store.transaction` and
/// `StoreOperator.transaction` make a signed text on request.
package struct PastEvent: Codable, Hashable, Sendable {
    /// The position of the event's entry in the ledger. Events of one entry share it.
    package var cursor: FeedCursor
    /// The event's index among the events of its entry, from 0. Cursor and index together identify
    /// the event.
    package var index: Int
    /// When the event was recorded, in store time.
    package var at: Timestamp
    /// When the event took effect, in store time. A renewal or expiry took effect when it was due,
    /// even if it was recorded later because the clock had been moved past that time.
    package var happenedAt: Timestamp
    /// The account that the event concerns; nil if it concerns all accounts.
    package var account: AccountName?
    /// The device whose request caused the event; nil if no device did.
    package var device: DeviceName?
    /// The change that the event records.
    package var change: Change

    /// The change that an event records, with the sale, money or dates that a history shows of it.
    package enum Change: Codable, Hashable, Sendable {
        /// A sale.
        case sold(PastSale)
        /// A transaction was changed after its sale.
        case revised(PastRevision)
        /// A transaction was deleted. The sale is nil if this program cannot read it.
        case deleted(TransactionID, productID: ProductID, PastSale?)
        /// Auto-renew of a subscription was turned on or off; `chain` is its original transaction.
        /// `commitmentEnds` is the end of the commitment, until which its payments continue; nil
        /// without one.
        case autoRenewChanged(
            chain: TransactionID, productID: ProductID, isOn: Bool, commitmentEnds: Timestamp? = nil
        )
        /// A subscription changed as a whole, such as by its expiry.
        case subscriptionChanged(SubscriptionEvent)
        /// A payment waited under this number, for the reason given.
        case deferred(Payment, request: TransactionID, reason: RequestReason)
        /// A payment failed; nothing was charged. `request` is its approval request, if it had one.
        case failed(Payment, StoreError, request: TransactionID?)
        /// The customer asked for a refund. The sale is nil if this program cannot read it.
        case refundRequested(RefundRequest, PastSale?)
        /// The operator declined a refund. The sale is nil if this program cannot read it.
        case refundDeclined(RefundRequest, PastSale?)
        /// The customer began to buy this product outside the app.
        case promoted(ProductID)
        /// The customer cancelled before paying.
        case purchaseCancelled(ProductID)
        /// A transaction was finished. The sale is nil if this program cannot read it.
        case finished(TransactionID, PastSale?)
        /// A device took over an unfinished consumable. The sale is nil if this program cannot read
        /// it.
        case claimed(TransactionID, PastSale?, by: DeviceName)
        /// A catalog revision with `productCount` products came into force. `release` is the
        /// release of a hosted package that the revision added or put into another state, as it was
        /// from then on; nil if the revision has another cause.
        case catalogRevised(revision: Int64, productCount: Int, release: PackageRelease? = nil)
        /// An account's settings, as they were from then on.
        case accountChanged(AccountSettings)
        /// The account's family, as it was from then on.
        case familyChanged(FamilyChange)
        /// The operator moved, stopped or resumed the store's clock.
        case clockSet(ClockState)
        /// The settings by which subscriptions renewed from then on.
        case renewalsSet(RenewalSettings)
        /// A fault was set, or was used and had calls left.
        case faultSet(Fault)
        /// A fault was removed or used up.
        case faultCleared(Fault)
        /// An entry that a newer program wrote and this one does not know.
        case unknown(kind: Int)
    }

    /// Memberwise; `happenedAt` is `at` unless it is given.
    package init(
        cursor: FeedCursor, index: Int = 0, at: Timestamp, happenedAt: Timestamp? = nil,
        account: AccountName?, device: DeviceName?, change: Change
    ) {
        self.cursor = cursor
        self.index = index
        self.at = at
        self.happenedAt = happenedAt ?? at
        self.account = account
        self.device = device
        self.change = change
    }
}

/// A sale as a history shows it.
package struct PastSale: Codable, Hashable, Sendable {
    /// The transaction's number.
    package var id: TransactionID
    /// The first transaction of the chain; equal to `id` if the sale is no renewal and repeats no
    /// subscription (StoreKit: `originalID`).
    package var originalID: TransactionID
    /// The product that was sold.
    package var productID: ProductID
    /// The product's type at the sale.
    package var type: ProductType
    /// 1 to 10.
    package var quantity: Int
    /// The sum charged for the whole quantity.
    package var price: Money
    /// The payment that the sale answers; nil for a renewal, a family member's share, and a
    /// purchase outside the app.
    package var payment: PaymentID?
    /// The device that sent the payment; nil for a sale without a payment.
    package var device: DeviceName?
    /// Whether a person bought it, or a subscription renewed.
    package var reason: TransactionPayload.Reason
    /// Whether the account or a family member bought it.
    package var ownership: TransactionPayload.Ownership
    /// When the product was sold, or the renewed period began, in store time.
    package var purchasedAt: Timestamp
    /// When a subscription's period ends; nil for every other product and a free subscription.
    package var expiresAt: Timestamp?
    /// The territory it was sold in, ISO 3166-1 alpha-3.
    package var storefront: String
    /// The family member who bought it; nil for a purchase of the account itself.
    package var sharedBy: AccountName?
    /// The payment mode of the offer that applied to the sale; nil without an offer.
    package var offerMode: OfferMode?

    /// Memberwise; `originalID` is `id` unless it is given.
    package init(
        id: TransactionID, originalID: TransactionID? = nil, productID: ProductID,
        type: ProductType, quantity: Int = 1, price: Money, payment: PaymentID? = nil,
        device: DeviceName? = nil, reason: TransactionPayload.Reason = .purchase,
        ownership: TransactionPayload.Ownership = .purchased, purchasedAt: Timestamp,
        expiresAt: Timestamp? = nil, storefront: String, sharedBy: AccountName? = nil,
        offerMode: OfferMode? = nil
    ) {
        self.id = id
        self.originalID = originalID ?? id
        self.productID = productID
        self.type = type
        self.quantity = quantity
        self.price = price
        self.payment = payment
        self.device = device
        self.reason = reason
        self.ownership = ownership
        self.purchasedAt = purchasedAt
        self.expiresAt = expiresAt
        self.storefront = storefront
        self.sharedBy = sharedBy
        self.offerMode = offerMode
    }
}

/// A change of a transaction after its sale, as a history shows it.
package struct PastRevision: Codable, Hashable, Sendable {
    /// The transaction's number.
    package var id: TransactionID
    /// The kind of change.
    package var kind: RevisionKind
    /// The product that was sold.
    package var productID: ProductID
    /// The sum of this change alone: returned to the customer by a refund, charged again by its
    /// reversal. Nil for a revocation without money.
    package var money: Money?
    /// All that is revoked of the transaction after this change; nil after a reversal.
    package var revocation: Revocation?
    /// The sale that was changed; nil if this program cannot read it.
    package var sale: PastSale?

    /// Memberwise: the values are not checked.
    package init(
        id: TransactionID, kind: RevisionKind, productID: ProductID, money: Money? = nil,
        revocation: Revocation? = nil, sale: PastSale? = nil
    ) {
        self.id = id
        self.kind = kind
        self.productID = productID
        self.money = money
        self.revocation = revocation
        self.sale = sale
    }
}

extension PastEvent {
    /// The event's kind, by which histories are filtered.
    package var kind: EventKind {
        switch change {
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
        case .familyChanged: .familyChanged
        case .clockSet: .clockSet
        case .renewalsSet: .renewalsSet
        case .faultSet: .faultSet
        case .faultCleared: .faultCleared
        case .unknown: .unknown
        }
    }

    /// The sale that the event concerns; nil if it concerns none, or this program cannot read the
    /// sale.
    package var sale: PastSale? {
        switch change {
        case .sold(let sale): sale
        case .revised(let revision): revision.sale
        case .deleted(_, _, let sale), .finished(_, let sale), .claimed(_, let sale, _),
            .refundRequested(_, let sale), .refundDeclined(_, let sale):
            sale
        case .autoRenewChanged, .subscriptionChanged, .deferred, .failed, .catalogRevised,
            .accountChanged, .familyChanged, .clockSet, .renewalsSet, .faultSet, .faultCleared,
            .promoted,
            .purchaseCancelled, .unknown:
            nil
        }
    }

    /// The payment of an event without a sale; nil for any other event.
    private var unsoldPayment: Payment? {
        switch change {
        case .deferred(let payment, _, _), .failed(let payment, _, _): payment
        case .sold, .revised, .deleted, .autoRenewChanged, .subscriptionChanged, .finished,
            .claimed, .catalogRevised, .accountChanged, .familyChanged, .clockSet, .renewalsSet,
            .faultSet, .faultCleared, .refundRequested, .refundDeclined, .promoted,
            .purchaseCancelled, .unknown:
            nil
        }
    }

    /// The product that the event concerns, if any.
    package var productID: ProductID? {
        switch change {
        case .revised(let revision): revision.productID
        case .deleted(_, let product, _), .autoRenewChanged(_, let product, _, _),
            .promoted(let product), .purchaseCancelled(let product):
            product
        case .subscriptionChanged(let event): event.productID
        case .refundRequested(let request, _), .refundDeclined(let request, _): request.productID
        case .familyChanged(let change): change.productID
        case .catalogRevised(_, _, let release): release?.productID
        case .sold, .deferred, .failed, .finished, .claimed, .accountChanged, .clockSet,
            .renewalsSet, .faultSet, .faultCleared, .unknown:
            sale?.productID ?? unsoldPayment?.productID
        }
    }

    /// The transaction that the event concerns, if any; for a change of a subscription its first
    /// transaction.
    package var transactionID: TransactionID? {
        switch change {
        case .sold(let sale): sale.id
        case .revised(let revision): revision.id
        case .deleted(let id, _, _), .finished(let id, _), .claimed(let id, _, _): id
        case .autoRenewChanged(let chain, _, _, _): chain
        case .subscriptionChanged(let event): event.chain
        case .refundRequested(let request, _), .refundDeclined(let request, _):
            request.transactionID
        case .deferred, .failed, .catalogRevised, .accountChanged, .familyChanged, .clockSet,
            .renewalsSet, .faultSet, .faultCleared, .promoted, .purchaseCancelled, .unknown:
            nil
        }
    }

    /// The approval request that the event concerns, if any.
    package var requestID: TransactionID? {
        switch change {
        case .deferred(_, let request, _): request
        case .failed(_, _, let request): request
        case .subscriptionChanged(let event): event.answers?.request
        case .sold, .revised, .deleted, .autoRenewChanged, .finished, .claimed, .catalogRevised,
            .accountChanged, .familyChanged, .clockSet, .renewalsSet,
            .faultSet, .faultCleared, .refundRequested, .refundDeclined, .promoted,
            .purchaseCancelled, .unknown:
            nil
        }
    }

    /// The payment that the event concerns, if any.
    package var paymentID: PaymentID? {
        if case .subscriptionChanged(let event) = change { return event.answers?.paymentID }
        return sale?.payment ?? unsoldPayment?.id
    }

    /// The quantity of the purchase, or of the payment that sold nothing.
    package var quantity: Int? { sale?.quantity ?? unsoldPayment?.quantity }

    /// The sum charged for the whole quantity, or that would have been charged; nil if the event
    /// concerns no purchase, or the sum does not fit 64 bits.
    package var price: Money? {
        if let sale { return sale.price }
        guard let unsoldPayment else { return nil }
        let one = unsoldPayment.shownPrice
        let (sum, isTooLarge) = one.milliunits.multipliedReportingOverflow(
            by: Int64(unsoldPayment.quantity))
        return isTooLarge ? nil : Money(milliunits: sum, currency: one.currency)
    }

    /// Why a payment failed; nil for any other event.
    package var error: StoreError? {
        if case .failed(_, let error, _) = change { error } else { nil }
    }
}
