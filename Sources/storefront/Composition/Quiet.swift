import StoreDevice
import StoreModel

extension OpenStore {
    /// Launches the device and waits until its records hold all that the store has told, so that what
    /// is read of them is so now. Where another process delivers and does not go on, that is told.
    func catchUp(_ device: Device) async throws {
        try await launch(device)
        let hasCaughtUp = try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await device.catchUp()
                return true
            }
            group.addTask {
                try? await Task.sleep(for: Self.patience)
                return false
            }
            defer { group.cancelAll() }
            return try await group.next() ?? false
        }
        guard !hasCaughtUp else { return }
        Output.note(
            "What the store told last is not recorded here yet. Another shop delivers for "
                + "\(deviceName); is it stopped?")
    }

    private static let patience = Duration.seconds(3)

    /// Waits until nothing this device owes is left to send, deliver, download or finish by itself.
    /// What a person paused, and what failed, waits for a person.
    func awaitQuiet(_ device: Device, _ watcher: DeviceWatcher) async throws {
        for try await _ in watcher.changes() {
            guard try await device.paymentsBeingSent().isEmpty else { continue }
            let downloads = try await device.downloads()
            guard downloads.allSatisfy({ $0.state.isSettled || $0.isStopped }) else { continue }
            let stopped = Set(downloads.filter(\.isStopped).map(\.transactionID))
            let unfinished = try await session.unfinished(allDevices: false)
            if unfinished.allSatisfy({ stopped.contains($0.id) }) { return }
        }
    }
}
