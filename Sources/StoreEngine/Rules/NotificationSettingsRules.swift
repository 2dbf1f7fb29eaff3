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

/// Records attempts to send notifications, each of another one.
struct AttemptsRequest: Request {
    var attempts: [EndedAttempt]

    func addKeys(to lookup: inout Lookup) { lookup.query.outbox.formUnion(attempts.map(\.id)) }

    func collisions(in _: RuleContext) -> [CollisionKey] { attempts.map { .notification($0.id) } }

    func decide(in context: RuleContext) throws(StoreError) -> Verdict<Void> {
        let facts = attempts.compactMap { ended -> OutboxFact? in
            guard let known = context.snapshot.outbox[ended.id] else { return nil }
            let attempts = known.progress.attempts + [ended.attempt]
            // Somebody may have asked meanwhile to send it again.
            let next =
                known.changedAt != ended.seen
                ? known.progress.next
                : RetryRules.next(
                    after: attempts, context.environment, context.snapshot.server?.notifications)
            return .progressed(OutboxProgress(id: ended.id, attempts: attempts, next: next))
        }
        guard !facts.isEmpty else { return .answer(()) }
        return .record(context.outboxDecision(facts)) { _ in }
    }
}

/// Sends a notification again, as a person asks, or later than it is due.
struct ResendRequest: Request {
    var id: UUID
    /// From now, in store time.
    var delayMilliseconds: Int64 = 0

    func addKeys(to lookup: inout Lookup) { lookup.query.outbox.insert(id) }

    func collisions(in _: RuleContext) -> [CollisionKey] { [.notification(id)] }

    /// False for a notification that the outbox does not have.
    func decide(in context: RuleContext) throws(StoreError) -> Verdict<Bool> {
        guard var progress = context.snapshot.outbox[id]?.progress else { return .answer(false) }
        progress.next = context.now.advanced(byMilliseconds: delayMilliseconds)
        return .record(context.outboxDecision([.progressed(progress)])) { _ in true }
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
        return .record(context.outboxDecision([.queued([test], through: nil)])) { _ in true }
    }
}

extension RuleContext {
    fileprivate func outboxDecision(_ facts: [OutboxFact]) -> Decision {
        Decision(reads: reads([.outbox]), entries: facts.map { entry(.outbox($0)) })
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
