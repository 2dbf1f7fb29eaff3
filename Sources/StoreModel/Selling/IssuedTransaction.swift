/// A transaction as the store hands it out: the signed text, and around it what is needed to file
/// it. Only the signed text can be verified; nothing else here unlocks anything.
package struct IssuedTransaction: Codable, Hashable, Sendable {
    package var id: TransactionID
    package var productID: ProductID
    package var type: ProductType
    /// 0 as it was sold; each change of the transaction is the next. Of two texts the one with the
    /// higher revision holds.
    package var revision: Int
    package var signed: SignedTransaction
    /// The payment it answers; nil for a renewal, a family member's share and a purchase outside
    /// the app.
    package var payment: PaymentID?
    /// What one of a consumable grants, as it was sold, whatever the catalog says by now.
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

/// What changed about a transaction after its sale.
package enum RevisionKind: String, Codable, Sendable, CaseIterable {
    case refunded
    /// Taken back without money.
    case revoked
    case refundReversed
}
