package import StoreModel
import Synchronization

/// The store's time: the system's, as the ledger's clock state sets it off or stops it. The state is
/// learned with every read of the ledger, so that all processes of a store agree; it never goes
/// back behind what was recorded.
package final class LedgerClock: StoreClock {
    private struct Known {
        var state = ClockState.system
        var recordedUntil = Timestamp.earliest
    }

    private let system: any StoreClock
    private let known = Mutex(Known())

    /// - Parameter system: what the store's time is reckoned from while it runs.
    init(system: any StoreClock) { self.system = system }

    package func now() -> Timestamp {
        let known = known.withLock { $0 }
        return max(known.state.time(system: system.now()), known.recordedUntil)
    }

    /// What the clock says by itself, before it is kept from going behind what was recorded: the time
    /// whose range is checked.
    var reckoned: Timestamp { known.withLock { $0.state }.time(system: system.now()) }

    /// The system's own time.
    var systemNow: Timestamp { system.now() }

    package var state: ClockState { known.withLock { $0.state } }

    /// How far the store's time runs behind what was recorded, in milliseconds: the system's clock
    /// was set back. 0 where it was not.
    package var millisecondsBehind: Int64 {
        let known = known.withLock { $0 }
        return max(
            0,
            known.recordedUntil.milliseconds
                - known.state.time(system: system.now()).milliseconds)
    }

    func learn(_ found: LedgerSnapshot) {
        known.withLock { known in
            known.state = found.clock ?? .system
            known.recordedUntil = max(known.recordedUntil, found.recordedUntil ?? .earliest)
        }
    }
}
