package import StoreModel
import Synchronization

/// A store clock that moves only when a test sets it.
package final class ManualClock: StoreClock {
    private let time: Mutex<Timestamp>

    package init(_ start: Timestamp = Timestamp(milliseconds: 1_800_000_000_000)) {
        time = Mutex(start)
    }

    package func now() -> Timestamp { time.withLock { $0 } }

    /// Moves the clock; a negative amount sets it back.
    package func advance(byMilliseconds amount: Int64) {
        time.withLock { $0 = $0.advanced(byMilliseconds: amount) }
    }

    package func set(_ timestamp: Timestamp) { time.withLock { $0 = timestamp } }
}
