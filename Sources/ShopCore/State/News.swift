package import StoreModel

/// The last thing that happened, for the line above the footer. Words are made where it is drawn.
package struct News: Hashable, Sendable {
    package var at: Timestamp
    package var what: What

    package enum What: Hashable, Sendable {
        case asking(name: String)
        case bought(name: String, quantity: Int, price: Price?, isDownloading: Bool)
        case alreadyOwned(name: String)
        case pending(name: String)
        case cancelled(name: String)
        case failed(name: String, StoreError)
        /// Whether the payment arrived is not known.
        case outcomeUnknown(name: String, StoreError)
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
}
