import StoreModel

extension EventKind {
    /// The number of the kind in the column `kind` of `history`. Never renumber one.
    var code: Int {
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
    init?(code: Int) {
        guard let kind = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = kind
    }
}
