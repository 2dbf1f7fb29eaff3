import Basics
import Crypto
import Foundation
import StoreCatalog
package import StoreModel

/// The files of hosted packages of a store in a database. The database has each in chunks; a machine
/// makes a copy of one that is asked for, once, and then reads that.
actor SharedPackages {
    private let chunks: any PackageChunks
    private let files: PackageFiles
    private var copying: [String: Task<Result<Void, StoreError>, Never>] = [:]

    /// - Parameter files: the folder of this machine's copies.
    init(_ chunks: any PackageChunks, copiedTo files: PackageFiles) {
        self.chunks = chunks
        self.files = files
    }

    // MARK: - To the database

    /// Keeps a file of this machine for the others.
    ///
    /// - Throws: `storeUnreadable` for a file that cannot be read; errors of the database.
    func keep(_ sha256: String) async throws(StoreError) {
        let path = files.path(sha256)
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw StoreError(errno: errno, path: path)
        }
        var number = 0
        while true {
            let chunk: Data
            do { chunk = try file.read(upToCount: StoreLimits.packageChunk) ?? Data() } catch {
                throw StoreError(.storeUnreadable, subject: path, cause: error.localizedDescription)
            }
            if chunk.isEmpty { return }
            try await chunks.keep(chunk, number, of: sha256)
            number += 1
        }
    }

    func removeAll(except files: Set<String>) async throws(StoreError) {
        try await chunks.removeChunks(except: files)
    }

    // MARK: - From the database

    /// Returns when this machine has a release's file. Callers at the same time share one copying.
    ///
    /// - Throws: `contentUnavailable` where the database has not the file, or another one; errors of
    ///   the database and of writing.
    func copy(_ release: PackageRelease) async throws(StoreError) {
        guard access(files.path(release.sha256), F_OK) != 0 else { return }
        let task =
            copying[release.sha256]
            ?? Task { [chunks, files] in
                do throws(StoreError) {
                    try await Self.copy(release, from: chunks, to: files)
                    return .success(())
                } catch { return .failure(error) }
            }
        copying[release.sha256] = task
        let result = await task.value
        copying[release.sha256] = nil
        try result.get()
    }

    private static func copy(
        _ release: PackageRelease, from chunks: any PackageChunks, to files: PackageFiles
    ) async throws(StoreError) {
        let partial = try partialFile(of: release.sha256, in: files.folder)
        let file = Foundation.open(
            partial, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw StoreError(errno: errno, path: partial) }
        defer {
            close(file)
            unlink(partial)
        }
        var digest = SHA256()
        var (length, number) = (0 as Int64, 0)
        while length < release.length {
            guard let chunk = try await chunks.chunk(number, of: release.sha256), !chunk.isEmpty
            else { throw unavailable(release, found: "chunk \(number) is missing") }
            digest.update(data: chunk)
            if let code = chunk.withUnsafeBytes({ writeAll($0, to: file) }) {
                throw StoreError(errno: code, path: partial)
            }
            length += Int64(chunk.count)
            number += 1
        }
        guard length == release.length, HexText.of(digest.finalize()) == release.sha256 else {
            throw unavailable(release, found: "other bytes")
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

extension StoreEngine {
    /// Keeps the file of a package where other machines find it; does nothing for a store in a folder,
    /// which has the file.
    ///
    /// - Throws: as `SharedPackages.keep`.
    package func sharePackage(_ sha256: String) async throws(StoreError) {
        try await sharedPackages?.keep(sha256)
    }

    /// Removes the files that no release names from where other machines find them.
    package func unsharePackages(except files: Set<String>) async throws(StoreError) {
        try await sharedPackages?.removeAll(except: files)
    }
}
