package import StoreModel

/// The labels of the console's switches, its sections and their empty states.
package enum ConsoleText: Hashable, Sendable {
    case mode(ConsoleMode), approvals
    case approvalKeys, noRequests, events, failuresHeading, failureKeys
    case failureTimes(Int?, isNext: Bool), realTime, rateOf(String, time: String)
    case nextOnTheClock, clockKeys(isStopped: Bool), inTime(String)
    case upcomingKind(UpcomingItem.Kind), failNextCalls(Fault.Call, Int?), more(Int)
    case overdue(since: String), refundOf(name: String)
    case addressField, addressHint, attempt(Int)
    /// Their receiver has failed; in the header, of which a narrow one has the short form.
    case notificationsWait(Int, isShort: Bool)
}
