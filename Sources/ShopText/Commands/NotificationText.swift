package import StoreModel

/// Lines about notifications to the app's backend.
package enum NotificationText: Hashable, Sendable {
    /// Nil for no address.
    case sentTo(address: String?)
    case retries(Bool)
    /// Why notifications that are due are not sent, and how many wait.
    case obstacle(NotificationObstacle, waiting: Int)
    /// Notifications are due, and nobody tried them in time; the process that has the sender's lease.
    case waiting(Int, holder: String?)
    /// A move of the clock waits until so many notifications were tried.
    case clockWaits(Int, address: String)
    /// Notifications are due, and no process runs that sends them.
    case nobodySends(waiting: Int)
    case noNotifications, unknown(id: String), queued(id: String), dueAgain(Int)
    case state(OutboxItem.State)
    /// An attempt: how often it was tried, and how it ended last; the status of the answer, if any.
    case attempts(Int, last: SendAttemptResult?, status: Int?)
    /// How one attempt ended, in words and in the field's word.
    case attempt(SendAttemptResult, status: Int?)
    /// When a notification is sent next.
    case next(date: String)
    case listening(address: String)
    /// Notifications that were forwarded and whose lines nobody has read in time.
    case notListed(Int)
    /// A command waits until so many notifications were tried.
    case sending(Int, address: String)
    case triggered(kind: String), notCaused(kind: String), needs(TriggerNeed)
    case whyNever(NotificationType)
}
