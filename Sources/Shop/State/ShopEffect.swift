package import ShopText
package import StoreModel

/// Work that the reducer requests. `ShopWorker` performs it and answers with actions; the program
/// that owns the screen performs `reopen`, `reset`, `continueAs`, `setPointer`, `copy` and `quit`.
package enum ShopEffect: Hashable, Sendable {
    case loadProducts
    case refreshAccount
    /// Read requests, faults and settings for the console.
    case refreshConsole
    case makeSearchIndex([Product], revision: Int64?)
    case purchase(Payment)
    case restore
    /// On one package of the product, or on all.
    case content(ContentOperation, ProductID, package: String? = nil)
    /// Nil reads the file that was open last, otherwise the first. Answered by `ReaderAction`.
    case openContent(ProductID, ContentFile?)
    /// Spend what opening the package of a file costs, then open the file.
    case openPackage(ProductID, ContentFile)
    /// Stop reading the files that were listed last, because the reader was closed.
    case closeContent
    /// Store the place at which the customer left a file.
    case remember(ReadingPlace)
    /// Without the theme and the language.
    case saveSettings(DeviceSettings)
    /// Of the account, as the theme and the language are.
    case setValue(AccountValue)
    case setNetwork(NetworkChange)
    case setDownloadFaults(DownloadFaults)
    case setSignedIn(Bool)
    /// Withdraw an approval request of the account (`ShopDevice.withdraw`).
    case withdraw(TransactionID)
    /// Resolve an interrupted purchase (`ShopDevice.resolve`).
    case resolve(TransactionID)
    /// Take over an unfinished consumable from another device (`ShopDevice.claim`).
    case claim(TransactionID)
    case requestRefund(TransactionID, RefundReason)
    case dropPromoted(ProductID)
    /// Forget a held payment (`ShopDevice.drop`). Answered as a purchase if the store has decided
    /// it, otherwise by `HeldPurchaseAction`.
    case dropPayment(Payment)
    /// Answer an app that asks to have a payment confirmed (`ShopDevice.answer`).
    case answer(PaymentID, AskedPayment.Answer)
    /// Carry out an action of the operator (`StoreOperator.perform`).
    case perform(OperatorAction)
    /// Find which of these actions the store would refuse now (`StoreOperator.refusal(of:)`).
    case findRefusals([OperatorAction])
    case readLog(LogQuery)
    /// Read a transaction's signed text and verify it.
    case readTransaction(TransactionID, LogQuery.Scope)
    /// From the account's events. Answered by `PageAction`; a failure is not reported.
    case readSale(TransactionID, of: ProductID)
    /// By its identifier, also one that is not in the app's list. Answered by `PageAction`.
    case findProduct(ProductID)
    /// By the original transaction id. Answered by `SubscriptionAction`.
    case readTimeline(TransactionID)
    /// For which the account is eligible. Answered by `PaymentSheetAction`; a failure is not
    /// reported, because the usual terms are known without an answer.
    case findOffers(ProductID)
    /// Answered by `RedeemSheetAction`.
    case findRedemption(code: String)
    /// StoreKit: `showManageSubscriptions`. `SubscriptionAction` reports a failure (a fault's).
    case manageSubscriptions(TransactionID)
    /// After a refresh, if `refreshes`. Answered by `ReceiptAction`.
    case readReceipt(refreshes: Bool)
    /// Tick the trials by the history. Answered by `TrialsAction`.
    case readTrials
    /// Read what the store's own server has answered and sends; only what the header tells of it,
    /// unless `isWhole`. Answered by `ServerAction`, as the next two.
    case readServer(isWhole: Bool)
    /// Verify and decode a notification as it is sent.
    indirect case inspect(QueuedNotification)
    case changeServer(ServerChange)
    /// A failure is not reported: no function depends on the log.
    case log(DeviceLogEntry.What)
    /// Put a text into the clipboard, or into tmux's buffer inside tmux; `ShopAction.copyFailed` if
    /// that cannot be.
    case copy(Copied)
    /// Open the store again (`Reopening`).
    case reopen
    /// Empty the store, and open it again.
    case reset
    /// Continue as this account on this device, in the same store.
    case continueAs(AccountName, on: DeviceName)
    case setPointer(Bool)
    case quit

    /// Waits for earlier ones of this kind: the last value remains, a file opens at its place.
    var isInOrder: Bool {
        switch self {
        case .saveSettings, .setValue, .remember, .openContent, .openPackage, .closeContent,
            .setNetwork, .setDownloadFaults, .setSignedIn:
            true
        default: false
        }
    }

    /// Whether the effect only reads the store or the device.
    package var isQuery: Bool {
        switch self {
        case .loadProducts, .refreshAccount, .refreshConsole, .findRefusals, .readLog,
            .readTransaction, .readTrials, .readServer, .inspect:
            true
        default: false
        }
    }
}
