package import StoreModel
import Synchronization

/// The store's time: the system's, as the ledger's clock state sets it off or stops it. The state is
/// learned with every read of the ledger, so that all processes of a store agree; it never goes
/// back behind what was recorded. Where the system's clock was set back, it runs on from there until
/// the system has caught up.
package final class LedgerClock: StoreClock {
    private struct Known {
        var state = ClockState.system
        var recordedUntil = Timestamp.earliest
        /// Milliseconds the store is ahead of what it reckons from the system's clock.
        var ahead: Int64 = 0

        func time(system: Timestamp) -> Timestamp {
            let reckoned = state.time(system: system)
            guard !state.isStopped else { return max(reckoned, recordedUntil) }
            return max(reckoned.advanced(byMilliseconds: ahead), recordedUntil)
        }
    }

    private let system: any StoreClock
    private let known = Mutex(Known())

    /// - Parameter system: what the store's time is reckoned from while it runs.
    init(system: any StoreClock) { self.system = system }

    package func now() -> Timestamp {
        known.withLock { $0 }.time(system: system.now())
    }

    /// What the clock says by itself, before it is kept from going behind what was recorded: the time
    /// whose range is checked.
    var reckoned: Timestamp { known.withLock { $0.state }.time(system: system.now()) }

    /// The system's own time.
    var systemNow: Timestamp { system.now() }

    package var state: ClockState { known.withLock { $0.state } }

    /// How far the system's clock was set back behind what was recorded, in milliseconds; 0 where it
    /// was not.
    package var millisecondsAhead: Int64 { known.withLock { $0.ahead } }

    func learn(_ found: LedgerSnapshot) {
        known.withLock { known in
            known.state = found.clock ?? .system
            known.recordedUntil = max(known.recordedUntil, found.recordedUntil ?? .earliest)
            let missing =
                known.recordedUntil.milliseconds
                - known.state.time(system: system.now()).milliseconds
            // While the system is behind, the store keeps its lead: else it would stand still.
            let isBehind = missing > 0 && !known.state.isStopped
            known.ahead = isBehind ? max(known.ahead, missing) : 0
        }
    }
}
