#if PostgreSQL
import StoreModel

/// What the callers of a store were told while its server crashed, and the events that they and the
/// test wait for.
actor Told {
    /// The payments that were answered with a sale.
    private(set) var sold: [PaymentID: TransactionID] = [:]
    /// The payments of which nothing was recorded, as their errors said.
    private(set) var unsold: Set<PaymentID> = []
    private(set) var refunded: Set<TransactionID> = []
    private(set) var unrefunded: Set<TransactionID> = []
    /// Calls whose outcome was unknown until they were repeated.
    private(set) var unknown = 0
    /// Whether the callers are to stop.
    private(set) var isOver = false
    private var answers = 0
    private var isUp = true
    private var waitingForAnswers: [(count: Int, waiter: CheckedContinuation<Void, Never>)] = []
    private var waitingForServer: [CheckedContinuation<Void, Never>] = []

    func note(_ payment: PaymentID, soldAs id: TransactionID?) {
        if let id { sold[payment] = id } else { unsold.insert(payment) }
        answered()
    }

    func note(_ id: TransactionID, isRefunded: Bool) {
        if isRefunded { refunded.insert(id) } else { unrefunded.insert(id) }
        answered()
    }

    func noteUnknown() { unknown += 1 }

    /// Waits until this many more calls were answered, or the callers have stopped.
    func answers(_ more: Int) async {
        let count = answers + more
        guard !isOver else { return }
        await withCheckedContinuation { waitingForAnswers.append((count, $0)) }
    }

    /// Waits while the server is known to be away.
    func serverIsUp() async {
        guard !isUp, !isOver else { return }
        await withCheckedContinuation { waitingForServer.append($0) }
    }

    func set(isUp: Bool) {
        self.isUp = isUp
        if isUp { wakeCallers() }
    }

    func finish() {
        isOver = true
        wakeCallers()
        for waiting in waitingForAnswers { waiting.waiter.resume() }
        waitingForAnswers = []
    }

    private func answered() {
        answers += 1
        for waiting in waitingForAnswers where waiting.count <= answers { waiting.waiter.resume() }
        waitingForAnswers.removeAll { $0.count <= answers }
    }

    private func wakeCallers() {
        for waiter in waitingForServer { waiter.resume() }
        waitingForServer = []
    }
}
#endif
