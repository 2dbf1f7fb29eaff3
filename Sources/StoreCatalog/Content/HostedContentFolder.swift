import Crypto
package import Foundation
package import StoreModel

/// The folder a catalog hosts its content in. Whatever a catalog or a customer asks for, nothing
/// outside of it is ever read: not by `..`, not by an absolute path, not through a symbolic link.
///
/// Every call throws `contentUnavailable` where a package is missing, empty or leaves the folder;
/// its `subject` is the path, `found` and `expected` say what is wrong.
package struct HostedContentFolder: Sendable {
    /// Bytes of all files of one package: what the App Store hosts at most.
    package static let packageBytesMax: Int64 = 2_000_000_000
    /// Files of one package.
    package static let packageFilesMax = 20_000
    /// Bytes of one answer to `bytes`.
    package static let readBytesMax = 16 << 20

    /// Absolute.
    package let root: String

    package init(root: String) { self.root = root }

    /// Bytes of all files of a package, by looking at the files' sizes only.
    package func length(of content: CatalogDelivery.Package) throws(StoreError) -> Int64 {
        try files(of: content).reduce(0) { $0 + $1.length }
    }

    /// Every file of a package with its length and digest, sorted by the bytes of its path. Reads
    /// all files, a piece at a time.
    package func manifest(
        for content: CatalogDelivery.Package
    ) throws(StoreError) -> ContentManifest {
        var files: [ContentManifest.File] = []
        for file in try self.files(of: content) {
            let (length, digest) = try Self.digest(of: file)
            files.append(ContentManifest.File(path: file.path, length: length, sha256: digest))
        }
        return ContentManifest(contentID: content.id, version: content.version, files: files)
    }

    /// Bytes of one file of a package's manifest: at most `count` and at most `readBytesMax`, fewer
    /// at the end of the file, none behind it.
    package func bytes(
        of content: CatalogDelivery.Package, path: String, offset: Int64, count: Int
    ) throws(StoreError) -> Data {
        guard let file = try files(of: content).first(where: { $0.path == path }) else {
            throw Self.unavailable(path, found: "no such file", expected: "a file of the package")
        }
        guard offset >= 0, count >= 0 else {
            throw Self.unavailable(path, found: "\(offset)", expected: "an offset of at least 0")
        }
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: file.realPath))
            defer { try? handle.close() }
            try handle.seek(toOffset: UInt64(offset))
            return try handle.read(upToCount: min(count, Self.readBytesMax)) ?? Data()
        } catch {
            throw Self.unavailable(path, cause: error)
        }
    }

    private static func digest(
        of file: HostedFile
    ) throws(StoreError) -> (length: Int64, sha256: String) {
        do {
            let handle = try FileHandle(forReadingFrom: URL(filePath: file.realPath))
            defer { try? handle.close() }
            var digest = SHA256()
            var length: Int64 = 0
            while let piece = try handle.read(upToCount: 1 << 20), !piece.isEmpty {
                digest.update(data: piece)
                length += Int64(piece.count)
            }
            return (length, HexText.of(digest.finalize()))
        } catch {
            throw unavailable(file.path, cause: error)
        }
    }

    static func unavailable(_ path: String, found: String, expected: String) -> StoreError {
        StoreError(
            .contentUnavailable, subject: ForeignText.short(path), found: found,
            expected: expected)
    }

    private static func unavailable(_ path: String, cause: any Error) -> StoreError {
        StoreError(
            .contentUnavailable, subject: ForeignText.short(path),
            found: "a file that cannot be read", expected: "a readable file",
            cause: ForeignText.short(cause.localizedDescription))
    }
}
