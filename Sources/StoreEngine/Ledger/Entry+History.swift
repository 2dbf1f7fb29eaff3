package import StoreModel

extension Entry.Fact {
    /// The kind of the fact's events; nil for a fact that appears in no feed and no history.
    package var eventKind: EventKind? {
        switch self {
        case .storeOpened, .extensionAsked: nil
        case .catalogRevised: .catalogRevised
        case .accountChanged: .accountChanged
        case .familyChanged: .familyChanged
        case .deferred: .deferred
        case .failed: .failed
        case .refundRequested: .refundRequested
        case .refundDeclined: .refundDeclined
        case .promoted: .promoted
        case .purchaseCancelled: .purchaseCancelled
        case .sold: .sold
        case .finished: .finished
        case .claimed: .claimed
        case .faultSet: .faultSet
        case .faultSpent(let fault): fault.isInForce ? .faultSet : .faultCleared
        case .faultsCleared: .faultCleared
        case .revised(let revision): revision.change.eventKind
        case .autoRenewChanged(let change): change.isOn ? .autoRenewEnabled : .autoRenewDisabled
        case .subscriptionChanged(let change): change.event.eventKind
        case .clockSet: .clockSet
        case .renewalsSet: .renewalsSet
        case .unknown: .unknown
        }
    }

    /// The product that the fact names. The facts `finished` and `claimed` name only a transaction.
    package var productID: ProductID? {
        switch self {
        case .deferred(let payment, _), .failed(let payment, _): payment.productID
        case .refundRequested(let request), .refundDeclined(let request): request.productID
        case .promoted(let product), .purchaseCancelled(let product): product
        case .sold(let sale): sale.productID
        case .revised(let revision): revision.productID
        case .autoRenewChanged(let change): change.productID
        case .familyChanged(let change): change.productID
        case .subscriptionChanged(let change): change.event.productID
        case .extensionAsked(let request): request.productID
        case .catalogRevised(let revision): revision.package?.productID
        case .storeOpened, .accountChanged, .finished, .claimed, .faultSet,
            .faultSpent, .faultsCleared, .clockSet, .renewalsSet, .unknown:
            nil
        }
    }
}

extension TransactionRevision.Change {
    fileprivate var eventKind: EventKind {
        switch self {
        case .refunded: .refunded
        case .revoked: .revoked
        case .refundReversed: .refundReversed
        case .expiryMoved: .expiryMoved
        case .upgraded: .upgraded
        case .deleted: .deleted
        }
    }
}
