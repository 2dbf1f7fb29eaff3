import StoreDevice
import StoreModel

extension OpenStore {
    /// Waits until nothing this device owes is left to send, deliver, download or finish by itself.
    /// What a person paused, and what failed, waits for a person.
    func waitUntilIdle(_ device: Device, _ watcher: DeviceWatcher) async throws {
        for try await _ in watcher.changes() {
            guard try await device.paymentsBeingSent().isEmpty else { continue }
            let downloads = try await device.downloads()
            guard downloads.allSatisfy({ $0.state.isComplete || $0.isStopped }) else { continue }
            let stopped = Set(downloads.filter(\.isStopped).map(\.transactionID))
            let unfinished = try await session.unfinished(allDevices: false)
            if unfinished.allSatisfy({ stopped.contains($0.id) }) { return }
        }
    }
}
