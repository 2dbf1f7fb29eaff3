import Basics
import ContentPackages
import Crypto
import DurableFiles
import Foundation
import StoreModel

/// Fetches one hosted package. Each file is fetched into a partial folder, from the byte where an
/// earlier attempt stopped, and checked by SHA-256. Then the package is synced to the disk and
/// moved into place by one rename, so that a reader never sees a part of it. In place it has the
/// form of a package: `ContentInfo.plist`, and the content in `Contents`.
struct PackageFetcher: Sendable {
    let source: any ContentSource
    let verifier: DeviceVerifier
    let folder: DeviceFolder
    let pacer: any Pacer
    let product: ProductID
    let contentID: String
    /// Called at the start and after each chunk, with the bytes of the package fetched so far.
    let onProgress: @Sendable (Int64) -> Void

    /// Fetches the missing bytes. If the store's package changes meanwhile, starts again with the
    /// new manifest, up to `DeviceLimits.packageChangesMax` manifests in all. Fetched bytes stay
    /// for the next attempt, except after `contentMismatch`.
    ///
    /// - Returns: the installed version and its length.
    /// - Throws: `contentMismatch`, `deviceFull`, `deviceUnreadable`, `contentUnavailable`,
    ///   `notEntitled` and other errors of the store; `CancellationError`.
    func fetch() async throws -> DownloadJob.Ending {
        var manifest = try await currentManifest()
        for _ in 1..<DeviceLimits.packageChangesMax {
            do {
                return try await fetch(manifest)
            } catch let error as StoreError where error.mayMeanAnotherPackage {
                // The store may have replaced the package since the manifest was fetched.
                let current = try await currentManifest()
                guard current != manifest else { throw error }
                manifest = current
            }
        }
        return try await fetch(manifest)
    }

    /// With its paths, signature and lengths checked.
    private func currentManifest() async throws(StoreError) -> ContentManifest {
        var manifest = try await source.contentManifest(product: product, contentID: contentID)
        try manifest.checkPaths(product)
        try await verifier.check(manifest, of: product)
        guard manifest.hasPossibleLengths else {
            throw StoreError(
                .contentMismatch, productID: product, subject: "manifest",
                found: "\(manifest.length) bytes",
                expected: "at most \(ContentManifest.bytesMax) bytes")
        }
        // The store signs the manifest anew each time, so signatures are left out of comparisons.
        manifest.signed = nil
        return manifest
    }

    private func fetch(_ manifest: ContentManifest) async throws -> DownloadJob.Ending {
        let ending = DownloadJob.Ending.finished(
            version: manifest.version, length: manifest.length)
        let target = try folder.opened {
            try $0.folder("content/\(product)/\(contentID)", isMade: true)
        }
        // A version may contain "/" and so name several folders. Only the last one is renamed.
        let steps = manifest.version.split(separator: "/").map(String.init)
        var parent = target
        for step in steps.dropLast() {
            parent = try folder.inDevice { try parent.folder(step, isMade: true) }
        }
        let name = steps.last ?? manifest.version
        if parent.hasPackage(name) {
            try folder.inDevice { try parent.sync() }
            folder.remove(contentID, of: product, from: "partial")
            return ending
        }
        let partial = try folder.opened {
            try $0.folder("partial/\(product)/\(contentID)", isMade: true)
        }
        let files = try begin(manifest, in: partial)
        try await fetchFiles(of: manifest, into: files)
        let package = try makePackage(manifest, from: files, in: partial)
        try folder.inDevice {
            try makeDurable(manifest, in: package)
            // A folder that is no package has this name if the records of its download are lost.
            if parent.isFolder(name) { try folder.drop(name, of: parent) }
            try partial.move(Self.package, into: parent, as: name)
            try parent.sync()
        }
        folder.remove(contentID, of: product, from: "partial")
        return ending
    }

    /// The folder that is moved into place. An earlier process may have left one.
    private static let package = "package"

