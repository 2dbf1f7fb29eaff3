import DurableFiles
import StoreModel

/// Sends the queued payments whose sender has ended. Every process that has launched its device uses
/// it, because the process that holds the lease may leave payments alone (`ResendRule.leave`).
///
/// If the store has already decided a payment, its outcome is recorded and the payment is not sent.
/// Otherwise it is published as `resending` and sent. A payment that is too old, or that would
/// charge more than the launch allows, is published as held and its state becomes `held`: then only
/// a person sends or drops it. Only the process that holds the lease makes a payment held, because
/// another process may be allowed to send it.
actor PaymentResender {
    private let processor: DeliveryProcessor
    private let hub: DeviceUpdates
    private let ownership: PaymentOwnership
    private var rule = ResendRule.all
    /// Completes the payments, and knows whether this process holds the delivery lease.
    private weak var observer: TransactionObserver?
    private var isSending = false
    /// So that each payment is published as held once.
    private var announcedHeld: Set<PaymentID> = []
    /// True if the last run skipped a payment that a living process is sending.
    private var hasOwnedElsewhere = false

    init(processor: DeliveryProcessor, hub: DeviceUpdates, ownership: PaymentOwnership) {
        self.processor = processor
        self.hub = hub
        self.ownership = ownership
    }

    func begin(_ rule: ResendRule, for observer: TransactionObserver) {
        self.rule = rule
        self.observer = observer
    }

    /// See `PaymentOwnership.endLaunch`.
    func endLaunch() -> Set<PaymentID>? { ownership.endLaunch() }

    private var holdsLease: Bool { get async { await observer?.holdsLease == true } }

    /// Checks the queue after every commit of another process. While a living process is sending a
    /// payment, it also checks every `DeviceLimits.senderPollInterval`: the death of that process
    /// wakes no other one.
    func follow(_ wakes: AsyncStream<Void>) async {
        var pause = RetryPause()
        var hasReportedTrouble = false
        while await wakes.nextWake() {
            var isDone = false
            while !isDone, !Task.isCancelled {
                do throws(StoreError) {
                    _ = try await send()
                    pause.reset()
                    hasReportedTrouble = false
                    isDone = !hasOwnedElsewhere
                    if !isDone { try? await Task.sleep(for: DeviceLimits.senderPollInterval) }
                } catch  where error.isRetryable && processor.network.isOff {
                    guard await processor.network.wait(untilOff: false) else { return }
                } catch {
                    if !hasReportedTrouble { hub.publish(.trouble(error, ended: false)) }
                    hasReportedTrouble = true
                    guard error.code != .storeReplaced, await pause.wait() else { return }
                }
            }
        }
    }

    /// Publishes what other processes have announced meanwhile, such as payments that they send.
    /// Then checks every queued payment once, except deferred ones. Returns an empty list at once
    /// while another call is running.
    ///
    /// - Returns: the payments that the store has sold.
    func send() async throws(StoreError) -> [PaymentID] {
        await observer?.publishAnnouncements()
        guard !isSending, rule != .leave else { return [] }
        isSending = true
        defer { isSending = false }
        hasOwnedElsewhere = false
        var sold: [PaymentID] = []
        for queued in try await processor.database.read({ try DeviceRecords($0).queue() })
        where queued.state != .deferred {
            let payment = queued.payment
            // Marks this process as the sender, so that another one that checks meanwhile skips it.
            guard ownership.holdAlone(payment.id) else {
                hasOwnedElsewhere = true
                continue
            }
            defer { ownership.release(payment.id) }
            do throws(StoreError) {
                guard let outcome = try await outcome(of: queued) else { continue }
                if outcome.isSale { sold.append(payment.id) }
                try await observer?.complete(payment, outcome)
                // The process that holds the lease logs it with the delivery.
                if outcome.isSale, await !holdsLease {
                    try await processor.logResent(payment)
                }
            } catch  where Self.isRefusal(error) {
                try await processor.dequeue(payment)
                hub.publish(.event(.failed(payment, error, request: nil)))
            }
        }
        return sold
    }

    /// Sends the payment if the store does not know it; nil if the payment becomes `held` or is
    /// left instead.
    private func outcome(
        of queued: QueuedPayment
    ) async throws(StoreError) -> PurchaseOutcome? {
        if let known = try await processor.store.outcome(of: queued.payment) { return known }
        guard queued.state == .purchasing, maySend(queued) else {
            guard await holdsLease else { return nil }
            // Published before the lock is released, so that a reader who sees that the payment is
            // no longer being sent has already received the reason.
            if announcedHeld.insert(queued.payment.id).inserted { hub.publish(.held(queued)) }
            if queued.state != .held {
                var held = queued
                held.state = .held
                let now = processor.clock.now()
                try await processor.database.write { db in
                    let records = DeviceRecords(db)
                    try records.enqueue(held)
                    try records.log(
                        .paymentHeld(held.payment.id, held.payment.productID), at: now)
                }
            }
            return nil
        }
        hub.publish(.resending(queued))
        _ = processor.resent.add(queued.payment.id)
        let outcome = try await processor.store.purchase(queued.payment)
        // Published before the outcome is carried out, because that may fail.
        hub.publish(.resent(queued, outcome))
        return outcome
    }

    /// Recent enough and cheap enough to be sent without asking a person.
    private func maySend(_ queued: QueuedPayment) -> Bool {
        let age = processor.clock.now().milliseconds(since: queued.queuedAt)
        guard age <= DeviceLimits.resendMillisecondsMax else { return false }
        switch rule {
        case .all: return true
        case .none, .leave: return false
        case .atMost(let limit):
            let price = queued.payment.shownPrice.multiplied(by: queued.payment.quantity)
            return price.currency == limit.currency && price.milliunits <= limit.milliunits
        }
    }

    /// Whether the store has refused a payment for good: not a temporary error, and not a disk
    /// error.
    private static func isRefusal(_ error: StoreError) -> Bool {
        switch error.code {
        case .storeUnreadable, .storeReadOnly, .deviceUnreadable: false
        default: !error.isRetryable
        }
    }
}

extension PurchaseOutcome {
    fileprivate var isSale: Bool {
        if case .purchased = self { true } else { false }
    }
}

/// Which payments of ended senders a launch sends again, if they are recent enough.
enum ResendRule: Hashable, Sendable {
    case all
    /// Payments that charge at most this amount, in the same currency. The others become `held`.
    case atMost(Money)
    /// None: all become `held`.
    case none
    /// None, and none becomes `held`: another process, now or later, sends them or makes them held.
    case leave
}
