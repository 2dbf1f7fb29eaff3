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

    /// A notification as it is sent, verified and decoded.
    func inspect(
        _ notification: QueuedNotification
    ) async throws(StoreError) -> InspectedNotification

    /// Sends what is due now, unless another process of the store does that.
    func sendDue() async throws(StoreError)

    /// Moves the clock as `OperatorAction.clock` does, by way of every instant at which a
    /// notification is due.
    func move(_ action: ClockAction) async throws(StoreError) -> ClockMove
}

/// A notification with its parts, decoded from the signed texts.
package struct InspectedNotification: Hashable, Sendable {
    /// The first check that a part has failed; nil if all are verified.
    package var problem: VerificationError?
    /// Nil if it could not be read; likewise the others, which also may not apply.
    package var payload: NotificationPayload?
    package var transaction: TransactionPayload?
    package var renewalInfo: RenewalInfoPayload?

    package init(
        problem: VerificationError? = nil, payload: NotificationPayload? = nil,
        transaction: TransactionPayload? = nil, renewalInfo: RenewalInfoPayload? = nil
    ) {
        self.problem = problem
        self.payload = payload
        self.transaction = transaction
        self.renewalInfo = renewalInfo
    }
}

/// What came of a move of the clock.
package struct ClockMove: Hashable, Sendable {
    /// The first ones, as `StoreOperator.perform` returns them.
    package var events: [StoreEvent]
    /// Notifications that are due and were not tried.
    package var waiting: Int
    /// The process that has the right to send and tried none of them; nil if it is not known.
    package var holder: String?

    package init(events: [StoreEvent], waiting: Int = 0, holder: String? = nil) {
        self.events = events
        self.waiting = waiting
        self.holder = holder
    }
}
