/// The kinds of events, as a person filters a history by them. The raw value is the event's name in
/// JSON and on the command line.
package enum EventKind: String, Codable, Hashable, Sendable, CaseIterable {
    /// A sale, from a payment, an approved request, a renewal or a family share.
    case sold
    /// A payment waits for approval.
    case deferred
    /// A payment failed; nothing was charged.
    case failed
    /// The customer cancelled before paying; no transaction follows.
    case purchaseCancelled
    /// The customer began to buy outside the app.
    case promoted
    case refundRequested
    case refundDeclined
    case finished
    /// A device took over an unfinished consumable.
    case claimed
    /// Money was returned, and as much of the purchase revoked.
    case refunded
    /// A purchase was revoked without returning money.
    case revoked
    /// A refund or revocation was undone.
    case refundReversed
    case deleted
    case autoRenewEnabled
    case autoRenewDisabled
    case expired
    /// Charging for a renewal failed, or is still being tried.
    case billingFailed
    /// A subscriber was asked to accept a higher price, was notified of one, or consented.
    case priceIncrease
    /// A change of plan was planned for the next renewal, or a planned change was withdrawn.
    case planChange
    /// A customer redeemed an offer that begins with the next renewal.
    case offerRedeemed
    case expiryMoved
    /// A subscription's period was ended by a change to another plan.
    case upgraded
    case accountChanged
    case familyChanged
    case catalogRevised
    case clockSet
    case renewalsSet
    /// A fault was set, or was used and has calls left.
    case faultSet
    case faultCleared
    /// An entry that a newer program wrote and this one does not know.
    case unknown

    package init(_ kind: RevisionKind) {
        self =
            switch kind {
            case .refunded: .refunded
            case .revoked: .revoked
            case .refundReversed: .refundReversed
            case .expiryMoved: .expiryMoved
            case .upgraded: .upgraded
            }
    }
}
