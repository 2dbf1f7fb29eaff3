import StoreEngine
import StoreHost
import StoreModel
import Synchronization

/// The system clock of a throwaway store for which `--clock` chose a time: it shows that time while
/// the store is opened, and the real time from then on. So the entries that opening records have
/// the chosen time, and the store's clock never has to move backwards.
final class OpeningClock: StoreClock {
    private let instant: Timestamp
    private let isMade = Atomic(false)

    init(at instant: Timestamp) { self.instant = instant }

    func now() -> Timestamp {
        isMade.load(ordering: .relaxed) ? SystemClock().now() : instant
    }

    /// Stops the store's clock at the chosen time, unless it was set before: a process opens the
    /// store more than once, and an operator may have started the clock in between.
    func stopClock(of host: StoreHost) async throws(StoreError) {
        if host.engine.clock.state == .system {
            _ = try await host.storeOperator.perform(.clock(.stop))
        }
        isMade.store(true, ordering: .relaxed)
    }
}
