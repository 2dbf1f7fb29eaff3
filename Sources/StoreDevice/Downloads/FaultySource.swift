import DurableFiles
import Foundation
import StoreModel
import Synchronization

/// The faults of a device's downloads: a small file in the device's folder, replaced by a rename, so that
/// all processes of the device have the same at once. A file that is missing or holds anything else
/// means that nothing goes wrong.
struct DownloadFaultFile: Sendable {
    let folder: String

    private static let name = "download-faults"
    private static let bytesMax = 1024

    /// The faults now.
    func read() -> DownloadFaults {
        SmallFile.read(Self.name, in: folder, bytesMax: Self.bytesMax)
            .flatMap { try? JSONDecoder().decode(DownloadFaults.self, from: $0) }
            ?? DownloadFaults()
    }

    /// Replaces the faults. Durable when it returns.
    ///
    /// - Throws: `deviceUnreadable`, `deviceFull`.
    func write(_ faults: DownloadFaults) throws(StoreError) {
        do throws(StoreError) {
            let bytes: Data
            do { bytes = try JSONEncoder().encode(faults) } catch {
                throw StoreError(.systemError, subject: Self.name, cause: "\(error)")
            }
            try SmallFile.replace(Self.name, in: OpenFolder(path: folder), with: bytes)
        } catch { throw error.onDevice }
    }

    /// Takes a fault back that happens once.
    func use(_ fault: WritableKeyPath<DownloadFaults, Int64?>) {
        var faults = read()
        faults[keyPath: fault] = nil
        try? write(faults)
    }
}

/// A source of content with the device's faults: slower, with interruptions, or with other bytes.
/// Stands between a download and its source, of any kind, so that every source can be tested so.
final class FaultySource: ContentSource {
    private let source: any ContentSource
    private let file: DownloadFaultFile
    private let elapsed: any Clock<Duration>
    /// Where each file of the package begins, counted in bytes of the download.
    private let starts = Mutex<[String: Int64]>([:])

    /// How often a stalled download looks whether it may go on.
    private static let stallPause = Duration.milliseconds(100)

    init(_ source: any ContentSource, file: DownloadFaultFile, elapsed: any Clock<Duration>) {
        self.source = source
        self.file = file
        self.elapsed = elapsed
    }

    func contentManifest(product: ProductID, contentID: String) async throws(StoreError)
        -> ContentManifest
    {
        let manifest = try await source.contentManifest(product: product, contentID: contentID)
        var starts: [String: Int64] = [:]
        var start: Int64 = 0
        for file in manifest.fetched {
            starts[file.path] = start
            start += file.length
        }
        self.starts.withLock { [starts] in $0 = starts }
        return manifest
    }

    func contentBytes(
        product: ProductID, contentID: String, path: String, offset: Int64, count: Int
    ) async throws(StoreError) -> Data {
        let faults = file.read()
        guard !faults.isEmpty, let start = starts.withLock({ $0[path] }) else {
            return try await source.contentBytes(
                product: product, contentID: contentID, path: path, offset: offset, count: count)
        }
        let position = start + offset
        try await pause(.milliseconds(faults.latencyMilliseconds ?? 0))
        if position == faults.fullAt { throw StoreError(.deviceFull, productID: product) }
        if position == faults.disconnectAt {
            file.use(\.disconnectAt)
            throw StoreError(.networkError, productID: product)
        }
        while position == file.read().stallAt { try await pause(Self.stallPause) }
        // No further than the next fault, so that the download comes to its byte.
        let left = [faults.fullAt, faults.disconnectAt, faults.stallAt].compactMap(\.self)
            .filter { $0 > position }.map { $0 - position }.min()
        var bytes = try await source.contentBytes(
            product: product, contentID: contentID, path: path, offset: offset,
            count: Int(min(Int64(count), left ?? Int64(count))))
        if let corrupt = faults.corruptAt, corrupt >= position,
            corrupt < position + Int64(bytes.count)
        {
            file.use(\.corruptAt)
            bytes[bytes.startIndex + Int(corrupt - position)] ^= 0xFF
        }
        if let rate = faults.bytesPerSecond, rate > 0 {
            try await pause(.seconds(Double(bytes.count) / Double(rate)))
        }
        return bytes
    }

    private func pause(_ time: Duration) async throws(StoreError) {
        guard time > .zero else { return }
        do { try await elapsed.sleep(for: time) } catch {
            // The task was cancelled: the fetcher notices before its next request.
            throw StoreError(.networkError)
        }
    }
}
