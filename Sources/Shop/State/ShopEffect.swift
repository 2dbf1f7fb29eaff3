package import ShopText
package import StoreModel

/// Work that the reducer requests. `ShopWorker` performs it and answers with actions; the program
/// that owns the screen performs `reopen`, `setPointer`, `copy` and `quit`.
package enum ShopEffect: Hashable, Sendable {
    /// Read the products for sale.
    case loadProducts
    /// Read the account's snapshot (`AccountSnapshot`).
    case refreshAccount
    /// Read requests, faults and settings for the console.
    case refreshConsole
    case makeSearchIndex([Product], revision: Int64?)
    case purchase(Payment)
    case restore
    case pauseDownload(ProductID)
    case resumeDownload(ProductID)
    /// Download a product's large content on a metered connection (`ShopDevice.consentToDownload`).
    case consentToDownload(ProductID)
    /// Make room for a product's download and resume it (`ShopDevice.makeRoom`).
    case makeRoom(ProductID)
    case cancelDownload(ProductID)
    case deleteContent(ProductID)
    /// List the files of a product's content and read one; nil reads the file that was open last,
    /// otherwise the first. Answered by `ReaderAction`.
    case openContent(ProductID, ContentFile?)
    /// Stop reading the files that were listed last, because the reader was closed.
    case closeContent
    /// Store the place at which the customer left a file.
    case remember(ReadingPlace)
    /// Store the device settings that the customer has chosen.
    case saveSettings(DeviceSettings)
    /// Cut or restore the device's network (`ShopDevice.setNetwork`).
    case setNetwork(NetworkChange)
    /// Replace the faults of this device's downloads (`ShopDevice.setDownloadFaults`).
    case setDownloadFaults(DownloadFaults)
    /// Sign the account in or out on this device (`ShopDevice.setSignedIn`).
    case setSignedIn(Bool)
    /// Withdraw an approval request of the account (`ShopDevice.withdraw`).
    case withdraw(TransactionID)
    /// Resolve an interrupted purchase (`ShopDevice.resolve`).
    case resolve(TransactionID)
    /// Take over an unfinished consumable from another device (`ShopDevice.claim`).
    case claim(TransactionID)
    /// Ask for a refund (`ShopDevice.requestRefund`).
    case requestRefund(TransactionID, RefundReason)
    /// Drop a promoted purchase (`ShopDevice.dropPromoted`).
    case dropPromoted(ProductID)
    /// Carry out an action of the operator (`StoreOperator.perform`).
    case perform(OperatorAction)
    /// Find which of these actions the store would refuse now (`StoreOperator.refusal(of:)`).
    case findRefusals([OperatorAction])
    /// Read a page of an event log.
    case readLog(LogQuery)
    /// Read a transaction's signed text and verify it.
    case readTransaction(TransactionID, LogQuery.Scope)
    /// Read the sale of a transaction from the account's events. Answered by `PageAction`; a
    /// failure is not reported.
    case readSale(TransactionID, of: ProductID)
    /// Read the history of the subscription with this original transaction id. Answered by
    /// `SubscriptionAction`.
    case readTimeline(TransactionID)
    /// Find the offers of a product for which the account is eligible. Answered by
    /// `PaymentSheetAction`; a failure is not reported, because the usual terms are known without
    /// an answer.
    case findOffers(ProductID)
    /// Find the product and offer of an offer code. Answered by `RedeemSheetAction`.
    case findRedemption(code: String)
    /// Open the management of a subscription (StoreKit: `showManageSubscriptions`), for which a
    /// fault can be set. `SubscriptionAction` reports a failure.
    case manageSubscriptions(TransactionID)
    /// Read the device's receipt and app transaction, or first refresh the receipt. Answered by
    /// `ReceiptAction`.
    case readReceipt(refreshes: Bool)
    /// Add an entry to the device's log. A failure is not reported: no function depends on the log.
    case log(DeviceLogEntry.What)
    /// Ask the terminal to put a text into the clipboard; `ShopAction.copyFailed` if it cannot.
    case copy(Copied)
    /// Open the store's files again, because they were replaced or deleted.
    case reopen
    /// Switch mouse reporting on or off.
    case setPointer(Bool)
    case quit

    /// Whether the effect waits for earlier effects of this kind: the value stored last remains,
    /// and a file opens at the place that was stored before.
    var isInOrder: Bool {
        switch self {
        case .saveSettings, .remember, .openContent, .closeContent, .setNetwork, .setDownloadFaults,
            .setSignedIn:
            true
        default: false
        }
    }

    /// Whether the effect only reads the store or the device.
    package var isQuery: Bool {
        switch self {
        case .loadProducts, .refreshAccount, .refreshConsole, .findRefusals, .readLog,
            .readTransaction:
            true
        default: false
        }
    }
}
