import DurableFiles
import StoreModel
import Synchronization

/// Sends the queued payments whose sender has ended. Every process that has launched its device uses
/// it: the lease may be held by one that leaves payments alone.
///
/// If the store has decided a payment already, its outcome is recorded and nothing is sent.
/// Otherwise the payment is published as `resending` and sent. It becomes `held` instead, and is
/// published so, if it is too old or would charge more than the launch allows; then only a person
/// sends or drops it. Only the process that holds the lease makes a payment held: another process may
/// be allowed to send it.
actor PaymentResender {
    typealias Complete = @Sendable (Payment, PurchaseOutcome) async throws(StoreError) -> Void

    private let processor: DeliveryProcessor
    private let hub: UpdateHub
    private let ownership: PaymentOwnership
    private var rule = ResendRule.all
    private var holdsLease = false
    private var isSending = false
    /// Payments published as held: each is published once by a process, not after every commit.
    private var announcedHeld: Set<PaymentID> = []
    /// Whether the last run skipped a payment that a living process is sending.
    private var hasOwnedElsewhere = false

    init(processor: DeliveryProcessor, hub: UpdateHub, ownership: PaymentOwnership) {
        self.processor = processor
        self.hub = hub
        self.ownership = ownership
    }

    func setRule(_ rule: ResendRule) { self.rule = rule }

    /// Whether this process holds the delivery lease.
    func setHoldsLease(_ holdsLease: Bool) { self.holdsLease = holdsLease }

    /// Checks the queue after every commit of another process. While a living process is sending a
    /// payment, it checks again every `DeviceLimits.senderPollInterval`, because nothing notifies
    /// this process if that one dies.
    func follow(_ wakes: AsyncStream<Void>, complete: @escaping Complete) async {
        var pause = RetryPause()
        var hasReportedTrouble = false
        while await wakes.nextWake() {
            var isDone = false
            while !isDone, !Task.isCancelled {
                do throws(StoreError) {
                    _ = try await send(complete: complete)
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

    /// Checks every queued payment once, except deferred ones. Does nothing while another call of
    /// it is under way.
    ///
    /// - Returns: the payments that are sold.
    func send(complete: Complete) async throws(StoreError) -> [PaymentID] {
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
                try await complete(payment, outcome)
                // The process that holds the lease logs it with the delivery.
                if !holdsLease, outcome.isSale { try await processor.logResent(payment) }
            } catch  where Self.isRefusal(error) {
                try await processor.dequeue(payment)
                hub.publish(.failed(payment, error))
            }
        }
        return sold
    }

    /// The store's outcome of a payment, which is sent if the store does not know it; nil if it is
    /// held or left instead.
    private func outcome(of queued: QueuedPayment) async throws(StoreError) -> PurchaseOutcome? {
        if let known = try await processor.store.outcome(of: queued.payment) { return known }
        guard queued.state == .purchasing, maySend(queued) else {
            guard holdsLease else { return nil }
            // Published before the lock is released: a reader that finds nothing being sent any
            // more has then received the reason.
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
        processor.resent.add(queued.payment.id)
        let outcome = try await processor.store.purchase(queued.payment)
        // Told before anything is done with it, which may fail.
        hub.publish(.resent(queued, outcome))
        return outcome
    }

    /// Whether a payment is young enough and cheap enough to be sent without asking a person.
    private func maySend(_ queued: QueuedPayment) -> Bool {
        let age = processor.clock.now().milliseconds - queued.queuedAt.milliseconds
        guard age <= DeviceLimits.resendMillisecondsMax else { return false }
        switch rule {
        case .all: return true
        case .none, .leave: return false
        case .atMost(let limit):
            let price = queued.payment.shownPrice.multiplied(by: queued.payment.quantity)
            return price.currency == limit.currency && price.milliunits <= limit.milliunits
        }
    }

    /// Whether the store has refused a payment for good: not an error that may pass, and not one of
    /// a disk.
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

/// The payments of ended senders that a launch sends again, if they are young enough.
enum ResendRule: Hashable, Sendable {
    case all
    /// Those that charge at most this; others are held.
    case atMost(Money)
    /// None: all are held.
    case none
    /// None, and none is held: another process, running now or later, sends them or holds them.
    case leave
}

/// The payments that this process sent again and has not logged yet. If a write fails after it has
/// taken a payment, that payment is not logged: the log is for people, and the queue is what counts.
final class ResentPayments: Sendable {
    private let ids = Mutex<Set<PaymentID>>([])

    func add(_ id: PaymentID) { _ = ids.withLock { $0.insert(id) } }

    /// Whether the payment was sent again; true once for each time.
    func take(_ id: PaymentID) -> Bool { ids.withLock { $0.remove(id) != nil } }
}
