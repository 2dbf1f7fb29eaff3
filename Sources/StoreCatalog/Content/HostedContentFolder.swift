import Basics
import Crypto
package import Foundation
package import StoreModel

/// The folder with a catalog's hosted content. No request reads anything outside of it, neither by
/// `..` nor by an absolute path or a symbolic link.
///
/// Every call throws `contentUnavailable` if a package is missing, empty, too large, unreadable or
/// leaves the folder; `subject` is the path, `found` and `expected` name the problem.
package struct HostedContentFolder: Sendable {
    /// Also the App Store's limit.
    package static let packageBytesMax: Int64 = 2_000_000_000
    static let packageFilesMax = 20_000
    /// For one call of `bytes`.
    static let readBytesMax = 16 << 20

    /// Absolute.
    package let root: String

    /// Does not access the disk.
    package init(root: String) { self.root = root }

    /// The sum of the files' sizes; does not read them.
    package func length(of content: CatalogDelivery.Package) throws(StoreError) -> Int64 {
        try files(of: content).reduce(0) { $0 + $1.length }
    }

    package func open(_ content: CatalogDelivery.Package) throws(StoreError) -> HostedPackage {
        HostedPackage(try files(of: content))
    }

    /// The manifest is sorted by the bytes of the paths. Reads all files, a piece at a time.
    package func opened(
        _ content: CatalogDelivery.Package
    ) throws(StoreError) -> (package: HostedPackage, manifest: ContentManifest) {
        let found = try files(of: content)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        var files: [ContentManifest.File] = []
        for file in found {
            let (length, digest) = try Self.digest(of: file, through: buffer)
            files.append(ContentManifest.File(path: file.path, length: length, sha256: digest))
        }
        return (
            HostedPackage(found),
            ContentManifest(contentID: content.id, version: content.version, files: files)
        )
    }

    /// At most `count` and at most `readBytesMax`, fewer at the end of the file, none after it.
    /// Each call searches the package's folder again.
    package func bytes(
        of content: CatalogDelivery.Package, path: String, offset: Int64, count: Int
    ) throws(StoreError) -> Data {
        guard let bytes = try open(content).bytes(path: path, offset: offset, count: count) else {
            throw Self.noSuchFile(path)
        }
        return bytes
    }

    package static func noSuchFile(_ path: String) -> StoreError {
        unavailable(path, found: "no such file", expected: "a file of the package")
    }

    private static func digest(
        of file: HostedFile, through buffer: UnsafeMutableRawBufferPointer
    ) throws(StoreError) -> (length: Int64, sha256: String) {
        guard let descriptor = file.open() else { throw noSuchFile(file.path) }
        defer { close(descriptor) }
        var digest = SHA256()
        var length: Int64 = 0
        while true {
            let count = read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw file.unreadable(errno) }
            if count == 0 { return (length, HexText.of(digest.finalize())) }
            digest.update(bufferPointer: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            length += Int64(count)
        }
    }

    static func unavailable(_ path: String, found: String, expected: String) -> StoreError {
        StoreError(
            .contentUnavailable, subject: UntrustedText.short(path), found: found,
            expected: expected)
    }
}
