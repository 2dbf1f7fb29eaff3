import Basics
import Crypto
import Foundation
package import StoreCatalog
package import StoreModel

/// Where the files of a store's hosted packages lie.
package enum PackagePlace: Sendable {
    /// Those of a store in a folder, or a machine's copies of those in a database.
    case folder(PackageFiles)
    /// Those of a store in a database.
    case database(any PackageChunks)

    /// Whether the file is there, with the bytes that were hosted: it is read and hashed.
    ///
    /// - Throws: errors of reading.
    package func has(_ release: PackageRelease) async throws(StoreError) -> Bool {
        do throws(StoreError) {
            try await read(release) { (_, _) throws(StoreError) in }
            return true
        } catch {
            guard error.code == .contentUnavailable else { throw error }
            return false
        }
    }

    /// Copies a release's file. In a folder it appears whole, and is readable by the user alone.
    ///
    /// - Throws: `contentUnavailable` if the file is not here, or another one; errors of reading and
    ///   writing.
    package func copy(
        _ release: PackageRelease, to target: PackagePlace
    ) async throws(StoreError) {
        switch target {
        case .folder(let files): try await write(release, to: files)
        case .database(let chunks):
            try await read(release) { (chunk, number) async throws(StoreError) in
                try await chunks.keep(chunk, number, of: release.sha256)
            }
        }
    }

    // MARK: - Reading

    /// Passes the file on in pieces, with their numbers from 0.
    ///
    /// - Throws: `contentUnavailable`, at the end, unless all were as they were hosted.
    private func read(
        _ release: PackageRelease, _ body: (Data, Int) async throws(StoreError) -> Void
    ) async throws(StoreError) {
        var digest = SHA256()
        var (length, number) = (0 as Int64, 0)
        while length < release.length {
            guard let chunk = try await chunk(number, of: release), !chunk.isEmpty else {
                throw Self.unavailable(release, found: "chunk \(number) is missing")
            }
            digest.update(data: chunk)
            try await body(chunk, number)
            length += Int64(chunk.count)
            number += 1
        }
        guard length == release.length, HexText.of(digest.finalize()) == release.sha256 else {
            throw Self.unavailable(release, found: "other bytes")
        }
    }

    private func chunk(
        _ number: Int, of release: PackageRelease
    ) async throws(StoreError) -> Data? {
        switch self {
        case .folder(let files): try Self.chunk(number, of: files.path(release.sha256))
        case .database(let chunks): try await chunks.chunk(number, of: release.sha256)
        }
    }

    private static func chunk(_ number: Int, of path: String) throws(StoreError) -> Data? {
        // A link was made by another program, and opening a pipe must not wait for its other end.
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno != ENOENT else { return nil }
            throw StoreError(errno: errno, path: path)
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.seek(toOffset: UInt64(number * StoreLimits.packageChunk))
            return try file.read(upToCount: StoreLimits.packageChunk)
        } catch {
            throw StoreError(.storeUnreadable, subject: path, cause: systemMessage(of: error))
        }
    }

    // MARK: - Writing

    private func write(
        _ release: PackageRelease, to files: PackageFiles
    ) async throws(StoreError) {
        let partial = try Self.partialFile(of: release.sha256, in: files.folder)
        let file = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreError(errno: errno, path: partial) }
        defer {
            close(file)
            unlink(partial)
        }
        try await read(release) { (chunk, _) throws(StoreError) in
            if let code = chunk.withUnsafeBytes({ writeAll($0, to: file) }) {
                throw StoreError(errno: code, path: partial)
            }
        }
        guard fsync(file) == 0, rename(partial, files.path(release.sha256)) == 0 else {
            throw StoreError(errno: errno, path: partial)
        }
    }

    /// The path of a file that only this process writes. Those that ended processes have left are
    /// removed.
    private static func partialFile(
        of sha256: String, in folder: String
    ) throws(StoreError) -> String {
        let partials = folder + "/" + PackageFiles.partialFolder
        for path in [folder, partials] {
            guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
                throw StoreError(errno: errno, path: path)
            }
        }
        for name in (try? FileManager.default.contentsOfDirectory(atPath: partials)) ?? [] {
            let process = name.split(separator: "-").last.flatMap { pid_t($0) }
            if let process, kill(process, 0) != 0, errno == ESRCH { unlink(partials + "/" + name) }
        }
        return "\(partials)/\(sha256)-\(getpid())"
    }

    private static func unavailable(_ release: PackageRelease, found: String) -> StoreError {
        StoreError(
            .contentUnavailable, productID: release.productID, subject: release.name,
            found: found, expected: "the package that was hosted")
    }
}
