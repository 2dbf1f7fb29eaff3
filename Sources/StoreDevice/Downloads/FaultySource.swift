import Basics
import DurableFiles
import Foundation
import StoreModel
import Synchronization

/// The file with the faults to inject into a device's downloads. It lies in the device's folder and
/// is replaced by a rename, so that all processes of the device read the same faults at once. A
/// file that is missing or unreadable means no faults.
struct DownloadFaultFile: Sendable {
    let folder: String

    private static let name = "download-faults"
    private static let bytesMax = 1024

    func read() -> DownloadFaults {
        SmallFile.read(Self.name, in: folder, bytesMax: Self.bytesMax)
            .flatMap { try? JSONDecoder().decode(DownloadFaults.self, from: $0) }
            ?? .none
    }

    /// Durable when it returns.
    ///
    /// - Throws: `deviceUnreadable`, `deviceFull`.
    func write(_ faults: DownloadFaults) throws(StoreError) {
        try SmallFile.replace(Self.name, in: folder, with: faults)
    }

    /// For a fault that occurs only once.
    func use(_ fault: WritableKeyPath<DownloadFaults, Int64?>) {
        var faults = read()
        faults[keyPath: fault] = nil
        try? write(faults)
    }
}

/// Injects the device's download faults into any source of content: a slower transfer, an
/// interruption, or altered bytes. It stands between a download and its source, so that every kind
/// of source can be tested.
final class FaultySource: ContentSource {
    private let source: any ContentSource
    private let file: DownloadFaultFile
    private let elapsed: any Clock<Duration>
    /// In bytes of the whole download.
    private let starts = Mutex<[String: Int64]>([:])

    /// Between two checks whether a stalled download may go on.
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
            // The fetcher checks the manifest later: its lengths may be any numbers here.
            start = start.addingClamped(file.length)
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
        let position = start.addingClamped(offset)
        try await pause(.milliseconds(faults.latencyMilliseconds ?? 0))
        if position == faults.fullAt { throw StoreError(.deviceFull, productID: product) }
        if position == faults.disconnectAt {
            file.use(\.disconnectAt)
            throw StoreError(.networkError, productID: product)
        }
        while position == file.read().stallAt { try await pause(Self.stallPause) }
        // The request ends at the next fault's byte, so that a later request starts exactly there.
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
            // The task was cancelled. The fetcher finds that out before its next request.
            throw StoreError(.networkError)
        }
    }
}
