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
    /// The customer asked for a refund.
    case refundRequested
    /// The operator declined a customer's refund request.
    case refundDeclined
    /// A transaction was finished.
    case finished
    /// A device took over an unfinished consumable.
    case claimed
    /// Money was returned, and as much of the purchase revoked.
    case refunded
    /// A purchase was revoked without returning money.
    case revoked
    /// A refund or revocation was undone.
    case refundReversed
    /// A transaction was deleted from history.
    case deleted
    /// Auto-renew of a subscription was turned on.
    case autoRenewEnabled
    /// Auto-renew of a subscription was turned off.
    case autoRenewDisabled
    /// A subscription expired.
    case expired
    /// Charging for a renewal failed, or is still being tried.
    case billingFailed
    /// A subscriber was asked to accept a higher price, was notified of one, or consented.
    case priceIncrease
    /// A change of plan was planned for the next renewal, or a planned change was withdrawn.
    case planChange
    /// A customer redeemed an offer that begins with the next renewal.
    case offerRedeemed
    /// The end of a subscription's period was moved.
    case expiryMoved
    /// A subscription's period was ended by a change to another plan.
    case upgraded
    /// An account's settings were recorded or changed.
    case accountChanged
    /// A family was founded or changed, or an account joined or left it.
    case familyChanged
    /// A new catalog revision came into force.
    case catalogRevised
    /// The operator moved, stopped or resumed the store's clock.
    case clockSet
    /// The settings by which subscriptions renew were changed.
    case renewalsSet
    /// A fault was set, or was used and has calls left.
    case faultSet
    /// A fault was removed or used up.
    case faultCleared
    /// An entry that a newer program wrote and this one does not know.
    case unknown

    /// The kind of event that a revision makes.
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

    /// The number under which the indexes of histories store the kind. Never renumber one.
    package var code: Int {
        switch self {
        case .sold: 1
        case .deferred: 2
        case .failed: 3
        case .finished: 4
        case .claimed: 5
        case .refunded: 6
        case .revoked: 7
        case .refundReversed: 8
        case .deleted: 9
        case .autoRenewEnabled: 10
        case .autoRenewDisabled: 11
        case .accountChanged: 12
        case .catalogRevised: 13
        case .clockSet: 14
        case .renewalsSet: 15
        case .faultSet: 16
        case .faultCleared: 17
        case .unknown: 18
        case .refundRequested: 19
        case .refundDeclined: 20
        case .promoted: 21
        case .purchaseCancelled: 22
        case .familyChanged: 23
        case .expired: 30
        case .billingFailed: 31
        case .priceIncrease: 32
        case .planChange: 33
        case .expiryMoved: 34
        case .upgraded: 35
        case .offerRedeemed: 40
        }
    }

    /// The kind with this number; nil for a number of a newer program.
    package init?(code: Int) {
        guard let kind = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = kind
    }
}
