package import StoreModel

/// The names of events and their contents.
package enum EventText: Hashable, Sendable {
    case sharedBefore(account: String), on, off, eventName(EventKind), eventRenewed, eventRestored
    case eventDownload, eventHeld, eventResent, eventDevice, eventTrouble
    case subscriptionEvent(SubscriptionEvent.Kind), stopped, running, unknownKind(Int)
    case claimedBy(transaction: String, device: String), revision(Int64)
    case packageIs(package: String, PackageState), accountSwitch(AccountSwitch, isOn: Bool)
    case sharedBy(account: String), sharedByLine(account: String), sentence(String)
    /// `reader` is the account of the person who reads it, who is spoken to; nil for none.
    case familyEvent(FamilyChange.What, organizer: String, product: String, reader: String?)
    case familyLine(members: String), familyOrganizer(String), familyChild(String)
    case noticeLine(AccountNotice.Kind, subject: String, accounts: String), accountLocale(String?)
    case clockMoved(by: String, to: String), clockMovedMessage(String)
    case failureForNext(error: String, call: Fault.Call, count: Int?), failureUsedUp(error: String)
    case failureLeft(error: String, count: Int?), lateBy(String), lasting(String)
    case renewalPayments(fail: Bool), gracePeriod(isOn: Bool)
    case renewalLimit(RenewalsChange.Limit, inDay: Bool)
}
