package import StoreModel
import Synchronization

/// The store's time as a device knows it: the store's own clock while the device has a network.
/// Without one, the clock continues from the state that the device last read. If the operator moves
/// the store's clock meanwhile, this clock changes only when the network is back.
package final class DeviceClock: StoreClock {
    private let live: any StoreClock
    private let system: any StoreClock
    private let network: DeviceNetwork
    /// As of the device's last contact with the store.
    private let kept = Mutex<KeptClock?>(nil)
    /// Recorded with a delivery by this process.
    private let recorded = Mutex<KeptClock?>(nil)

    /// - Parameters:
    ///   - live: the store's clock.
    ///   - system: the clock from which the time of a kept state is computed.
    init(live: any StoreClock, system: any StoreClock, network: DeviceNetwork) {
        self.live = live
        self.system = system
        self.network = network
    }

    package func now() -> Timestamp {
        // Read first: if the network was never cut, the network's state need not be read from its
        // file for every date on the screen.
        guard let kept = kept.withLock({ $0 }), network.isOff else { return live.now() }
        return kept.time(system: system.now())
    }

    func liveReading() -> KeptClock {
        if let live = live as? any StatefulClock { return live.reading() }
        // A clock without a state, as in tests, is treated as a running one.
        let now = live.now()
        let offset = now.milliseconds(since: system.now())
        return KeptClock(state: .running(offset: offset), aheadMilliseconds: 0, at: now)
    }

    /// Whether a reading must be recorded: the clock was set, or at least
    /// `DeviceLimits.contactMillisecondsMin` have passed since the last recorded reading. So a
    /// burst of deliveries records it once.
    func mustRecord(_ reading: KeptClock) -> Bool {
        guard let last = recorded.withLock({ $0 }) else { return true }
        let passed = reading.at.milliseconds(since: last.at)
        return last.state != reading.state || last.aheadMilliseconds != reading.aheadMilliseconds
            || !(0..<DeviceLimits.contactMillisecondsMin).contains(passed)
    }

    func hasRecorded(_ reading: KeptClock) { recorded.withLock { $0 = reading } }

    /// The clock continues from it while the network is cut.
    func keep(_ reading: KeptClock) { kept.withLock { $0 = reading } }
}
