import Basics
import Foundation
package import StoreModel

/// The latest requests that the servers of a store have answered, in `server/requests.jsonl` of its
/// folder: one line of JSON for each. They are no entries of the ledger, because reading a store
/// must not write to it. Any number of processes may append at once. Nothing is synced: a crash of
/// the machine loses the last lines.
package struct RequestLog: Sendable {
    /// The folder within the store's.
    package static let folderName = "server"
    package static let fileName = "requests.jsonl"
    /// The file before that one.
    package static let olderName = "requests.1.jsonl"
    /// Of each of the two files.
    package static let bytesMax: Int64 = 512 * 1024

    private let storeFolder: String

    package init(storeFolder: String) { self.storeFolder = storeFolder }

    /// Appends a line by one write(2), and begins a new file where this one is full.
    ///
    /// - Throws: `storeReadOnly`, `storeFull`, `storeUnreadable` (also for a link).
    package func append(_ request: ServerRequest) throws(StoreError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard var line = try? encoder.encode(request) else { return }
        line.append(UInt8(ascii: "\n"))
        let folder = try opened(isMade: true)
        if let status = folder.status(Self.fileName),
            Int64(status.st_size) + Int64(line.count) > Self.bytesMax
        {
            try beginNewFile(line.count)
        }
        let file = try folder.openFile(Self.fileName, O_WRONLY | O_APPEND | O_CREAT)
        defer { close(file) }
        let problem = line.withUnsafeBytes { writeAll($0, to: file) }
        if let problem { throw StoreError(errno: problem, path: folder.path) }
    }

    /// Another process that does the same at this moment is not waited for: the line then makes the
    /// old file a little longer.
    private func beginNewFile(_ count: Int) throws(StoreError) {
        // Opened for the lock alone, which ends with it.
        let folder = try opened(isMade: false)
        guard folder.lock(isExclusive: true), let status = folder.status(Self.fileName),
            // Another process may have begun it since.
            Int64(status.st_size) + Int64(count) > Self.bytesMax
        else { return }
        try folder.move(Self.fileName, into: folder, as: Self.olderName)
    }

    /// The newest first. Empty where no server has run; a line that cannot be read is left out.
    package func newest(_ limit: Int) -> [ServerRequest] {
        guard let folder = try? opened(isMade: false) else { return [] }
        let decoder = JSONDecoder()
        var requests: [ServerRequest] = []
        for name in [Self.fileName, Self.olderName] where requests.count < limit {
            guard let file = try? folder.openFile(name, O_RDONLY) else { continue }
            defer { close(file) }
            let length = Int64(folder.status(name)?.st_size ?? 0)
            let start = max(0, length - 2 * Self.bytesMax)
            guard let bytes = try? readAll(file, at: start, count: Int(length - start)) else {
                continue
            }
            for line in bytes.split(separator: UInt8(ascii: "\n")).reversed() {
                guard requests.count < limit else { break }
                if let request = try? decoder.decode(ServerRequest.self, from: line) {
                    requests.append(request)
                }
            }
        }
        return requests
    }

    /// Wakes after each line of any process, one wake for many; nil where files cannot be watched.
    package func wakes() -> AsyncStream<Void>? {
        guard let folder = try? opened(isMade: true), let watcher = FileWatcher.shared else {
            return nil
        }
        let (stream, wakes) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let isWatched = watcher.watchEntry(Self.fileName, ofFolder: folder.path) {
            if case .terminated = wakes.yield() { false } else { true }
        }
        return isWatched ? stream : nil
    }

    private func opened(isMade: Bool) throws(StoreError) -> OpenFolder {
        try OpenFolder(path: storeFolder).folder(Self.folderName, isMade: isMade)
    }
}
