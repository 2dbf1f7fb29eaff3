import Foundation
package import StoreModel

/// The zip files of releases. Each is named by its hash in the store's folder, so that equal files
/// are stored once and a file never changes.
package struct PackageFiles: Sendable {
    /// Absolute.
    package let folder: String

    /// Of files that are being copied from a database, in the folder.
    package static let partialFolder = "partial"

    /// Does not access the disk.
    package init(folder: String) { self.folder = folder }

    /// - Parameter sha256: lower-case hexadecimal.
    package func path(_ sha256: String) -> String { folder + "/" + sha256 + ".zip" }

    /// For reading it in pieces by `ContentManifest.Archive.path`. Throws `contentUnavailable` if
    /// the file is missing or has another length.
    package func open(_ release: PackageRelease) throws(StoreError) -> HostedPackage {
        let path = path(release.sha256)
        func unavailable(found: String, expected: String) -> StoreError {
            StoreError(
                .contentUnavailable, productID: release.productID, subject: release.name,
                found: found, expected: expected)
        }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw unavailable(
                found: "no such file in the store", expected: "a package that was hosted")
        }
        guard Int64(status.st_size) == release.length else {
            throw unavailable(
                found: "\(status.st_size) bytes", expected: "\(release.length) bytes")
        }
        return HostedPackage([
            HostedFile(
                path: ContentManifest.Archive.path, realPath: path, length: release.length,
                device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        ])
    }
}
