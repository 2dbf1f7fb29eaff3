package import StoreModel
import Synchronization

/// The store's time: the system's time, offset or stopped as the ledger's `ClockState` says.
///
/// Every read of the ledger updates the state, so that all processes of a store agree. The time is
/// never before the last recorded entry. If the system's clock was set back, the store's runs on
/// from the last entry until the system has caught up.
package final class LedgerClock: StatefulClock {
    private struct Known {
        var state = ClockState.system
        var recordedUntil = Timestamp.earliest
        /// Milliseconds by which the store's time is ahead of the time reckoned from the system's.
        var ahead: Int64 = 0

        func time(system: Timestamp) -> Timestamp {
            let reckoned = state.time(system: system)
            guard !state.isStopped else { return max(reckoned, recordedUntil) }
            return max(reckoned.advanced(byMilliseconds: ahead), recordedUntil)
        }
    }

    private let system: any StoreClock
    private let known = Mutex(Known())

    /// - Parameter system: the clock from which the store's time is reckoned while it runs.
    init(system: any StoreClock) { self.system = system }

    /// The store's time now, by the clock state of the last read of the ledger.
    package func now() -> Timestamp {
        known.withLock { $0 }.time(system: system.now())
    }

    /// The time by system clock and clock state alone, before it is raised to the last entry's. Its
    /// range is checked before a decision.
    var reckoned: Timestamp { known.withLock { $0.state }.time(system: system.now()) }

    /// The state by which the store's time is reckoned now.
    package func reading() -> KeptClock {
        let known = known.withLock { $0 }
        return KeptClock(
            state: known.state, aheadMilliseconds: known.ahead,
            at: known.time(system: system.now()))
    }

    /// The system's own time.
    var systemNow: Timestamp { system.now() }

    /// Whether the clock runs or is stopped, as of the last read of the ledger.
    package var state: ClockState { known.withLock { $0.state } }

    /// How far the system's clock was set back behind the last entry, in milliseconds; 0 if it was
    /// not, and while the store's clock is stopped.
    package var millisecondsAhead: Int64 { known.withLock { $0.ahead } }

    /// Takes clock state and last entry from a snapshot.
    func update(from found: LedgerSnapshot) {
        known.withLock { known in
            known.state = found.clock ?? .system
            known.recordedUntil = max(known.recordedUntil, found.recordedUntil ?? .earliest)
            let missing =
                known.recordedUntil.milliseconds
                - known.state.time(system: system.now()).milliseconds
            // While the system is behind, the store keeps its lead: else its time would not
            // advance.
            let isBehind = missing > 0 && !known.state.isStopped
            known.ahead = isBehind ? max(known.ahead, missing) : 0
        }
    }
}
