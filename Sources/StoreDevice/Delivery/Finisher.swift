import StoreModel

/// Acknowledges what is delivered, and tries again, with a growing pause, what could not be
/// acknowledged. Never waits for a failing store: deliveries go on meanwhile.
///
/// A stretch of failures is told once, as trouble. What is still owed when the process ends is
/// finished by the next launch: delivering it again grants nothing.
actor Finisher {
    private let processor: DeliveryProcessor
    private let hub: UpdateHub
    private var owed: Set<TransactionID> = []
    private var retrying: Task<Void, Never>?

    init(processor: DeliveryProcessor, hub: UpdateHub) {
        self.processor = processor
        self.hub = hub
    }

    /// Finishes what is granted and has nothing left to fetch. Answers with what is finished now; the
    /// rest is tried again later, and its end is told by its event.
    @discardableResult
    func finish(_ ids: [TransactionID]) async -> [TransactionID] {
        do throws(StoreError) { return try await processor.finish(ids) } catch {
            owed.formUnion(ids)
            if retrying == nil {
                hub.publish(.trouble(error, ended: false))
                retrying = Task { [weak self] in await self?.retry() }
            }
            return []
        }
    }

    private func retry() async {
        var pause = RetryPause()
        while !owed.isEmpty, await pause.wait() {
            let ids = owed.sorted()
            // What is not to be finished yet is not owed: its download asks again at its end.
            guard (try? await processor.finish(ids)) != nil else { continue }
            owed.subtract(ids)
        }
        if !Task.isCancelled { retrying = nil }
    }

    /// Stops trying, until the next failure.
    func suspend() async {
        retrying?.cancel()
        await retrying?.value
        retrying = nil
        owed = []
    }
}

/// A pause that doubles with every failure, up to a bound.
struct RetryPause {
    private var next = DeviceLimits.retryPauseMin

    /// False if the waiting task was cancelled.
    mutating func wait() async -> Bool {
        let pause = next
        next = min(next * 2, DeviceLimits.retryPauseMax)
        try? await Task.sleep(for: pause)
        return !Task.isCancelled
    }

    /// Begins anew, after something went well.
    mutating func reset() { next = DeviceLimits.retryPauseMin }
}
