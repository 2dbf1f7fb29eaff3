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

    /// Keeps a file of this machine for the others.
    ///
    /// - Throws: as `PackagePlace.copy`.
    func keep(_ release: PackageRelease) async throws(StoreError) {
        try await PackagePlace.folder(files).copy(release, to: .database(chunks))
    }

    func removeAll(except files: Set<String>) async throws(StoreError) {
        try await chunks.removeChunks(except: files)
    }

    /// Returns when this machine has a release's file. Callers at the same time share one copying.
    ///
    /// - Throws: as `PackagePlace.copy`.
    func copy(_ release: PackageRelease) async throws(StoreError) {
        guard access(files.path(release.sha256), F_OK) != 0 else { return }
        let task =
            copying[release.sha256]
            ?? Task { [chunks, files] in
                do throws(StoreError) {
                    try await PackagePlace.database(chunks).copy(release, to: .folder(files))
                    return .success(())
                } catch { return .failure(error) }
            }
        copying[release.sha256] = task
        let result = await task.value
        copying[release.sha256] = nil
        try result.get()
    }
}

extension StoreEngine {
    /// Keeps the file of a package where other machines find it; does nothing for a store in a folder,
    /// which has the file.
    ///
    /// - Throws: as `PackagePlace.copy`.
    package func sharePackage(_ release: PackageRelease) async throws(StoreError) {
        try await sharedPackages?.keep(release)
    }

    /// Removes the files that no release names from where other machines find them.
    package func unsharePackages(except files: Set<String>) async throws(StoreError) {
        try await sharedPackages?.removeAll(except: files)
    }
}
