package import StoreModel

/// Work that the reducer asks for. `ShopWorker` does it and answers with actions; `reopen`,
/// `setPointer`, `copy` and `quit` are done by the program that owns the screen.
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
    /// Make room for a product's download and go on (`ShopDevice.makeRoom`).
    case makeRoom(ProductID)
    case cancelDownload(ProductID)
    case deleteContent(ProductID)
    /// List the files of a product's content and read one: with nil the one that was open last,
    /// otherwise the first. Answered by `ReaderAction`.
    case openContent(ProductID, ContentFile?)
    /// The reader was closed: end the reading of the files that were listed last.
    case closeContent
    /// Keep where a file was left.
    case remember(ReadingPlace)
    /// Keep the person's settings on this device.
    case saveSettings(DeviceSettings)
    /// Cut or restore the device's network (`ShopDevice.setNetwork`).
    case setNetwork(NetworkChange)
    /// Replace the faults of this device's downloads (`ShopDevice.setDownloadFaults`).
    case setDownloadFaults(DownloadFaults)
    /// Sign the account in or out on this device (`ShopDevice.setSignedIn`).
    case setSignedIn(Bool)
    /// Take a request of the account back (`ShopDevice.withdraw`).
    case withdraw(TransactionID)
    /// Resolve an interrupted purchase (`ShopDevice.resolve`).
    case resolve(TransactionID)
    /// Take over another device's unfinished consumable (`ShopDevice.claim`).
    case claim(TransactionID)
    /// Ask for a refund (`ShopDevice.requestRefund`).
    case requestRefund(TransactionID, RefundReason)
    /// Forget a purchase that was begun outside the app (`ShopDevice.dropPromoted`).
    case dropPromoted(ProductID)
    /// Carry out an action of the operator (`StoreOperator.perform`).
    case perform(OperatorAction)
    /// Ask which of these actions would be refused now (`StoreOperator.refusal(of:)`).
    case findRefusals([OperatorAction])
    /// Read a page of an event log.
    case readLog(LogQuery)
    /// Read a transaction's signed text and verify it.
    case readTransaction(TransactionID, LogQuery.Scope)
    /// Read the sale of a transaction from the account's events. Answered by `PageAction`; not
    /// answered if it cannot be read.
    case readSale(TransactionID, of: ProductID)
    /// Read the history of a subscription, by its first transaction. Answered by
    /// `SubscriptionAction`.
    case readTimeline(TransactionID)
    /// Ask which offers of a product the account can have. Answered by `PaymentSheetAction`; a failure
    /// is not reported: the usual terms are known.
    case findOffers(ProductID)
    /// Ask for the product and offer of an offer code. Answered by `RedeemSheetAction`.
    case findRedemption(code: String)
    /// Open the management of a subscription (StoreKit: `showManageSubscriptions`), which can be made
    /// to fail. Answered by `SubscriptionAction` if it fails.
    case manageSubscriptions(TransactionID)
    /// Read the device's receipt and app transaction, or get a new receipt first. Answered by
    /// `ReceiptAction`.
    case readReceipt(refreshes: Bool)
    /// Add an entry to the device's log. A failure is not reported: the log is for people only.
    case log(DeviceLogEntry.What)
    /// Ask the terminal to put a text into the clipboard; `ShopAction.copyFailed` if it cannot.
    case copy(Copied)
    /// The store's files were replaced or deleted: open the ones that are there now.
    case reopen
    /// Switch mouse reporting on or off.
    case setPointer(Bool)
    case quit

    /// Whether it waits for the effects of this sort that were asked for before: what was kept last
    /// stays, and a file opens at the place that was kept before.
    var isInOrder: Bool {
        switch self {
        case .saveSettings, .remember, .openContent, .closeContent, .setNetwork, .setDownloadFaults,
            .setSignedIn:
            true
        case .loadProducts, .refreshAccount, .refreshConsole, .makeSearchIndex, .purchase,
            .restore, .pauseDownload, .resumeDownload, .consentToDownload, .makeRoom,
            .cancelDownload, .deleteContent,
            .withdraw, .resolve, .claim, .requestRefund, .dropPromoted, .perform, .findRefusals,
            .readLog,
            .readTransaction, .readSale, .readTimeline, .findOffers, .findRedemption,
            .manageSubscriptions, .readReceipt, .log, .copy, .reopen, .setPointer,
            .quit:
            false
        }
    }

    /// Whether the effect only reads the store or the device.
    package var isQuery: Bool {
        switch self {
        case .loadProducts, .refreshAccount, .refreshConsole, .findRefusals, .readLog,
            .readTransaction:
            true
        case .makeSearchIndex, .purchase, .restore, .pauseDownload, .resumeDownload,
            .consentToDownload, .makeRoom, .cancelDownload, .deleteContent, .openContent,
            .closeContent, .remember,
            .saveSettings, .setNetwork, .setDownloadFaults,
            .setSignedIn, .withdraw, .resolve, .claim, .requestRefund, .dropPromoted, .perform,
            .readSale,
            .readTimeline, .findOffers, .findRedemption, .manageSubscriptions, .readReceipt, .log,
            .copy, .reopen, .setPointer, .quit:
            false
        }
    }
}
