package import Foundation

/// A notification that the store has to send, as it was made. It never changes.
package struct QueuedNotification: Codable, Hashable, Sendable {
    /// The field's `notificationUUID`, the same in every attempt. It is computed from the entry that
    /// the notification tells of, so that the same entry never gives two.
    package var id: UUID
    package var kind: NotificationKind
    /// When the event happened, in store time (`signedDate`).
    package var at: Timestamp
    /// The customer it is about; nil if it is about none.
    package var account: AccountName?
    /// Nil for a notification about no transaction.
    package var transaction: TransactionID?
    package var productID: ProductID?
    package var contents: NotificationContents
    /// When it is sent first; nil if it was made while there was no address.
    package var next: Timestamp?

    package init(
        id: UUID, kind: NotificationKind, at: Timestamp, account: AccountName? = nil,
        contents: NotificationContents, next: Timestamp?
    ) {
        self.id = id
        self.kind = kind
        self.at = at
        self.account = account
        self.contents = contents
        self.next = next
        transaction = contents.transaction?.transactionId
        productID = contents.transaction?.productId ?? contents.summary?.productId
    }
}

/// One attempt to send a notification.
package struct OutboxAttempt: Codable, Hashable, Sendable {
    /// When it began, in store time.
    package var at: Timestamp
    package var result: SendAttemptResult
    /// How long it took, in elapsed time.
    package var milliseconds: Int
    /// Of the answer; nil without one.
    package var status: Int?

    package init(at: Timestamp, result: SendAttemptResult, milliseconds: Int, status: Int?) {
        self.at = at
        self.result = result
        self.milliseconds = milliseconds
        self.status = status
    }
}

/// An attempt that has ended, of a notification of the outbox.
package struct EndedAttempt: Hashable, Sendable {
    package var id: UUID
    /// As `OutboxItem.changedAt` when it began.
    package var seen: Int64
    package var attempt: OutboxAttempt

    package init(_ attempt: OutboxAttempt, of id: UUID, seen: Int64) {
        self.id = id
        self.seen = seen
        self.attempt = attempt
    }
}

/// How far the store has come with a notification: the whole value, as of one entry.
package struct OutboxProgress: Codable, Hashable, Sendable {
    package var id: UUID
    /// In order, the last `attemptsMax` ones.
    package var attempts: [OutboxAttempt]
    /// When it is sent next, in store time; nil if it was received, or the store has given up.
    package var next: Timestamp?

    /// Six of the store's own, and what a person adds with `resend`.
    package static let attemptsMax = 30

    package init(id: UUID, attempts: [OutboxAttempt], next: Timestamp?) {
        self.id = id
        self.attempts = Array(attempts.suffix(Self.attemptsMax))
        self.next = next
    }
}

/// A notification in the outbox, with its present state.
package struct OutboxItem: Codable, Hashable, Sendable {
    /// Its place in the outbox, greater than those of all earlier notifications.
    package var ordinal: Int64
    package var notification: QueuedNotification
    package var attempts: [OutboxAttempt]
    package var next: Timestamp?
    /// The position of the entry that changed it last.
    package var changedAt: Int64

    package init(ordinal: Int64, _ notification: QueuedNotification, changedAt: Int64) {
        self.ordinal = ordinal
        self.notification = notification
        attempts = []
        next = notification.next
        self.changedAt = changedAt
    }

    package var id: UUID { notification.id }

    /// Whether an attempt has reached the receiver, so that sending it again needs a person.
    package var isReceived: Bool { attempts.contains { $0.result == .success } }

    package var state: State {
        if isReceived { return next == nil ? .sent : .waiting }
        if next != nil { return attempts.isEmpty ? .waiting : .failing }
        return attempts.isEmpty ? .noAddress : .failed
    }

    /// What became of a notification. The raw value is its name in JSON.
    package enum State: String, Codable, Hashable, Sendable, CaseIterable {
        /// It was not sent yet, or is to be sent again because a person asked for it.
        case waiting
        case sent
        /// An attempt failed, and another follows.
        case failing
        /// All attempts failed.
        case failed
        /// It was made while there was no address.
        case noAddress
    }

    /// The place of a notification in the outbox.
    ///
    /// - Parameters:
    ///   - position: of the entry that has it.
    ///   - index: among the notifications of that entry, of which there are at most 1,024: those of
    ///     an extension for all are the most (`ExtensionOutcome.failuresMax`).
    package static func ordinal(_ position: Int64, _ index: Int) -> Int64 {
        position << 10 | Int64(index)
    }

    /// The entry and the index of a place.
    package static func place(_ ordinal: Int64) -> (position: Int64, index: Int) {
        (ordinal >> 10, Int(ordinal & 1_023))
    }
}

/// Selects notifications of the outbox.
package struct OutboxQuery: Hashable, Sendable {
    /// Which ones, in which order.
    package enum Selection: Hashable, Sendable {
        /// Those to be sent by this instant, in order of that time and then of their places.
        case due(through: Timestamp)
        /// Those to be sent later than this instant, as `due`.
        case waiting(after: Timestamp)
        /// Nil for none.
        case one(UUID)
        /// The newest first, before a place; nil for the newest ones.
        case newest(before: Int64?)
        /// The oldest first, after a place; nil for the oldest ones.
        case oldest(after: Int64?)
    }

    package var selection: Selection
    /// All if nil; likewise the ones below. They narrow only `newest` and `oldest`, and `isFailed`
    /// also `due`.
    package var type: NotificationType?
    package var subtype: NotificationSubtype?
    package var account: AccountName?
    /// By the date of the notification, this instant included.
    package var since: Timestamp?
    /// By the date of the notification, this instant excluded.
    package var until: Timestamp?
    /// Only those that were tried and never received.
    package var isFailed = false
    package var limit: Int
    /// Whether the page says how many the query finds, whatever the limit. Only for `due`.
    package var counts = false

    package init(_ selection: Selection, limit: Int) {
        self.selection = selection
        self.limit = limit
    }
}

/// Notifications of the outbox, as of one commit.
package struct OutboxPage: Hashable, Sendable {
    package var items: [OutboxItem]
    /// The position up to which the store's entries have been told; nil if none was looked at yet.
    package var through: Int64?
    /// The version of the outbox: the position of its last entry, 0 without one.
    package var version: Int64
    /// How many there are, whatever the limit, if the query counts.
    package var count: Int

    package init(items: [OutboxItem], through: Int64?, version: Int64, count: Int = 0) {
        self.items = items
        self.count = count
        self.through = through
        self.version = version
    }
}

/// A change of where notifications go.
package enum NotificationsChange: Codable, Hashable, Sendable {
    /// Sends them to an address from now on; `host` is the machine that sets it.
    case send(to: String, host: String)
    case stop
    /// Whether failed notifications are sent again in the sandbox, as in production.
    case retryInSandbox(Bool)
}

/// Why the store does not send to an address. The raw value is its name in JSON.
package enum NotificationObstacle: String, Codable, Hashable, Sendable, CaseIterable {
    case noAddress
    /// A machine's loopback address means another machine on every other one.
    case otherHost
}

extension ServerSettings {
    /// Nil if notifications can be sent from a host.
    package func obstacle(on host: String) -> NotificationObstacle? {
        guard notifications?.url != nil else { return .noAddress }
        return notifications?.host == host ? nil : .otherHost
    }
}
