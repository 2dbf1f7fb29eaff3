import Foundation
import StoreModel

/// Changes where the store's notifications go.
struct NotificationsRequest: Request {
    var change: NotificationsChange
    /// The end of the ledger: what happens after it is told.
    var head: Int64

    func addKeys(to _: inout Lookup) {}

    func collisions(in _: RuleContext) -> [CollisionKey] { [.everything] }

    /// Throws `contentServerFailed` with `addressRefused`.
    func decide(in context: RuleContext) throws(StoreError) -> Verdict<ServerSettings> {
        let before = context.snapshot.server ?? ServerSettings()
        var server = before
        var settings = server.notifications ?? NotificationSettings()
        switch change {
        case .send(let url, let host):
            guard ReachableAddress(url) != nil else {
                throw StoreError(.addressRefused, address: url)
            }
            settings.url = url
            settings.host = host
            settings.since = settings.since ?? head
        case .stop:
            settings.url = nil
            settings.host = nil
        case .retryInSandbox(let retries): settings.retriesInSandbox = retries ? true : nil
        }
        server.notifications = settings
        let after = server
        guard after != before else { return .answer(before) }
        return .record(context.storeDecision(.serverSet(after))) { _ in after }
    }
}

/// Records an attempt to send a notification, or that a person asks to send it again.
struct ProgressRequest: Request {
    var id: UUID
    /// Nil for a person's request.
    var attempt: OutboxAttempt?
    /// As `OutboxItem.changedAt` when the attempt began.
    var seen: Int64 = 0
    /// Without an attempt: when it is sent.
    var delayMilliseconds: Int64 = 0

    func addKeys(to lookup: inout Lookup) { lookup.query.outbox.insert(id) }

    func collisions(in _: RuleContext) -> [CollisionKey] { [.notification(id)] }

    /// False for a notification that the outbox does not have.
    func decide(in context: RuleContext) throws(StoreError) -> Verdict<Bool> {
        guard let known = context.snapshot.outbox[id] else { return .answer(false) }
        var progress = OutboxProgress(
            id: id, attempts: known.attempts,
            next: context.now.advanced(byMilliseconds: delayMilliseconds))
        if let attempt {
            let attempts = known.attempts + [attempt]
            // Somebody may have asked meanwhile to send it again.
            let next =
                known.changedAt != seen
                ? known.next
                : RetryRules.next(
                    after: attempts, context.environment, context.snapshot.server?.notifications)
            progress = OutboxProgress(id: id, attempts: attempts, next: next)
        }
        return .record(context.outboxDecision(.progressed(progress))) { _ in true }
    }
}

/// Puts a notification of type `TEST` into the outbox.
struct TestRequest: Request {
    var id: UUID

    func addKeys(to lookup: inout Lookup) { lookup.query.outbox.insert(id) }

    func collisions(in _: RuleContext) -> [CollisionKey] { [.notification(id)] }

    /// False while there is no address.
    func decide(in context: RuleContext) throws(StoreError) -> Verdict<Bool> {
        guard context.snapshot.server?.notifications?.url != nil else { return .answer(false) }
        let test = QueuedNotification(
            id: id, kind: NotificationKind(.test), at: context.now,
            contents: NotificationContents(), next: context.now)
        return .record(context.outboxDecision(.queued([test], through: nil))) { _ in true }
    }
}

extension RuleContext {
    fileprivate func outboxDecision(_ fact: OutboxFact) -> Decision {
        Decision(reads: reads([.outbox]), entries: [entry(.outbox(fact))])
    }
}

/// When a notification is sent again.
enum RetryRules {
    /// After each attempt, in hours of the store's clock.
    static let hours: [Int64] = [1, 12, 24, 48, 72]

    /// Nil if it was received, or is given up.
    ///
    /// - Parameter attempts: all so far.
    static func next(
        after attempts: [OutboxAttempt], _ environment: StoreEnvironment,
        _ settings: NotificationSettings?
    ) -> Timestamp? {
        guard let last = attempts.last, last.result != .success,
            environment == .production || settings?.retriesInSandbox == true,
            hours.indices.contains(attempts.count - 1)
        else { return nil }
        return last.at.advanced(byMilliseconds: hours[attempts.count - 1] * 3_600_000)
    }
}
