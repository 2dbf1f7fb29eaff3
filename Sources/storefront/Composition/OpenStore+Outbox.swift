import Basics
import ContentClient
import Dispatch
import ShopText
import StoreHost
import StoreModel
import StoreServer

/// The store's own server, and sending notifications from this process.
extension OpenStore {
    /// Throws `operatorOnly` for an organizer, who does not act for the whole store.
    var outbox: any OutboxStore {
        get throws(StoreError) {
            try refuseOrganizer()
            return host.outboxStore
        }
    }

    /// Throws `operatorOnly`, as `outbox`.
    var served: any ServedStore {
        get throws(StoreError) {
            try refuseOrganizer()
            return host.servedStore
        }
    }

    /// - Parameter onWait: called once a move that waits for the app's backend; by default it is told
    ///   on standard error.
    func clockWalk(
        onWait: @escaping @Sendable (NotificationWait) -> Void = {
            Output.note(.notification(.clockWaits($0.count, address: $0.address)))
        }
    ) -> ClockWalk {
        var walk = ClockWalk(
            console: console, outbox: host.outboxStore, poster: HTTPPost(),
            host: NotificationSettings.thisHost, folder: host.folder)
        walk.onWait = onWait
        return walk
    }

    /// Begins to send, while this process has the store's lease, until the task is cancelled.
    func startSender() -> Task<Void, Never> {
        let (sender, folder) = (sender, host.folder)
        return Task {
            await sender.run(inStoreAt: folder) { error in
                // The command ends by it, and tells it then.
                guard error.code != .storeReplaced else { return }
                // Written from there, since nobody may read the remarks.
                Self.remarks.async { Output.report(error, json: false) }
            }
        }
    }

    private static let remarks = DispatchQueue(label: "remarks")

    private var sender: Sender {
        Sender(store: host.outboxStore, poster: HTTPPost(), host: NotificationSettings.thisHost)
    }

    /// Sends what is due now, unless another process of the store does that.
    ///
    /// - Parameter tells: whether a person is told, on standard error, what is waited for.
    func sendDue(tells: Bool = false) async throws(StoreError) {
        guard let lease = SenderLease(storeFolder: host.folder) else { return }
        defer { lease.release() }
        if tells { try await tellSending() }
        try await sender.sendDue()
    }

    /// Tells at once: the app's backend may take 30 seconds to answer.
    private func tellSending() async throws(StoreError) {
        let outbox = host.outboxStore
        _ = try await outbox.deriveNotifications()
        let server = try await outbox.server()
        let count = try await outbox.outboxDue().count
        guard count > 0, server.obstacle(on: NotificationSettings.thisHost) == nil,
            let address = server.notifications?.url
        else { return }
        Output.note(.notification(.sending(count, address: address)))
    }

    /// Notes why notifications that are due are not sent, if there are any.
    func noteUnsent() async throws(StoreError) {
        let count = try await host.outboxStore.outboxDue().count
        guard count > 0 else { return }
        let server = try await host.outboxStore.server()
        if let obstacle = server.obstacle(on: NotificationSettings.thisHost) {
            Output.note(.notification(.obstacle(obstacle, waiting: count)))
        } else if !SenderLease.isHeld(storeFolder: host.folder) {
            Output.note(.notification(.nobodySends(waiting: count)))
        }
    }
}
