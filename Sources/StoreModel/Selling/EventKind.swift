/// The kinds of events (`StoreEvent.Change`), as a person filters a history by them. The raw value
/// is the event's name in JSON and on the command line.
package enum EventKind: String, Codable, Hashable, Sendable, CaseIterable {
    case sold, deferred, failed, purchaseCancelled, promoted, refundRequested, refundDeclined
    case finished, claimed, refunded, revoked, refundReversed, deleted
    case autoRenewEnabled, autoRenewDisabled, expired
    /// Charging for a renewal failed, or is still being tried.
    case billingFailed
    /// A subscriber was asked to accept a higher price, was notified of one, or consented.
    case priceIncrease
    /// A change of plan was planned for the next renewal, or a planned change was withdrawn.
    case planChange
    /// A customer redeemed an offer that begins with the next renewal.
    case offerRedeemed
    case expiryMoved
    /// By a change to another plan.
    case upgraded
    /// The app's backend set another `appAccountToken`.
    case tokenSet
    /// The app's backend told what was consumed of a purchase.
    case consumptionAnswered
    /// An extension for all subscribers came to its end.
    case extensionDone
    case accountChanged, familyChanged
    /// A parent withdrew the consent to the app for a child.
    case consentRescinded
    case valueChanged, catalogRevised, clockSet, renewalsSet
    /// The keys of the server's API changed, or the address of its notifications.
    case serverSet
    case faultSet, faultCleared, unknown

    package init(_ kind: RevisionKind) {
        self =
            switch kind {
            case .refunded: .refunded
            case .revoked: .revoked
            case .refundReversed: .refundReversed
            case .expiryMoved: .expiryMoved
            case .upgraded: .upgraded
            case .tokenSet: .tokenSet
            }
    }

    /// Between the store and the app's backend: no device is told.
    package var isOfBackend: Bool {
        [.serverSet, .extensionDone, .consumptionAnswered, .consentRescinded].contains(self)
    }

    /// In the indexes of histories. Never renumber one.
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
        case .valueChanged: 24
        case .expired: 30
        case .billingFailed: 31
        case .priceIncrease: 32
        case .planChange: 33
        case .expiryMoved: 34
        case .upgraded: 35
        case .offerRedeemed: 40
        case .serverSet: 41
        case .tokenSet: 42
        case .consumptionAnswered: 43
        case .extensionDone: 44
        case .consentRescinded: 45
        }
    }

    /// Nil for a number of a newer program.
    package init?(code: Int) {
        guard let kind = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = kind
    }
}
