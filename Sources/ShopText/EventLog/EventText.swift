package import StoreModel

/// The names of events and their contents.
package enum EventText: Hashable, Sendable {
    case sharedBefore(account: String), on, off, eventRenewed, eventRestored, eventDownload
    case eventCancelled, eventHeld, eventResent, eventDevice, eventTrouble, eventPurchased
    case eventRefunded, eventRevoked, eventReversed, eventDeleted, eventRenews, eventClock
    case eventRenewals, eventUnknown, eventDeferred, eventFailed, eventFinished
    case eventRefundRequested, eventRefundDeclined, eventPromoted, eventExpired, eventBilling
    case eventPriceIncrease, eventPlanChange, eventOffer, eventMoved, eventUpgraded
    case subscriptionEvent(SubscriptionEvent.Kind), eventClaimed, eventCatalog, eventAccount
    case eventFailure, stopped, running, unknownKind(Int)
    case claimedBy(transaction: String, device: String), revision(Int64)
    case packageIs(package: String, PackageState), accountAskToBuy(isOn: Bool)
    case accountPayments(areAllowed: Bool), eventFamily, sharedBy(account: String)
    case sharedByLine(account: String), sentence(String)
    case familyEvent(FamilyChange.What, organizer: String, product: String)
    case familyLine(members: String), familyOrganizer(String), familyChild(String)
    case noticeLine(AccountNotice.Kind, subject: String, accounts: String)
    case accountAsksBank(isOn: Bool), accountInterrupts(isOn: Bool), accountDialogs(isOn: Bool)
    case accountLocale(String?), clockMoved(by: String, to: String), clockMovedMessage(String)
    case failureForNext(error: String, call: Fault.Call, count: Int?), failureUsedUp(error: String)
    case failureLeft(error: String, count: Int?)
}
