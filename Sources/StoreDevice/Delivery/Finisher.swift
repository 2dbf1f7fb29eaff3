import DurableFiles
import StoreModel

/// Finishes delivered transactions at the store (StoreKit: `finishTransaction`). If the store
/// fails, it retries in the background with growing pauses, so that deliveries go on meanwhile.
///
/// A run of failures is published as trouble once. If the process ends before a transaction is
/// finished, the next launch finishes it: the store still lists it as unfinished, and delivering it
/// again grants nothing.
actor Finisher {
    private let processor: DeliveryProcessor
    private let hub: DeviceUpdates
    private var owed: Set<TransactionID> = []
    private var retrying: Task<Void, Never>?

    init(processor: DeliveryProcessor, hub: DeviceUpdates) {
        self.processor = processor
        self.hub = hub
    }

    /// Finishes those of the transactions that are complete (`DeviceRecords.isComplete`).
    ///
    /// - Returns: the transactions that this call finished. Empty after a failure; they are
    ///   retried, and their `finished` events follow.
    @discardableResult
    func finish(_ ids: [TransactionID]) async -> [TransactionID] {
        do throws(StoreError) { return try await processor.finish(ids) } catch {
            owed.formUnion(ids)
            if retrying == nil {
                if !error.isNetworkOff { hub.publish(.trouble(error, ended: false)) }
                retrying = Task { [weak self] in await self?.retry() }
            }
            return []
        }
    }

    private func retry() async {
        var pause = RetryPause()
        while !owed.isEmpty, await pause.wait() {
            guard await processor.network.wait(untilOff: false) else { break }
            let ids = owed.sorted()
            // A transaction with unfinished downloads is dropped here too: `DownloadManager`
            // requests its finish when the downloads have ended.
            guard (try? await processor.finish(ids)) != nil else { continue }
            owed.subtract(ids)
        }
        if !Task.isCancelled { retrying = nil }
    }

    /// Finishes the transactions that a person finished while the device had no network. A
    /// transaction whose finish fails stays queued.
    ///
    /// Publishes nothing: the feed brings each `finished` event once, after the events that the
    /// device missed before it. Publishing it here as well would tell it twice, and before the sale.
    func finishQueued() async throws(StoreError) {
        let database = processor.database
        for id in try await database.read({ try DeviceRecords($0).queuedFinishes() }) {
            do throws(StoreError) {
                _ = try await processor.store.finish(id)
            } catch  where error.code == .transactionNotFound {
                // The transaction was deleted meanwhile, so it needs no finish.
            }
            try await database.writeTogether { try DeviceRecords($0).dequeueFinish(id) }
        }
    }

    /// Also forgets the transactions that were to be finished.
    func suspend() async {
        retrying?.cancel()
        await retrying?.value
        retrying = nil
        owed = []
    }
}

/// A pause that doubles with every failure, from `DeviceLimits.retryPauseMin` to `retryPauseMax`.
struct RetryPause {
    private var next = DeviceLimits.retryPauseMin

    /// Returns false if the task was cancelled.
    mutating func wait() async -> Bool {
        let pause = next
        next = min(next * 2, DeviceLimits.retryPauseMax)
        try? await Task.sleep(for: pause)
        return !Task.isCancelled
    }

    /// To the shortest pause, after a success.
    mutating func reset() { next = DeviceLimits.retryPauseMin }
}
