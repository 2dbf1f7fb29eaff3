#if os(Linux)
import Foundation
import StoreDevice
import StoreModel
import Synchronization

extension PaymentQueue {
    /// The content of a sale, the same objects for all its states. Empty if the store cannot say.
    func downloads(of queued: QueuedTransaction) -> [SKDownload] {
        let (known, session) = state.withLock { state in
            (state.entries[queued.number]?.downloads, state.session)
        }
        if let known { return known }
        guard queued.id != nil, let session else { return [] }
        let id = ProductID(queued.payment.productIdentifier)
        let found =
            queued.payment.shownProduct
            ?? (try? Blocking.run { try await session.device.products([id]).value.products.first })
        guard let product = found else { return [] }
        let made = product.hostedContent.map { content in
            SKDownload(
                SKDownload.Source(
                    content: content, productID: product.id, transaction: queued))
        }
        return state.withLock { state in
            if let earlier = state.entries[queued.number]?.downloads { return earlier }
            state.entries[queued.number]?.downloads = made
            return made
        }
    }

    /// Carries out an operation on downloads, one after the other.
    func perform(_ operation: ContentOperation, on downloads: [SKDownload]) {
        guard let device = state.withLock({ $0.session })?.device else { return }
        if operation == .resumeDownloads {
            for download in downloads { download.start() }
            follow(device)
        }
        Task.detached {
            for download in downloads { await self.perform(operation, on: download, device) }
        }
    }

    private func perform(
        _ operation: ContentOperation, on download: SKDownload, _ device: Device
    ) async {
        guard let source = download.source else { return }
        // Before the first try: the device delivers a moment after the app hears, then downloads.
        var deliveries = device.updates().makeAsyncIterator()
        while true {
            do throws(StoreError) {
                _ = try await device.perform(
                    operation, on: source.productID, package: source.content.id)
                return
            } catch {
                if operation == .resumeDownloads, error.code == .notEntitled {
                    guard await deliveries.next() != nil else { return }
                    continue
                }
                let hasChanged =
                    switch operation {
                    case .resumeDownloads: download.end(.failed, SKError(error))
                    // It was never started.
                    case .cancelDownloads: download.end(.cancelled)
                    default: false
                    }
                if hasChanged { report(downloads: [download]) }
                return
            }
        }
    }

    private func report(downloads: [SKDownload]) {
        state.withLock { state in
            tell(state.observers) { $0.paymentQueue($1, updatedDownloads: downloads) }
        }
    }

    /// Reads the started downloads whenever they change, until the process has another store.
    private func follow(_ device: Device) {
        state.withLock { state in
            guard state.following == nil else { return }
            state.following = Task.detached {
                for await _ in device.downloadWakes() { await self.readDownloads(of: device) }
            }
        }
    }

    private func readDownloads(of device: Device) async {
        let started = state.withLock { state in
            state.entries.sorted { $0.key < $1.key }.flatMap { $0.value.downloads ?? [] }
        }.filter(\.isStarted)
        guard !started.isEmpty, let rows = try? await device.downloads() else { return }
        var changed: [SKDownload] = []
        for download in started {
            guard let row = rows.first(where: { download.isSame(as: $0) }) else { continue }
            var place: URL?
            if row.state == .finished,
                let path = try? await device.contentPath(
                    of: row.productID, contentID: row.contentID)
            {
                place = URL(filePath: path, directoryHint: .isDirectory)
            }
            if download.update(row, at: place) { changed.append(download) }
        }
        if !changed.isEmpty { report(downloads: changed) }
    }
}
#endif
