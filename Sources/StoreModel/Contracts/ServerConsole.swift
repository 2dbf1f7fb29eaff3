/// The store's own server, as the operator's console shows it and acts on it. The program makes one,
/// which links HTTP. A shop without one has no such screen, and moves the clock in one step.
package protocol ServerConsole: Sendable {
    /// The notifications to the app's backend.
    var outbox: any OutboxStore { get }

    /// The name of this machine, as it is kept with an address.
    var host: String { get }

    /// What the servers of all processes have answered, the newest first.
    func requests(limit: Int) -> [ServerRequest]

    /// Wakes after each answer of any process; nil where the file of the requests cannot be watched.
    func requestWakes() -> AsyncStream<Void>?

    /// A notification as it is sent, decoded, and the first check that a part of it has failed; nil
    /// if all are verified.
    func inspect(
        _ notification: QueuedNotification
    ) async throws(StoreError) -> (payload: NotificationPayload?, problem: VerificationError?)

    /// Sends what is due now, unless another process of the store does that.
    func sendDue() async throws(StoreError)

    /// Moves the clock as `OperatorAction.clock` does, by way of every instant at which a
    /// notification is due.
    ///
    /// - Parameter onWait: called once if that takes longer because the app's backend does not answer.
    /// - Returns: the first events, as `StoreOperator.perform` does; how many notifications are due
    ///   and were not tried, and the process that has the right to send them, if it is known.
    func move(
        _ action: ClockAction, onWait: @escaping @Sendable (NotificationWait) -> Void
    ) async throws(StoreError) -> (events: [StoreEvent], waiting: Int, holder: String?)
}

/// For which notifications a move of the clock waits.
package struct NotificationWait: Hashable, Sendable {
    /// How many are due.
    package var count: Int
    /// Where they are sent.
    package var address: String

    package init(count: Int, address: String) {
        self.count = count
        self.address = address
    }
}
