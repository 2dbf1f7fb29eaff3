package import StoreModel

/// The reason why the shop did not carry out a key or a click.
package enum Refusal: Hashable, Sendable {
    case stillOpening
    /// A letter of another script was typed where letters act.
    case keysAreLatin
    case paymentsNotAllowed
    case alreadyOwned(name: String)
    /// A feature that the product with this name unlocks.
    case locked(name: String)
    case alreadyWaiting(name: String)
    case alreadyPurchasing(name: String)
    /// The product is the account's plan, and renews unchanged.
    case alreadyYourPlan(name: String)
    case alreadyPlanned(name: String, from: Timestamp)
    /// Another subscription of the group is active, with this name.
    case groupTaken(by: String)
    case ownedElsewhere(name: String)
    case noProductSelected
    /// No product for sale has this identifier; `nearest` is the most similar that one has.
    case noSuchProduct(String, nearest: String?)
    /// The selected product, of which no transaction is known; nil if no product is selected.
    case noTransaction(of: String?)
    case noSubscriptionSelected
    case nothingDownloading
    case nothingToCancel
    case noContentHere
    case nothingToUpdate
    /// The device is offline, and knows of no newer version.
    case updatesUnknown
    /// The download has already received more bytes than the byte of the fault.
    case downloadIsPast
    case noDownloadFaults
    case alreadyRestoring
    case nothingWaiting
    /// Requests wait, but none of them is selected.
    case noRequestSelected
    case noFaults
    case nothingHeld
    case alreadyRefunded(TransactionID)
    /// The typed text is no address to which the store sends notifications.
    case notReachable
    /// The account never subscribed to anything.
    case noSubscription
    /// Packages of content are files; only the command line can host them.
    case onCommandLine
    /// Only this command does it.
    case inShell(command: String)
    case nothingDue
    /// The event log is not loaded to its end, so it cannot be sorted.
    case logTooLong
    /// The selection has no identifier or no signed text.
    case nothingToCopy
    /// The selected line is not an unfinished consumable that the account bought on another device.
    case nothingToClaim
    /// The action is for the operator of the whole store, but the console acts as this account.
    case operatorOnly(AccountName)
    /// The shop was opened for a customer (`--customer`).
    case noConsole
}
