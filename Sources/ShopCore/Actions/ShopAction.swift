package import StoreModel

/// Something that happened: a person pressed a key or clicked, the window changed, or the store or
/// the device reported something. Cases are named in the past tense; the reducer decides what
/// follows (`ShopState.reduce`).
package enum ShopAction: Sendable {
    // By a person.

    /// On the list, a page, a sheet, the console or the help.
    case selectionMoved(Movement)
    /// Left (negative) or right (positive) among buttons.
    case choiceMoved(Int)
    /// By this many, on the payment sheet.
    case quantityChanged(Int)
    /// Enter.
    case confirmed
    /// Esc.
    case wentBack
    case buyChosen
    case restoreChosen
    /// Pause, resume or download, whichever applies to the selected product.
    case downloadToggled
    case downloadCancelled
    case contentDeleted
    case searchOpened
    case searchTyped(String)
    /// Backspace: the last character of the search.
    case searchErased
    case consoleToggled
    case helpToggled
    /// Mouse reporting on or off.
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

    // By the screen.

    case viewportChanged(Viewport)
    /// The shop is shown again, after Ctrl-Z.
    case shown

    // By the store and the device. `indirect`, because these values are large and rare: the action
    // of a key stays small.

    /// The store was opened and the device launched.
    indirect case opened(AccountSettings, holdsLease: Bool)
    /// The device was launched again after it was suspended (Ctrl-Z).
    case relaunched(holdsLease: Bool)
    /// The answer to `ShopEffect.loadProducts`.
    indirect case productsArrived(ProductsResponse)
    indirect case productsFailed(StoreError)
    /// The answer to `ShopEffect.refreshAccount`.
    indirect case accountArrived(AccountSnapshot)
    indirect case accountFailed(StoreError)
    /// The answer to `ShopEffect.refreshConsole`.
    indirect case consoleArrived(
        requests: [ApprovalRequest], faults: [Fault], settings: AccountSettings)
    indirect case consoleFailed(StoreError)
    indirect case searchIndexMade(SearchIndex)
    /// The store's time has reached `ShopState.nextEnd`.
    case timePassed
    /// The system's clock is this far behind the last entry that the store recorded.
    case clockWasSetBack(seconds: Int64)
    /// A download has changed, or an effect may have changed the device's records.
    case deviceChanged
    /// From the transaction observer, in order.
    indirect case updateArrived(DeviceUpdate)
    /// From the feed of all accounts, in order, for the console's log.
    case eventsArrived([ConsoleEvent])
    indirect case purchaseAnswered(Payment, PurchaseOutcome)
    indirect case purchaseFailed(Payment, StoreError)
    indirect case restoreEnded(RestoreSummary)
    indirect case restoreFailed(StoreError)
    /// The operator's approval was carried out; `failure` if the purchase then failed.
    indirect case approvalAnswered(ApprovalRequest, failure: StoreError?)
    indirect case requestWasDeclined(ApprovalRequest)
    indirect case accountChanged(AccountSettings)
    indirect case faultWasSet(Fault)
    case faultsWereCleared
    /// Something without a failure case of its own failed: a command of a person, the console's
    /// feed, the launch after Ctrl-Z, a new catalog.
    indirect case attemptFailed(StoreError)
    /// The edited catalog has an error; the store keeps selling the last good one.
    case catalogRefused(problem: String)
    /// Files cannot be watched: commits of other processes are noticed only once a second, or
    /// changes of the catalog file once in two seconds.
    case watchingFailed

    /// A step of the selection, or of what is scrolled.
    package enum Movement: Hashable, Sendable {
        case up, down, pageUp, pageDown, first, last
        /// A number of rows, by the mouse wheel; negative is up.
        case rows(Int)
    }
}

/// The inputs of the reducer that must come from outside so that it stays pure: time and chance.
package struct ShopMoment: Sendable {
    /// The store's time.
    package var now: Timestamp
    /// The id of the payment, if this action starts one. It must not have been used before.
    package var paymentID: PaymentID

    package init(now: Timestamp, paymentID: PaymentID) {
        self.now = now
        self.paymentID = paymentID
    }
}

extension ShopAction {
    /// The error that an action reports. `mustReopen` checks it for `storeReplaced`.
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