    /// Makes a package of the fetched files, or unpacks the fetched zip file, which is removed if
    /// it differs from the manifest.
    private func makePackage(
        _ manifest: ContentManifest, from files: OpenFolder, in partial: OpenFolder
    ) throws -> OpenFolder {
        let package = try folder.inDevice {
            try folder.drop(Self.package, of: partial)
            return try partial.folder(Self.package, isMade: true)
        }
        guard manifest.archive != nil else {
            try folder.inDevice {
                try package.writeInfo(of: product, contentID, manifest.version)
                try partial.move("files", into: package, as: ContentInfo.contentsFolder)
            }
            return package
        }
        do {
            try PackageUnpacker(folder: folder, product: product, manifest: manifest)
                .unpack(ContentManifest.Archive.path, of: files, into: package)
        } catch let error as StoreError where error.code == .contentMismatch {
            folder.remove(contentID, of: product, from: "partial")
            throw error
        }
        return package
    }

    /// Syncs every file and folder of the package before it is moved into place.
    ///
    /// A sync of one file takes some milliseconds. A sync of the file system also writes what other
    /// programs have just written, but takes one wait for all files. So a few files are synced one
    /// by one, and many with their file system: 0.1 s instead of 15 s for 3000 files (bench row
    /// "fetch a package of 3000 small files").
    private func makeDurable(_ manifest: ContentManifest, in package: OpenFolder) throws {
        guard manifest.files.count <= DeviceLimits.filesSyncedSinglyMax else {
            return try package.syncFileSystem()
        }
        let files = try package.folder(ContentInfo.contentsFolder)
        var folders: Set<String> = []
        for file in manifest.files {
            var steps = file.path.split(separator: "/")
            let name = steps.removeLast()
            let place = steps.isEmpty ? files : try files.folder(steps.joined(separator: "/"))
            try PartialFile(String(name), in: place).sync()
            while !steps.isEmpty {
                folders.insert(steps.joined(separator: "/"))
                steps.removeLast()
            }
        }
        for path in folders { try files.folder(path).sync() }
        try files.sync()
        try PartialFile(ContentInfo.fileName, in: package).sync()
        try package.sync()
        let device = try DeviceFolder.open(folder.path)
        for path in ["content", "content/\(product)", "content/\(product)/\(contentID)"] {
            try device.folder(path).sync()
        }
    }

    /// After removing files of another manifest.
    private func begin(
        _ manifest: ContentManifest, in partial: OpenFolder
    ) throws -> OpenFolder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let wanted = try encoder.encode(manifest)
        return try folder.inDevice {
            if try PartialFile.contents(of: "manifest.json", in: partial) == wanted {
                // An earlier process may have been ended after it had put the files into a package.
                if partial.status("files") == nil, partial.hasPackage(Self.package) {
                    try partial.folder(Self.package)
                        .move(ContentInfo.contentsFolder, into: partial, as: "files")
                }
                return try partial.folder("files", isMade: true)
            }
            for name in ["files", Self.package] { try folder.drop(name, of: partial) }
            let files = try partial.folder("files", isMade: true)
            let file = try PartialFile("manifest.json", in: partial)
            try file.truncate()
            try file.append(wanted)
            return files
        }
    }

    /// A complete file is only checked.
    private func fetchFiles(of manifest: ContentManifest, into files: OpenFolder) async throws {
        var received = manifest.fetched.reduce(0) { sum, file in
            sum + min(Int64(files.status(file.path)?.st_size ?? 0), file.length)
        }
        onProgress(received)
        var current = (path: "", folder: files)
        // A zip file and its unpacked files are on the disk at the same time.
        let whole = manifest.length + (manifest.archive == nil ? 0 : manifest.unpackedLength)
        try checkRoom(for: whole - received)
        for file in manifest.fetched {
            let steps = file.path.split(separator: "/")
            let path = steps.dropLast().joined(separator: "/")
            if path != current.path {
                current = (
                    path,
                    path.isEmpty
                        ? files
                        : try folder.inDevice { try files.folder(path, isMade: true) }
                )
            }
            let here = try folder.inDevice {
                try PartialFile(String(steps.last ?? ""), in: current.folder)
            }
            try await fetch(file, into: here, of: whole, received: &received)
        }
    }

    /// Checks whether the disk has room for the missing bytes, so that a download that cannot
    /// complete does not fill it.
    ///
    /// - Throws: `deviceFull`, with the bytes that are free and those that are needed.
    private func checkRoom(for missing: Int64) throws(StoreError) {
        guard missing > 0, let free = folder.freeBytes, free < missing else { return }
        throw StoreError(
            .deviceFull, productID: product, found: free, expected: missing)
    }

    /// Then checks the SHA-256 of the whole file.
    private func fetch(
        _ file: ContentManifest.File, into here: PartialFile, of whole: Int64,
        received: inout Int64
    ) async throws {
        var checkedAt = received
        var offset = try folder.inDevice { try here.length() }
        if offset > file.length {
            try folder.inDevice { try here.truncate() }
            received -= file.length
            offset = 0
        }
        while offset < file.length {
            let count = Int(min(Int64(pacer.chunkBytes), file.length - offset))
            try await pacer.carry(count)
            let bytes = try await source.contentBytes(
                product: product, contentID: contentID, path: file.path, offset: offset,
                count: count)
            guard !bytes.isEmpty else {
                throw StoreError(.contentUnavailable, productID: product, subject: file.path)
            }
            // A download that was paused or cancelled during the request gets no more bytes.
            try Task.checkCancellation()
            try folder.inDevice { try here.append(bytes) }
            offset += Int64(bytes.count)
            received += Int64(bytes.count)
            onProgress(received)
            if received - checkedAt >= DeviceLimits.roomCheckBytes {
                try checkRoom(for: whole - received)
                checkedAt = received
            }
        }
        let found = try folder.inDevice { try here.sha256() }
        guard found != file.sha256 else { return }
        folder.remove(contentID, of: product, from: "partial")
        throw StoreError(
            .contentMismatch, productID: product, subject: file.path, found: found,
            expected: file.sha256)
    }
}

