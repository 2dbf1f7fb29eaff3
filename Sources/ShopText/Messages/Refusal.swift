package import StoreModel

/// The reason why the shop did not carry out a key or a click.
package enum Refusal: Hashable, Sendable {
    /// The store is not open yet.
    case stillOpening
    case paymentsNotAllowed
    case alreadyOwned(name: String)
    case alreadyWaiting(name: String)
    case alreadyPurchasing(name: String)
    /// The product is the account's plan, and renews unchanged.
    case alreadyYourPlan(name: String)
    /// The account's subscription changes to this plan at `from`.
    case alreadyPlanned(name: String, from: Timestamp)
    /// Another subscription of the group is active, with this name.
    case groupTaken(by: String)
    case ownedElsewhere(name: String)
    /// No product is selected, and the key acts on one.
    case noProductSelected
    /// The action needs a transaction, and none is selected. The value is the name of the selected
    /// product, of which no transaction is known; nil if no product is selected.
    case noTransaction(of: String?)
    /// The action is about a subscription, and none is selected.
    case noSubscriptionSelected
    case nothingDownloading
    case nothingToCancel
    case noContentHere
    /// No content on this device has a newer version.
    case nothingToUpdate
    /// The download has already received more bytes than the byte of the fault.
    case downloadIsPast
    /// No fault of downloads is set.
    case noDownloadFaults
    case alreadyRestoring
    /// No approval request is chosen.
    case nothingWaiting
    /// Requests wait, but none of them is selected.
    case noRequestSelected
    /// No fault is set.
    case noFaults
    /// No promoted purchase is held.
    case nothingPromoted
    /// The account never subscribed to anything.
    case noSubscription
    /// Packages of content are files; only the command line can host them.
    case onCommandLine
    /// Nothing is due on the store's clock.
    case nothingDue
    /// The selection has no identifier or no signed text.
    case nothingToCopy
    /// The selected line is not an unfinished consumable that the account bought on another device.
    case nothingToClaim
    /// The action is for the operator of the whole store, but the console acts as this account.
    case operatorOnly(AccountName)
    /// The shop was opened for a customer (`--customer`).
    case noConsole
}
