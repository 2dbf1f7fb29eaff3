package import StoreModel

/// Something that happened: a person did it, or the store or the device told it. Named in the past
/// tense; what follows from it is the reducer's to say.
package enum ShopAction: Sendable {
    // What a person did.
    case selectionMoved(Movement)
    /// Left or right among buttons.
    case choiceMoved(Int)
    case quantityChanged(Int)
    case confirmed
    case wentBack
    case buyChosen
    case restoreChosen
    case downloadToggled
    case downloadCancelled
    case contentDeleted
    case searchOpened
    case searchTyped(String)
    case searchErased
    case consoleToggled
    case helpToggled
    case pointerToggled
    case requestApproved
    case requestDeclined
    case askToBuyToggled
    case paymentsToggled
    case faultSheetOpened
    case faultsCleared
    /// A click on a row of the list.
    case rowPointed(Int)
    /// A click on a button of the page, or of the sheet.
    case buttonPointed(Int)
    case quitChosen

    // What the screen told.
    case viewportChanged(Viewport)
    /// The shop is shown again, after Ctrl-Z or the console.
    case shown

    // What the store and the device told: much, and seldom, so it is kept apart from what a key
    // carries.
    indirect case opened(AccountSettings, holdsLease: Bool)
    /// The device was launched again after a rest.
    case relaunched(holdsLease: Bool)
    indirect case productsArrived(ProductsResponse)
    indirect case productsFailed(StoreError)
    indirect case accountArrived(AccountSnapshot)
    indirect case accountFailed(StoreError)
    indirect case consoleArrived(
        requests: [ApprovalRequest], faults: [Fault], settings: AccountSettings)
    indirect case consoleFailed(StoreError)
    indirect case searchIndexMade(SearchIndex)
    /// `ShopState.nextEnd` has come.
    case timePassed
    /// The system's clock is so far behind what the store has recorded.
    case clockWasSetBack(seconds: Int64)
    /// A download moved, or something else on the device did.
    case deviceChanged
    indirect case updateArrived(DeviceUpdate)
    case eventsArrived([ConsoleEvent])
    indirect case purchaseAnswered(Payment, PurchaseOutcome)
    indirect case purchaseFailed(Payment, StoreError)
    indirect case restoreEnded(RestoreSummary)
    indirect case restoreFailed(StoreError)
    indirect case approvalAnswered(ApprovalRequest, failure: StoreError?)
    indirect case requestWasDeclined(ApprovalRequest)
    indirect case accountChanged(AccountSettings)
    indirect case faultWasSet(Fault)
    case faultsWereCleared
    /// Something a person asked for could not be done.
    indirect case attemptFailed(StoreError)
    case catalogRefused(problem: String)
    /// Other processes are noticed only by looking each second.
    case watchingFailed

    package enum Movement: Hashable, Sendable {
        case up, down, pageUp, pageDown, first, last
        /// So many rows by the wheel.
        case rows(Int)
    }
}

/// What a reducer may not make up itself.
package struct ShopMoment: Sendable {
    package var now: Timestamp
    /// For a payment, should this action begin one.
    package var paymentID: PaymentID

    package init(now: Timestamp, paymentID: PaymentID) {
        self.now = now
        self.paymentID = paymentID
    }
}

extension ShopAction {
    /// The error an action reports.
    var error: StoreError? {
        if case .productsFailed(let error) = self { return error }
        if case .accountFailed(let error) = self { return error }
        if case .consoleFailed(let error) = self { return error }
        if case .purchaseFailed(_, let error) = self { return error }
        if case .restoreFailed(let error) = self { return error }
        if case .attemptFailed(let error) = self { return error }
        if case .updateArrived(.trouble(let error, _)) = self { return error }
        return nil
    }
}
