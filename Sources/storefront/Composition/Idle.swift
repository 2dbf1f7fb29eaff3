import StoreDevice
import StoreModel

/// A sale whose transaction this device could not verify. The next launch verifies it again.
struct UnverifiedSale {
    var id: TransactionID
    var reason: VerificationError
}

extension OpenStore {
    /// Waits until the device has no more to send, deliver, download or finish without a person.
    /// Paused and failed downloads wait for a person; transactions that cannot be verified wait for
    /// the next launch.
    ///
    /// - Parameters:
    /// - forDownloads: if false, another process continues the downloads under way.
    ///   - progress: the line that shows the downloads meanwhile; nil for none.
    /// - Returns: the unfinished transactions that could not be verified, oldest first.
    @discardableResult
    func waitUntilIdle(
        _ device: Device, _ watcher: DeviceWatcher, forDownloads: Bool = true,
        progress: ProgressLine? = nil
    ) async throws -> [UnverifiedSale] {
        var refused: [TransactionID: VerificationError] = [:]
        for try await _ in watcher.changes() {
            guard try await device.paymentsBeingSent().isEmpty else { continue }
            let downloads = try await device.downloads()
            progress?.show(downloads)
            guard !forDownloads || downloads.allSatisfy({ $0.state.isComplete || $0.isStopped })
            else { continue }
            let stopped = Set(
                downloads.filter { $0.isStopped || !forDownloads && !$0.state.isComplete }
                    .map(\.transactionID))
            let unfinished = try await session.unfinished(allDevices: false)
            for waiting in unfinished where refused[waiting.id] == nil {
                let signed = waiting.transaction.signed
                if let reason = await device.verify(signed).error {
                    refused[waiting.id] = reason
                }
            }
            if unfinished.allSatisfy({ stopped.contains($0.id) || refused[$0.id] != nil }) {
                return unfinished.compactMap { waiting in
                    refused[waiting.id].map { UnverifiedSale(id: waiting.id, reason: $0) }
                }
            }
        }
        return []
    }
}
