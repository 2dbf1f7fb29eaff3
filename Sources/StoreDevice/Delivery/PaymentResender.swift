import DurableFiles
import StoreModel

/// Sends the queued payments whose sender has ended. Used by the process that delivers.
///
/// A payment the store has already decided only gets its answer. One it never heard of is told before
/// it is sent (`resending`), and is held instead (`held`) if it is old or would charge more than
/// whoever launched this process asked for: a held payment is sent or dropped by a person alone.
actor PaymentResender {
    typealias Complete = @Sendable (Payment, PurchaseOutcome) async throws(StoreError) -> Void

    private let processor: DeliveryProcessor
    private let hub: UpdateHub
    private let ownership: PaymentOwnership
    /// The most that may be charged without asking; nil for no bound.
    private var limit: Money?
    private var isSending = false
    /// Another process is sending one: to be looked at again.
    private var hasOwnedElsewhere = false

    init(processor: DeliveryProcessor, hub: UpdateHub, ownership: PaymentOwnership) {
        self.processor = processor
        self.hub = hub
        self.ownership = ownership
    }

    func setLimit(_ limit: Money?) { self.limit = limit }

    /// Looks after every commit of other processes, and a moment later as long as another process is
    /// sending a payment: its death makes no sound.
    func follow(_ wakes: AsyncStream<Void>, complete: @escaping Complete) async {
        var pause = RetryPause()
        var wasToldOfTrouble = false
        while await wakes.nextWake() {
            var isDone = false
            while !isDone, !Task.isCancelled {
                do throws(StoreError) {
                    _ = try await send(complete: complete)
                    pause.reset()
                    wasToldOfTrouble = false
                    isDone = !hasOwnedElsewhere
                    if !isDone { try? await Task.sleep(for: DeviceLimits.ownerLookInterval) }
                } catch {
                    if !wasToldOfTrouble { hub.publish(.trouble(error, ended: false)) }
                    wasToldOfTrouble = true
                    guard error.code != .storeReplaced, await pause.wait() else { return }
                }
            }
        }
    }

    /// Answers with the payments that are sold.
    func send(complete: Complete) async throws(StoreError) -> [PaymentID] {
        guard !isSending else { return [] }
        isSending = true
        defer { isSending = false }
        hasOwnedElsewhere = false
        var sold: [PaymentID] = []
        for queued in try await processor.database.read({ try DeviceRecords($0).queue() })
        where queued.state != .deferred {
            let payment = queued.payment
            if ownership.isHeld(payment.id) {
                hasOwnedElsewhere = true
                continue
            }
            do throws(StoreError) {
                guard let outcome = try await outcome(of: queued) else { continue }
                if case .purchased = outcome { sold.append(payment.id) }
                try await complete(payment, outcome)
            } catch  where Self.isRefusal(error) {
                try await processor.database.write { try DeviceRecords($0).dequeue(payment.id) }
                hub.publish(.failed(payment, error))
            }
        }
        return sold
    }

    /// What the store says; nil for a payment that is held.
    private func outcome(of queued: QueuedPayment) async throws(StoreError) -> PurchaseOutcome? {
        // Another process that looks meanwhile leaves it to this one.
        ownership.hold(queued.payment.id)
        defer { ownership.letGo(queued.payment.id) }
        if let known = try await processor.store.outcome(of: queued.payment) { return known }
        guard queued.state == .purchasing, maySend(queued) else {
            // Told first: whoever sees that nothing is being sent any more has been told why.
            hub.publish(.held(queued))
            if queued.state != .held {
                var held = queued
                held.state = .held
                try await processor.database.write { try DeviceRecords($0).enqueue(held) }
            }
            return nil
        }
        hub.publish(.resending(queued))
        return try await processor.store.purchase(queued.payment)
    }

    private func maySend(_ queued: QueuedPayment) -> Bool {
        let age = processor.clock.now().milliseconds - queued.queuedAt.milliseconds
        guard age <= DeviceLimits.resendMillisecondsMax else { return false }
        guard let limit else { return true }
        let price = queued.payment.shownPrice.multiplied(by: queued.payment.quantity)
        return price.currency == limit.currency && price.milliunits <= limit.milliunits
    }

    /// Whether the store has said no, and would say so again.
    private static func isRefusal(_ error: StoreError) -> Bool {
        switch error.code {
        case .storeUnreadable, .storeReadOnly, .deviceUnreadable: false
        default: !error.isRetryable
        }
    }
}
