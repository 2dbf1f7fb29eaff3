package import ShopText
package import StoreModel

/// Something that happened: a person pressed a key or clicked, the window changed, or the store or
/// the device reported something. Cases are named in the past tense; the reducer decides what
/// follows (`ShopState.reduce`).
package enum ShopAction: Sendable {
    // Caused by a person; handled by the component that has the focus.

    case selectionMoved(Movement)
    /// Left (negative) or right (positive) among buttons.
    case choiceMoved(Int)
    /// The Enter key.
    case confirmed
    /// The Esc key.
    case wentBack
    /// An action of one component; see its folder in `Screens`.
    case component(any ComponentAction)

    // Caused by a person; the same on every screen.

    case viewChosen(ShopView)
    /// To the next pane (1) or the previous one (-1); with one pane, among its rows or buttons.
    case focusMoved(Int)
    /// Whether the pane with the focus takes the whole body.
    case zoomChosen(Bool)
    /// Shows the console, or the shop if the console is shown.
    case consoleToggled
    case helpToggled
    /// Opens the filter of the event log in sight, otherwise the search of the product list.
    case searchOpened
    case buyChosen
    case restoreChosen
    /// Pauses, resumes or starts the selected product's download, whichever applies.
    case downloadToggled
    /// An operation on the selected product's content, which may ask first.
    case contentChosen(ContentOperation)
    case pointerToggled
    case quitChosen
    /// A letter of a script that no key is bound to, where no text is typed.
    case otherLetterTyped

    // Caused by the screen.

    /// The window's size has changed; `ShopMoment.viewport` has the new measures.
    case resized
    /// The shop is shown again, after Ctrl-Z.
    case shown

    // Caused by the store and the device. `indirect`, because these values are large and rare, and
    // the frequent actions of keys should stay small.

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
    /// The next due items and the store's clock, read with `refreshConsole`.
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
    /// The system's clock is behind the last entry that the store recorded, by this many seconds.
    case clockWasSetBack(seconds: Int64)
    /// The store has loaded a catalog that has remarks. The notice is for the message row; the
    /// remarks, first the catalog's warnings, then its settings, are for the device's log.
    case catalogOpened(notice: String, remarks: [String])
    /// A download has changed, or an effect may have changed the device's records.
    case deviceChanged
    /// An update of the transaction observer, in the order of its stream.
    indirect case updateArrived(DeviceUpdate)
    /// Events of all accounts for the event logs, in ledger order.
    case eventsArrived([StoreEvent])
    indirect case purchaseAnswered(Payment, PurchaseOutcome)
    indirect case purchaseFailed(Payment, StoreError)
    indirect case restoreEnded(RestoreSummary)
    indirect case restoreFailed(StoreError)
    /// The answer to `ShopEffect.perform`.
    indirect case operatorPerformed(OperatorOutcome)
    indirect case operatorRefused(OperatorAction, StoreError)
    /// The answer to `ShopEffect.findRefusals`: the error of each action that would be refused.
    indirect case refusalsFound([OperatorAction: StoreError], asked: [OperatorAction])
    indirect case refusalsFailed(StoreError, asked: [OperatorAction])
    /// An operation without its own failure case failed: a command of a person, the console's feed,
    /// the launch after Ctrl-Z, or a new catalog.
    indirect case attemptFailed(StoreError)
    /// A store that was opened without its server can be opened itself.
    case storeAnswers
    /// The edited catalog has an error; the store keeps selling the last good one.
    case catalogRefused(problem: String)
    /// The program could not give the text to the clipboard (`ShopEffect.copy`).
    indirect case copyFailed(Copied, to: Clipboard)
    /// Other processes' commits are noticed only once a second, catalog changes every two seconds.
    case watchingFailed
    /// The person's settings have mistakes.
    case settingsRead(mistakes: Int)
}

extension ShopAction {
    /// Nil for an action without one. `reasonToReopen` checks it for `storeReplaced`.
    var error: StoreError? {
        switch self {
        case .productsFailed(let error), .accountFailed(let error), .consoleFailed(let error),
            .logFailed(_, let error), .transactionFailed(_, _, let error),
            .purchaseFailed(_, let error), .restoreFailed(let error), .attemptFailed(let error),
            .operatorRefused(_, let error), .refusalsFailed(let error, _),
            .updateArrived(.trouble(let error, in: _, ended: _)):
            return error
        case .component(let action):
            if case .failed(_, let error)? = action as? ReaderAction { return error }
            if case .timelineFailed(_, let error)? = action as? SubscriptionAction { return error }
            if case .failed(_, let error)? = action as? RedeemSheetAction { return error }
            if case .findingFailed(_, let error)? = action as? PageAction { return error }
            if case .failed(_, let error)? = action as? ServerAction { return error }
        default: break
        }
        return nil
    }
}
