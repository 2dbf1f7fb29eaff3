package import StoreModel

/// The last thing that happened, for the line above the footer. Words are made where it is drawn.
package struct StatusMessage: Hashable, Sendable {
    package var at: Timestamp
    package var what: What

    package enum What: Hashable, Sendable {
        case asking(name: String)
        case bought(name: String, quantity: Int, price: Price?, isDownloading: Bool)
        /// A subscription went on by itself.
        case renewed(name: String, until: Timestamp?)
        case alreadyOwned(name: String)
        case pending(name: String)
        case cancelled(name: String)
        case failed(name: String, StoreError)
        /// Whether the payment arrived is not known.
        case outcomeUnknown(name: String, StoreError)
        /// A payment of a process that has ended is sent again.
        case resending(PastPayment)
        /// The same, too old or too large for that: a person decides.
        case held(PastPayment)
        case unverified(VerificationError)
        case restoring
        case restored(count: Int, alreadyHere: Int, unverified: Int)
        case restoreFailed(StoreError)
        case downloaded(name: String)
        case downloadPaused(name: String)
        case downloadResumed(name: String)
        case downloadCancelled(name: String)
        case downloadFailed(name: String, StoreError)
        case contentDeleted(name: String)
        case approved(name: String)
        case declined(name: String)
        /// The store changed what was sold before.
        case revised(name: String, RevisionKind)
        case deleted(name: String)
        case clockSet(ClockState, now: Timestamp)
        /// The system's clock was set back; the store's runs on.
        case clockSetBack(seconds: Int64)
        /// What is shown holds as of then: what was due since cannot be recorded.
        case overdue(since: Timestamp)
        case askToBuy(isOn: Bool)
        case payments(areAllowed: Bool)
        case faultSet(StoreError.Code, isNext: Bool)
        case faultsCleared
        case priceChanged(name: String)
        case catalogRevised
        case catalogRefused(problem: String)
        case trouble(StoreError)
        case refused(Refusal)
        case tookOver
        case reopened
        case notWatching
        case pointer(isOn: Bool)
    }
}

/// A queued payment in words a person knows it by.
package struct PastPayment: Hashable, Sendable {
    package var name: String
    package var quantity: Int
    /// For all of it; nil while the product is not known here.
    package var price: Price?
    package var queuedAt: Timestamp

    init(_ queued: QueuedPayment, in state: ShopState) {
        let payment = queued.payment
        name = state.name(of: payment.productID)
        quantity = payment.quantity
        price = state.productList.product(payment.productID).map {
            Price(
                money: payment.shownPrice.multiplied(by: payment.quantity),
                locale: $0.priceLocale)
        }
        queuedAt = queued.queuedAt
    }
}

/// Why a key does nothing here.
package enum Refusal: Hashable, Sendable {
    case stillOpening
    case paymentsNotAllowed
    case alreadyOwned(name: String)
    case alreadyWaiting(name: String)
    case alreadyPurchasing(name: String)
    case groupTaken(by: String)
    case ownServer(name: String)
    case ownedElsewhere(name: String)
    case nothingDownloading
    case nothingToCancel
    case noContentHere
    case alreadyRestoring
    case nothingWaiting
    case noFaults
    case noConsole
}
