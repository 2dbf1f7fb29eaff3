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
