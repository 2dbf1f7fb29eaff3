/// The facts of a sale, as events tell them.
package struct PastSale: Codable, Hashable, Sendable {
    package var id: TransactionID
    /// The first transaction of the chain; equal to `id` if the sale is no renewal and repeats no
    /// subscription (StoreKit: `originalID`).
    package var originalID: TransactionID
    package var productID: ProductID
    /// At the sale.
    package var type: ProductType
    /// 1 to 10.
    package var quantity: Int
    /// For the whole quantity.
    package var price: Money
    /// The payment that the sale answers; nil for a renewal, a family member's share, and a
    /// purchase outside the app.
    package var payment: PaymentID?
    /// Nil for a sale without a payment.
    package var device: DeviceName?
    /// Whether a person bought it, or a subscription renewed.
    package var reason: TransactionPayload.Reason
    /// Whether the account or a family member bought it.
    package var ownership: TransactionPayload.Ownership
    /// When the product was sold, or the renewed period began, in store time.
    package var purchasedAt: Timestamp
    /// Nil for every product but a subscription, and for a free one.
    package var expiresAt: Timestamp?
    /// ISO 3166-1 alpha-3.
    package var storefront: String
    /// Nil for a purchase of the account itself.
    package var sharedBy: AccountName?
    /// Of the offer that applied to the sale; nil without an offer.
    package var offerMode: OfferMode?
    /// Of the same offer.
    package var offerKind: OfferKind?

    /// `originalID` is `id` unless it is given.
    package init(
        id: TransactionID, originalID: TransactionID? = nil, productID: ProductID,
        type: ProductType, quantity: Int = 1, price: Money, payment: PaymentID? = nil,
        device: DeviceName? = nil, reason: TransactionPayload.Reason = .purchase,
        ownership: TransactionPayload.Ownership = .purchased, purchasedAt: Timestamp,
        expiresAt: Timestamp? = nil, storefront: String, sharedBy: AccountName? = nil,
        offerMode: OfferMode? = nil, offerKind: OfferKind? = nil
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
        self.offerKind = offerKind
    }
}

/// The facts of a change of a transaction after its sale, as events tell them.
package struct PastRevision: Codable, Hashable, Sendable {
    package var id: TransactionID
    package var kind: RevisionKind
    package var productID: ProductID
    /// The sum of this change alone: returned to the customer by a refund, charged again by its
    /// reversal. Nil for a revocation without money.
    package var money: Money?
    /// After this change; nil after a reversal.
    package var revocation: Revocation?
    /// Nil if this program cannot read it.
    package var sale: PastSale?

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

    /// The money that this change gave back to the customer: negative for the reversal of a refund,
    /// nil for a change without money.
    package var returned: Money? {
        switch kind {
        case .refunded, .upgraded: money
        case .refundReversed: money?.multiplied(by: -1)
        case .revoked, .expiryMoved, .tokenSet: nil
        }
    }
}
