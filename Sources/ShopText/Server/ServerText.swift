/// The screen of the store's own server, and what the message row says of it.
package enum ServerText: Hashable, Sendable {
    case notificationsTitle, requestsTitle, readingServer, noNotificationsYet, noRequestsYet
    /// Nil for no address.
    case sentTo(address: String?)
    /// The address was set on another machine.
    case ofOtherHost(address: String)
    case addressField, addressHint, addressRefused, noAddressSet
    /// Their receiver has failed; in the header, of which a narrow one has the short form.
    case notificationsWait(Int, isShort: Bool)
    /// By `NotificationKind`.
    case sending(kind: String)
    /// They are due, and the process with the right to send tried none of them.
    case notTried(Int, holder: String?)
    case stateFact, uuidFact, attemptFact(Int), nextFact, statusFact, timeFact
    case payloadPart, transactionPart, renewalPart
    case nextAttempt(at: String), tries(Int)
    case milliseconds(String)
}