/// An open file of an unfinished package. Closed by `deinit`.
final class PartialFile {
    private let descriptor: Int32
    private let path: String

    /// Makes an empty file if there is none.
    init(_ name: String, in folder: OpenFolder) throws(StoreError) {
        path = folder.path + "/" + name
        descriptor = try folder.openFile(name, O_RDWR | O_CREAT | O_APPEND)
        // A write to a file with a second hard link would change another program's file.
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink <= 1 else {
            close(descriptor)
            throw StoreError(
                .storeUnreadable, subject: path, found: "a second name of another file")
        }
    }

    deinit { close(descriptor) }

    /// Nil if there is no file.
    static func contents(of name: String, in folder: OpenFolder) throws(StoreError) -> Data? {
        guard let status = folder.status(name) else { return nil }
        let file = try PartialFile(name, in: folder)
        var data = Data()
        data.reserveCapacity(Int(status.st_size))
        try file.read { data.append(contentsOf: $0) }
        return data
    }

    func length() throws(StoreError) -> Int64 {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw failure }
        return Int64(status.st_size)
    }

    func truncate() throws(StoreError) {
        guard ftruncate(descriptor, 0) == 0 else { throw failure }
    }

    func append(_ bytes: Data) throws(StoreError) {
        let failure = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
        if let failure { throw StoreError(errno: failure, path: path) }
    }

    func sync() throws(StoreError) {
        guard fsync(descriptor) == 0 else { throw failure }
    }

    /// Of the present bytes, in lower-case hexadecimal.
    func sha256() throws(StoreError) -> String {
        var hash = SHA256()
        try read { hash.update(bufferPointer: $0) }
        return HexText.of(hash.finalize())
    }

    private func read(_ take: (UnsafeRawBufferPointer) -> Void) throws(StoreError) {
        var offset: off_t = 0
        let size = 1 << 18
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = pread(descriptor, buffer.baseAddress, size, offset)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure }
            if count == 0 { return }
            take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            offset += off_t(count)
        }
    }

    private var failure: StoreError { StoreError(errno: errno, path: path) }
}

extension ContentManifest {
    /// Rejects a manifest with a path that could leave the package's folder: empty steps, `.`, `..`
    /// and control characters. The device does not rely on the store for this check.
    ///
    /// - Throws: `contentMismatch`.
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
    /// Whether the store may have replaced the package during the fetch.
    fileprivate var mayMeanAnotherPackage: Bool {
        code == .contentMismatch || code == .contentUnavailable || serverFailure == .wrongLength
    }

    /// The same error as one of the device's files: `storeFull` becomes `deviceFull`,
    /// `storeUnreadable`, `storeReadOnly` and `fileUnreadable` become `deviceUnreadable`.
    var onDevice: StoreError {
        var error = self
        if code == .storeFull { error.code = .deviceFull }
        if [.storeUnreadable, .storeReadOnly, .fileUnreadable].contains(code) {
            error.code = .deviceUnreadable
        }
        return error
    }
}
