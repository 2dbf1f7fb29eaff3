import Crypto
import DurableFiles
import Foundation
import StoreModel

/// Fetches one hosted package: files into a partial folder, going on at the byte where it stopped;
/// each checked by SHA-256; then the whole moved into place by one rename.
struct PackageFetcher: Sendable {
    let store: any Store
    let folder: DeviceFolder
    let pacer: any Pacer
    let product: ProductID
    let contentID: String
    /// Told after each piece: bytes of the package that are here by now.
    let onProgress: @Sendable (Int64) -> Void

    private var partial: String { folder.partial(product, contentID) }
    private var manifestPath: String { partial + "/manifest.json" }
    private var filesPath: String { partial + "/files" }

    /// Throws `contentMismatch`, `deviceFull`, `contentUnavailable`, `notEntitled`, and
    /// `CancellationError` when it is to stop; what was fetched stays for the next try, except
    /// after a mismatch.
    func fetch() async throws {
        let manifest = try await store.contentManifest(product: product, contentID: contentID)
        try manifest.checkPaths(product)
        let place = folder.content(product, contentID, manifest.version)
        if FileManager.default.fileExists(atPath: place) { return removePartial() }
        try begin(manifest)
        var received = manifest.files.reduce(0) { $0 + size(of: $1) }
        onProgress(received)
        for file in manifest.files { try await fetch(file, received: &received) }
        for file in manifest.files { try check(file) }
        try moveIntoPlace(manifest, place)
    }

    func removePartial() { try? FileManager.default.removeItem(atPath: partial) }

    /// What is here belongs to the same package, or is dropped.
    private func begin(_ manifest: ContentManifest) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let wanted = try encoder.encode(manifest)
        if FileManager.default.contents(atPath: manifestPath) == wanted { return }
        removePartial()
        try PrivateFolder.make(filesPath)
        guard FileManager.default.createFile(atPath: manifestPath, contents: wanted) else {
            throw StoreError(device: errno, path: manifestPath)
        }
    }

    private func path(_ file: ContentManifest.File) -> String { filesPath + "/" + file.path }

    private func size(of file: ContentManifest.File) -> Int64 {
        var status = stat()
        return stat(path(file), &status) == 0 ? Int64(status.st_size) : 0
    }

    private func fetch(_ file: ContentManifest.File, received: inout Int64) async throws {
        let path = path(file)
        try PrivateFolder.make((path as NSString).deletingLastPathComponent)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(device: errno, path: path) }
        defer { close(descriptor) }
        var offset = size(of: file)
        if offset > file.length {
            guard ftruncate(descriptor, 0) == 0 else {
                throw StoreError(device: errno, path: path)
            }
            received -= offset
            offset = 0
        }
        while offset < file.length {
            let count = Int(min(Int64(pacer.chunkBytes), file.length - offset))
            try await pacer.carry(count)
            let bytes = try await store.contentBytes(
                product: product, contentID: contentID, path: file.path, offset: offset,
                count: count)
            guard !bytes.isEmpty else {
                throw StoreError(.contentUnavailable, productID: product, subject: file.path)
            }
            try append(bytes, to: descriptor, path)
            offset += Int64(bytes.count)
            received += Int64(bytes.count)
            onProgress(received)
        }
        guard fsync(descriptor) == 0 else { throw StoreError(device: errno, path: path) }
    }

    private func append(_ bytes: Data, to descriptor: Int32, _ path: String) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw StoreError(device: errno, path: path) }
            rest = rest.dropFirst(count)
        }
    }

    private func check(_ file: ContentManifest.File) throws {
        let found = try FileDigest.sha256(of: path(file))
        guard found != file.sha256 else { return }
        removePartial()
        throw StoreError(
            .contentMismatch, productID: product, subject: file.path, found: found,
            expected: file.sha256)
    }

    private func moveIntoPlace(_ manifest: ContentManifest, _ place: String) throws {
        let parent = (place as NSString).deletingLastPathComponent
        try PrivateFolder.make(parent)
        sync(filesPath)
        guard rename(filesPath, place) == 0 else { throw StoreError(device: errno, path: place) }
        sync(parent)
        removePartial()
    }

    /// Makes a rename in a folder last; a folder that cannot be synced is no reason to fail.
    private func sync(_ folder: String) {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}

enum FileDigest {
    /// Lower-case hexadecimal, read in pieces.
    static func sha256(of path: String) throws -> String {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        defer { try? file.close() }
        var hash = SHA256()
        while let piece = try file.read(upToCount: 1 << 18), !piece.isEmpty {
            hash.update(data: piece)
        }
        return hash.finalize().map { String(format: "%02x", $0) }.joined()
    }
}

extension ContentManifest {
    /// A path the store names may not leave the package, whatever the store says.
    func checkPaths(_ product: ProductID) throws(StoreError) {
        for path in [contentID, version] + files.map(\.path) {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            let isGood = parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
            guard isGood, !path.utf8.contains(where: { $0 < 32 || $0 == 127 }) else {
                throw StoreError(
                    .contentMismatch, productID: product, found: path,
                    expected: "a path inside the package")
            }
        }
    }
}

extension StoreError {
    /// What a failed system call on the device's own files means.
    init(device code: Int32, path: String) {
        self.init(errno: code, path: path)
        if self.code == .storeFull { self.code = .deviceFull }
        if self.code == .storeUnreadable { self.code = .deviceUnreadable }
    }
}
