import StoreModel

extension ServerConsole {
    /// How many notifications wait because their receiver has failed: 0 while each was received, or
    /// given up. Reads none of them.
    func waitingForReceiver() async throws(StoreError) -> Int {
        guard try await outbox.server().notifications?.url != nil else { return 0 }
        var waiting = OutboxQuery(.due(through: .latest), limit: 0)
        waiting.counts = true
        waiting.isFailed = true
        guard try await outbox.outbox(waiting).count > 0 else { return 0 }
        waiting.isFailed = false
        return try await outbox.outbox(waiting).count
    }

    func snapshot() async throws(StoreError) -> ServerSnapshot {
        var snapshot = ServerSnapshot()
        let (notifications, settings) = try await outbox.latest(limit: ServerPart.rowsMax)
        snapshot.notifications = notifications
        snapshot.requests = requests(limit: ServerPart.rowsMax)
        snapshot.settings = settings.notifications
        snapshot.obstacle = settings.obstacle(on: host)
        return snapshot
    }

    /// - Returns: the notification that is to be sent, if the change sends one.
    func carryOut(_ change: ServerChange) async throws(StoreError) -> OutboxItem? {
        switch change {
        case .resend(let item): return try await outbox.resend(item.id)
        case .test: return try await outbox.queueTest()
        case .send(let address):
            _ = try await outbox.change(.send(to: address, host: host))
        case .stop: _ = try await outbox.change(.stop)
        }
        return nil
    }
}

extension NotificationPayload {
    /// Without the texts of the signed parts, which are shown decoded.
    var withoutParts: NotificationPayload {
        var payload = self
        if data?.signedTransactionInfo != nil { payload.data?.signedTransactionInfo = "..." }
        if data?.signedRenewalInfo != nil { payload.data?.signedRenewalInfo = "..." }
        return payload
    }
}
