import StoreDevice
import StoreModel
import Synchronization

/// Tells when a device may have changed: an update of its observer, or a download that moved. Says
/// "look", so nothing can be missed by looking late.
final class DeviceWatcher: Sendable {
    private let wakes = Broadcast()
    private let ended = Mutex<StoreError?>(nil)

    /// What no waiting mends; what was sold is delivered at the next launch.
    private static let needsPerson: Set<StoreError.Code> = [
        .storeFull, .deviceFull, .storeReadOnly, .storeUnreadable, .deviceUnreadable,
    ]

    init(_ device: Device) {
        let updates = device.updates()
        let downloads = device.downloadWakes()
        Task { [wakes, weak self] in
            for await update in updates {
                if case .trouble(let error, let hasEnded) = update,
                    hasEnded || Self.needsPerson.contains(error.code)
                {
                    self?.ended.withLock { $0 = error }
                }
                wakes.ring()
            }
        }
        Task { [wakes] in for await _ in downloads { wakes.ring() } }
    }

    /// Begins with one wake. Throws when the observer has ended with an error, or met one that
    /// waits for a person.
    func changes() -> AsyncThrowingStream<Void, any Error> {
        let wakes = wakes.subscribe()
        return AsyncThrowingStream { [self] in
            guard await wakes.nextWake() else { return nil }
            if let error = ended.withLock({ $0 }) { throw error }
            return ()
        }
    }
}
