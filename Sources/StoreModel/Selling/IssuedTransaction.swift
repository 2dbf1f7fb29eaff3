/// A transaction as the store sends it: the signed text, and the fields by which a device stores
/// it. Only the signed text can be verified; no other field may unlock anything.
package struct IssuedTransaction: Codable, Hashable, Sendable {
    package var id: TransactionID
    package var productID: ProductID
    /// At the sale.
    package var type: ProductType
    /// 0 at the sale, one more with each later change. If a transaction has two signed texts, the
    /// text with the higher revision is valid.
    package var revision: Int
    /// At this revision, for one device or for the operator.
    package var signed: SignedTransaction
    /// The payment that the sale answers; nil for a renewal, a family member's share, and a
    /// purchase outside the app.
    package var payment: PaymentID?
    /// The units that one of a consumable grants, as recorded at the sale; a later catalog does not
    /// change them.
    package var grant: Grant?

    package init(
        id: TransactionID, productID: ProductID, type: ProductType, revision: Int = 0,
        signed: SignedTransaction, payment: PaymentID? = nil, grant: Grant? = nil
    ) {
        self.id = id
        self.productID = productID
        self.type = type
        self.revision = revision
        self.signed = signed
        self.payment = payment
        self.grant = grant
    }
}

/// How a transaction was changed after its sale. Stored as the raw value.
package enum RevisionKind: String, Codable, Sendable, CaseIterable {
    /// Money was returned, in full or in part, and as much of the purchase revoked.
    case refunded
    /// Without returning money.
    case revoked
    case refundReversed
    /// The end of a subscription's period was moved: later by an extension, or to now by the
    /// operator.
    case expiryMoved
    /// The customer changed to another plan at once; the rest of the period was given back
    /// (StoreKit: `isUpgraded`).
    case upgraded
    /// The app's backend set another `appAccountToken`.
    case tokenSet
}
