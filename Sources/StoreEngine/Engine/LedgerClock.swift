package import StoreModel
import Synchronization

/// The store's time: the system's time, offset or stopped by the ledger's `ClockState`.
///
/// Every read of the ledger updates the state, so that all processes of a store agree. The time is
/// never before the last recorded entry. If the system's clock was set back, the store's time
/// continues from the last entry until the system has caught up.
package final class LedgerClock: StatefulClock {
    private struct Known {
        var state = ClockState.system
        var recordedUntil = Timestamp.earliest
        /// Milliseconds by which the store's time is ahead of the time computed from the system's
        /// clock.
        var ahead: Int64 = 0

        func time(system: Timestamp) -> Timestamp {
            let reckoned = state.time(system: system)
            guard !state.isStopped else { return max(reckoned, recordedUntil) }
            return max(reckoned.advanced(byMilliseconds: ahead), recordedUntil)
        }
    }

    private let system: any StoreClock
    private let known = Mutex(Known())

    init(system: any StoreClock) { self.system = system }

    /// The store's time now, from the clock state at the last read of the ledger. At the end of the
    /// certificates' validity it stands still: reads go on, and decisions are refused.
    package func now() -> Timestamp {
        min(max(known.withLock { $0 }.time(system: system.now()), .earliest), .latest)
    }

    /// The time computed from the system's clock and the clock state alone, which may be before the
    /// last entry. Its range is checked before a decision.
    var reckoned: Timestamp { known.withLock { $0.state }.time(system: system.now()) }

    package func reading() -> KeptClock {
        let known = known.withLock { $0 }
        return KeptClock(
            state: known.state, aheadMilliseconds: known.ahead,
            at: known.time(system: system.now()))
    }

    var systemNow: Timestamp { system.now() }

    /// As of the last read of the ledger.
    package var state: ClockState { known.withLock { $0.state } }

    /// Milliseconds by which the system's clock is behind the last entry because it was set back; 0
    /// if it was not, and while the store's clock is stopped.
    package var millisecondsAhead: Int64 { known.withLock { $0.ahead } }

    /// Sets the state that is known before the ledger was read.
    func begin(in state: ClockState) { known.withLock { $0.state = state } }

    func update(from found: LedgerSnapshot) {
        known.withLock { known in
            known.state = found.clock ?? .system
            known.recordedUntil = max(known.recordedUntil, found.recordedUntil ?? .earliest)
            let missing =
                known.recordedUntil.milliseconds(
                    since: known.state.time(system: system.now()))
            // While the system's clock is behind, the lead is kept. Otherwise the store's time
            // would stand still at the last entry.
            let isBehind = missing > 0 && !known.state.isStopped
            known.ahead = isBehind ? max(known.ahead, missing) : 0
        }
    }
}
