import Basics
import Crypto
import DurableFiles
import Foundation
import StoreModel

/// Fetches one hosted package: files into a partial folder, going on at the byte where it stopped;
/// each checked by SHA-256; then the whole made durable and moved into place by one rename.
struct PackageFetcher: Sendable {
    let store: any Store
    let folder: DeviceFolder
    let pacer: any Pacer
    let product: ProductID
    let contentID: String
    /// Told after each piece: bytes of the package that are here by now.
    let onProgress: @Sendable (Int64) -> Void

    /// Answers with what is in place. Throws `contentMismatch`, `deviceFull`, `deviceUnreadable`,
    /// `contentUnavailable`, `notEntitled` and what else the store answers, and `CancellationError`
    /// when it is to stop; what was fetched stays for the next try, except after a mismatch.
    func fetch() async throws -> DownloadJob.Ending {
        var manifest = try await announced()
        for _ in 1..<DeviceLimits.changesOfPackageMax {
            do {
                return try await fetch(manifest)
            } catch let error as StoreError where error.mayMeanAnotherPackage {
                // The store may have put another package in its place meanwhile.
                let current = try await announced()
                guard current != manifest else { throw error }
                manifest = current
            }
        }
        return try await fetch(manifest)
    }

    private func announced() async throws(StoreError) -> ContentManifest {
        let manifest = try await store.contentManifest(product: product, contentID: contentID)
        try manifest.checkPaths(product)
        return manifest
    }

    private func fetch(_ manifest: ContentManifest) async throws -> DownloadJob.Ending {
        let ending = DownloadJob.Ending.finished(
            version: manifest.version, length: manifest.length)
        let target = try folder.opened {
            try $0.folder("content/\(product)/\(contentID)", isMade: true)
        }
        // A version may name several folders; the last of them is what is moved.
        let steps = manifest.version.split(separator: "/").map(String.init)
        var parent = target
        for step in steps.dropLast() {
            parent = try folder.inDevice { try parent.folder(step, isMade: true) }
        }
        let name = steps.last ?? manifest.version
        if let status = parent.status(name), status.st_mode & S_IFMT == S_IFDIR {
            try folder.inDevice { try parent.sync() }
            folder.removePartial(product, contentID)
            return ending
        }
        let partial = try folder.opened {
            try $0.folder("partial/\(product)/\(contentID)", isMade: true)
        }
        let files = try begin(manifest, in: partial)
        try await fetchFiles(of: manifest, into: files)
        try folder.inDevice {
            try makeDurable(manifest, in: files)
            try partial.move("files", into: parent, as: name)
            try parent.sync()
        }
        folder.removePartial(product, contentID)
        return ending
    }

    /// What is moved into place is on the disk before. A sync of each file and folder costs some
    /// milliseconds, one of the file system as much as what other programs have just written: few
    /// files are synced each by itself, many all at once (the row "fetch a package of 3000 small
    /// files" of the bench: 15 s in syncs of their own, 0.1 s in one).
    private func makeDurable(_ manifest: ContentManifest, in files: OpenFolder) throws {
        guard manifest.files.count <= DeviceLimits.filesSyncedAlone else {
            return try files.syncFileSystem()
        }
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
        let device = try OpenFolder(path: folder.path)
        for path in ["content", "content/\(product)", "content/\(product)/\(contentID)"] {
            try device.folder(path).sync()
        }
    }

    /// The folder of the files. What is in it belongs to the same package, or is dropped.
    private func begin(
        _ manifest: ContentManifest, in partial: OpenFolder
    ) throws -> OpenFolder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let wanted = try encoder.encode(manifest)
        return try folder.inDevice {
            if try PartialFile.contents(of: "manifest.json", in: partial) == wanted {
                return try partial.folder("files", isMade: true)
            }
            try folder.drop("files", of: partial)
            let files = try partial.folder("files", isMade: true)
            let file = try PartialFile("manifest.json", in: partial)
            try file.truncate()
            try file.append(wanted)
            return files
        }
    }

    private func fetchFiles(of manifest: ContentManifest, into files: OpenFolder) async throws {
        var received = manifest.files.reduce(0) { sum, file in
            sum + min(Int64(files.status(file.path)?.st_size ?? 0), file.length)
        }
        onProgress(received)
        var current = (path: "", folder: files)
        for file in manifest.files {
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
            try await fetch(file, into: here, received: &received)
        }
    }

    private func fetch(
        _ file: ContentManifest.File, into here: PartialFile, received: inout Int64
    ) async throws {
        var offset = try folder.inDevice { try here.length() }
        if offset > file.length {
            try folder.inDevice { try here.truncate() }
            received -= file.length
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
            try folder.inDevice { try here.append(bytes) }
            offset += Int64(bytes.count)
            received += Int64(bytes.count)
            onProgress(received)
        }
        let found = try folder.inDevice { try here.sha256() }
        guard found != file.sha256 else { return }
        folder.removePartial(product, contentID)
        throw StoreError(
            .contentMismatch, productID: product, subject: file.path, found: found,
            expected: file.sha256)
    }
}

/// A file of an unfinished package, open for as long as this lives.
private final class PartialFile {
    private let descriptor: Int32
    private let path: String

    /// Opens the file, or makes an empty one.
    init(_ name: String, in folder: OpenFolder) throws(StoreError) {
        path = folder.path + "/" + name
        descriptor = try folder.openFile(name, O_RDWR | O_CREAT | O_APPEND)
        // A second name for it would be written too.
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_nlink <= 1 else {
            close(descriptor)
            throw StoreError(
                .storeUnreadable, subject: path, found: "a second name of another file")
        }
    }

    deinit { close(descriptor) }

    /// All of it; nil where there is none.
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

    /// Lower-case hexadecimal, of what can be read back now.
    func sha256() throws(StoreError) -> String {
        var hash = SHA256()
        try read { hash.update(bufferPointer: $0) }
        return Self.hexadecimal(hash.finalize())
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

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
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
    /// What a fetch meets when the store changed the package under it.
    fileprivate var mayMeanAnotherPackage: Bool {
        code == .contentMismatch || code == .contentUnavailable
    }

    /// The same failure, of a device's own file.
    var onDevice: StoreError {
        var error = self
        switch code {
        case .storeFull: error.code = .deviceFull
        case .storeUnreadable, .storeReadOnly: error.code = .deviceUnreadable
        default: break
        }
        return error
    }
}
