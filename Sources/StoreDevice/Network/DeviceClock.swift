package import StoreModel
import Synchronization

/// The store's time as a device knows it: the store's own clock while the device has a network.
/// Without one it goes on from the state that the device read last, so that a clock which the
/// operator moves meanwhile changes nothing here before the device is back.
package final class DeviceClock: StoreClock {
    private let live: any StoreClock
    private let system: any StoreClock
    private let network: DeviceNetwork
    /// The state as of the device's last contact with the store.
    private let kept = Mutex<KeptClock?>(nil)
    /// The reading that this process has recorded last, with a delivery.
    private let recorded = Mutex<KeptClock?>(nil)

    /// - Parameters:
    ///   - live: the store's clock.
    ///   - system: the clock by which a kept state is reckoned.
    init(live: any StoreClock, system: any StoreClock, network: DeviceNetwork) {
        self.live = live
        self.system = system
        self.network = network
    }

    /// The store's time, as far as the device knows.
    package func now() -> Timestamp {
        // Looked at first: a device whose network was never cut need not read the state of the network
        // for each date on the screen.
        guard let kept = kept.withLock({ $0 }), network.isOff else { return live.now() }
        return kept.time(system: system.now())
    }

    /// The state of the store's own clock now.
    func liveReading() -> KeptClock {
        if let live = live as? any StatefulClock { return live.reading() }
        // A clock that tells no state, as in tests, is taken for one that runs.
        let now = live.now()
        let offset = now.milliseconds - system.now().milliseconds
        return KeptClock(state: .running(offset: offset), aheadMilliseconds: 0, at: now)
    }

    /// Whether a reading has to be recorded: it differs from the one recorded last by more than a
    /// moment (`DeviceLimits.contactMillisecondsMin`), so that a burst of deliveries records one.
    func mustRecord(_ reading: KeptClock) -> Bool {
        guard let last = recorded.withLock({ $0 }) else { return true }
        let passed = reading.at.milliseconds - last.at.milliseconds
        return last.state != reading.state || last.aheadMilliseconds != reading.aheadMilliseconds
            || !(0..<DeviceLimits.contactMillisecondsMin).contains(passed)
    }

    /// Notes a reading that this process has recorded.
    func hasRecorded(_ reading: KeptClock) { recorded.withLock { $0 = reading } }

    /// The state to go on from while the network is cut.
    func keep(_ reading: KeptClock) { kept.withLock { $0 = reading } }
}
