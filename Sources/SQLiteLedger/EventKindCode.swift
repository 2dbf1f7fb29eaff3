import StoreModel

/// The number of an event's kind in the column `kind` of `history`. Never renumber one.
enum EventKindCode: Int {
    case sold = 1
    case deferred = 2
    case failed = 3
    case finished = 4
    case claimed = 5
    case refunded = 6
    case revoked = 7
    case refundReversed = 8
    case deleted = 9
    case autoRenewEnabled = 10
    case autoRenewDisabled = 11
    case accountChanged = 12
    case catalogRevised = 13
    case clockSet = 14
    case renewalsSet = 15
    case faultSet = 16
    case faultCleared = 17
    case unknown = 18
    case refundRequested = 19
    case refundDeclined = 20
    case promoted = 21
    case purchaseCancelled = 22
    case familyChanged = 23
    case expired = 30
    case billingFailed = 31
    case priceIncrease = 32
    case planChange = 33
    case expiryMoved = 34
    case upgraded = 35
    case offerRedeemed = 40

    var kind: EventKind {
        switch self {
        case .sold: .sold
        case .deferred: .deferred
        case .failed: .failed
        case .finished: .finished
        case .claimed: .claimed
        case .refunded: .refunded
        case .revoked: .revoked
        case .refundReversed: .refundReversed
        case .deleted: .deleted
        case .autoRenewEnabled: .autoRenewEnabled
        case .autoRenewDisabled: .autoRenewDisabled
        case .accountChanged: .accountChanged
        case .catalogRevised: .catalogRevised
        case .clockSet: .clockSet
        case .renewalsSet: .renewalsSet
        case .faultSet: .faultSet
        case .faultCleared: .faultCleared
        case .unknown: .unknown
        case .refundRequested: .refundRequested
        case .refundDeclined: .refundDeclined
        case .promoted: .promoted
        case .purchaseCancelled: .purchaseCancelled
        case .familyChanged: .familyChanged
        case .expired: .expired
        case .billingFailed: .billingFailed
        case .priceIncrease: .priceIncrease
        case .planChange: .planChange
        case .expiryMoved: .expiryMoved
        case .upgraded: .upgraded
        case .offerRedeemed: .offerRedeemed
        }
    }

    init(_ kind: EventKind) {
        self =
            switch kind {
            case .sold: .sold
            case .deferred: .deferred
            case .failed: .failed
            case .finished: .finished
            case .claimed: .claimed
            case .refunded: .refunded
            case .revoked: .revoked
            case .refundReversed: .refundReversed
            case .deleted: .deleted
            case .autoRenewEnabled: .autoRenewEnabled
            case .autoRenewDisabled: .autoRenewDisabled
            case .accountChanged: .accountChanged
            case .catalogRevised: .catalogRevised
            case .clockSet: .clockSet
            case .renewalsSet: .renewalsSet
            case .faultSet: .faultSet
            case .faultCleared: .faultCleared
            case .unknown: .unknown
            case .refundRequested: .refundRequested
            case .refundDeclined: .refundDeclined
            case .promoted: .promoted
            case .purchaseCancelled: .purchaseCancelled
            case .familyChanged: .familyChanged
            case .expired: .expired
            case .billingFailed: .billingFailed
            case .priceIncrease: .priceIncrease
            case .planChange: .planChange
            case .expiryMoved: .expiryMoved
            case .upgraded: .upgraded
            case .offerRedeemed: .offerRedeemed
            }
    }
}
