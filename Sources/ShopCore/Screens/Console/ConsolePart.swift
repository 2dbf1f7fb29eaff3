package import StoreModel

/// The console's part of the state.
package struct ConsolePart: Hashable, Sendable {
    /// Requests that wait for approval, oldest first.
    package var requests: [ApprovalRequest] = []
    /// An index in `requests`; -1 if none is chosen.
    package var chosenRequest = 0
    /// The request being answered. No other is answered meanwhile, however often the key repeats.
    var answering: TransactionID?
    /// Whether a change of the account's settings is under way.
    var isChangingAccount = false
    /// Newest first, at most `eventsMax`.
    package var events: [ConsoleEvent] = []
    /// How far the log is scrolled, in rows.
    package var eventScroll = 0
    /// How many events there were since the store was opened.
    package var eventCount = 0

    static let eventsMax = 500
}
