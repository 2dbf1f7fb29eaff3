package import StoreModel

/// Something that happened: a person pressed a key or clicked, the window changed, or the store or
/// the device reported something. Cases are named in the past tense; the reducer decides what
/// follows (`ShopState.reduce`).
package enum ShopAction: Sendable {
    // By a person, to the component that has the focus.

    case selectionMoved(Movement)
    /// Left (negative) or right (positive) among buttons.
    case choiceMoved(Int)
    /// Enter.
    case confirmed
    /// Esc.
    case wentBack
    /// An action of one component; see its folder in `Screens`.
    case component(any ComponentAction)

    // By a person, on every screen.

    case viewChosen(ShopView)
    /// To the next pane (1) or the one before (-1); among rows or buttons where there is one pane.
    case focusMoved(Int)
    /// To the console, or from there to the shop.
    case consoleToggled
    case helpToggled
    /// Opens the filter of the event log in sight, otherwise the search of the product list.
    case searchOpened
    case buyChosen
    case restoreChosen
    /// Pause, resume or download, whichever applies to the selected product.
    case downloadToggled
    case downloadCancelled
    case contentDeleted
    /// Mouse reporting on or off.
    case pointerToggled
    case quitChosen

    // By the screen.

    /// The window has another size, which `ShopMoment.viewport` measures.
    case resized
    /// The shop is shown again, after Ctrl-Z.
    case shown

    // By the store and the device. `indirect`, because these values are large and rare: the action
    // of a key stays small.

    /// The store was opened and the device launched.
    indirect case opened(AccountSettings, holdsLease: Bool)
    /// The device was launched again after it was suspended (Ctrl-Z).
    case relaunched(holdsLease: Bool)
    /// The answer to `ShopEffect.loadProducts`.
    indirect case productsArrived(ProductsResponse, asOf: Timestamp? = nil)
    indirect case productsFailed(StoreError)
    /// The answer to `ShopEffect.refreshAccount`.
    indirect case accountArrived(AccountSnapshot)
    indirect case accountFailed(StoreError)
    /// The answer to `ShopEffect.refreshConsole`.
    indirect case consoleArrived(
        requests: [ApprovalRequest], faults: [Fault], settings: AccountSettings)
    indirect case consoleFailed(StoreError)
    /// The next due items and the store's clock, which the worker reads with `refreshConsole`.
    indirect case scheduleArrived([UpcomingItem], ClockState)
    /// The answer to `ShopEffect.readLog`.
    indirect case logArrived(LogQuery, LogPage)
    indirect case logFailed(LogQuery, StoreError)
    /// The answer to `ShopEffect.readTransaction`.
    indirect case transactionArrived(SignedDetails, LogQuery.Scope)
    indirect case transactionFailed(TransactionID, LogQuery.Scope, StoreError)
    indirect case searchIndexMade(SearchIndex)
    /// The store's time has reached `ShopState.Deadlines.nextEnd`.
    case timePassed
    /// The elapsed time has reached `StatusMessage.fadesAt`.
    case messageFaded
    /// The system's clock is this far behind the last entry that the store recorded.
    case clockWasSetBack(seconds: Int64)
    /// The store took in a new catalog, on which there is something to remark. The notice is for the
    /// message row, and the remarks for the device's log: the catalog's warnings, then its settings.
    case catalogOpened(notice: String, remarks: [String])
    /// A download has changed, or an effect may have changed the device's records.
    case deviceChanged
    /// From the transaction observer, in order.
    indirect case updateArrived(DeviceUpdate)
    /// From the feed of all accounts, in order, for the event logs.
    case eventsArrived([StoreEvent])
    indirect case purchaseAnswered(Payment, PurchaseOutcome)
    indirect case purchaseFailed(Payment, StoreError)
    indirect case restoreEnded(RestoreSummary)
    indirect case restoreFailed(StoreError)
    /// The answer to `ShopEffect.perform`.
    indirect case operatorPerformed(OperatorOutcome)
    indirect case operatorRefused(OperatorAction, StoreError)
    /// The answer to `ShopEffect.findRefusals`: why each action that would be refused would be.
    indirect case refusalsFound([OperatorAction: StoreError], asked: [OperatorAction])
    indirect case refusalsFailed(StoreError, asked: [OperatorAction])
    /// Something without a failure case of its own failed: a command of a person, the console's
    /// feed, the launch after Ctrl-Z, a new catalog.
    indirect case attemptFailed(StoreError)
    /// The edited catalog has an error; the store keeps selling the last good one.
    case catalogRefused(problem: String)
    /// The terminal could not be asked to copy (`ShopEffect.copy`).
    indirect case copyFailed(Copied)
    /// Files cannot be watched: commits of other processes are noticed only once a second, or
    /// changes of the catalog file once in two seconds.
    case watchingFailed
}

extension ShopAction {
    /// The error that an action reports. `mustReopen` checks it for `storeReplaced`.
    var error: StoreError? {
        if case .productsFailed(let error) = self { return error }
        if case .accountFailed(let error) = self { return error }
        if case .consoleFailed(let error) = self { return error }
        if case .logFailed(_, let error) = self { return error }
        if case .transactionFailed(_, _, let error) = self { return error }
        if case .purchaseFailed(_, let error) = self { return error }
        if case .restoreFailed(let error) = self { return error }
        if case .attemptFailed(let error) = self { return error }
        if case .operatorRefused(_, let error) = self { return error }
        if case .refusalsFailed(let error, _) = self { return error }
        if case .updateArrived(.trouble(let error, in: _, ended: _)) = self { return error }
        if case .component(let action) = self, case .failed(_, let error)? = action as? ReaderAction
        {
            return error
        }
        if case .component(let action) = self,
            case .timelineFailed(_, let error)? = action as? SubscriptionAction
        {
            return error
        }
        if case .component(let action) = self,
            case .failed(_, let error)? = action as? RedeemSheetAction
        {
            return error
        }
        return nil
    }
}
