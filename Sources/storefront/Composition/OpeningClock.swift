import StoreEngine
import StoreHost
import StoreModel
import Synchronization

/// The system's clock of a throwaway store that begins at a chosen time: it stands at that time
/// while the store is made, and is the system's from then on. Everything recorded while the store is
/// opened has the chosen time, although the store's clock only moves forward.
final class OpeningClock: StoreClock {
    private let instant: Timestamp
    private let isMade = Atomic(false)

    init(at instant: Timestamp) { self.instant = instant }

    func now() -> Timestamp {
        isMade.load(ordering: .relaxed) ? SystemClock().now() : instant
    }

    /// Stops the store's clock at the chosen time, unless it was set before: the store is opened
    /// more than once, and an operator may have let its clock run.
    func stopClock(of host: StoreHost) async throws(StoreError) {
        if host.engine.clock.state == .system {
            _ = try await host.storeOperator.perform(.clock(.stop))
        }
        isMade.store(true, ordering: .relaxed)
    }
}
