import Basics
import ContentPackages
import Crypto
import DurableFiles
import Foundation
import StoreModel

/// Unpacks a downloaded package into a folder, in the form of a package, and writes no file outside
/// it: every file is created anew in an open folder, never through a link, and only after the zip
/// file's list of entries has passed all rules. Each file is checked against the manifest.
struct PackageUnpacker {
    let folder: DeviceFolder
    let product: ProductID
    let manifest: ContentManifest

    /// - Throws: `contentMismatch` for a package that is not what the manifest says, or breaks a
    ///   rule; `deviceFull`, `deviceUnreadable`; `CancellationError`.
    func unpack(_ name: String, of archives: OpenFolder, into unpacked: OpenFolder) throws {
        let package = try asMismatch { () throws(StoreError) in
            try ContentPackage(path: archives.path + "/" + name)
        }
        let listed = Dictionary(
            manifest.files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
        guard package.files.count == manifest.files.count else {
            throw mismatch(
                manifest.contentID, found: "\(package.files.count) files",
                expected: "\(manifest.files.count) files")
        }
        if let info = package.infoFile { _ = try unpack(info, of: package, into: unpacked) }
        let files = try folder.inDevice {
            try unpacked.folder(ContentInfo.contentsFolder, isMade: true)
        }
        for file in package.files {
            try Task.checkCancellation()
            guard let expected = listed[file.path], expected.length == file.length else {
                throw mismatch(file.path, found: "\(file.length) bytes", expected: "another file")
            }
            let sha256 = try unpack(file, of: package, into: files)
            guard sha256 == expected.sha256 else {
                throw mismatch(file.path, found: sha256, expected: expected.sha256)
            }
        }
    }

    private func unpack(
        _ file: ContentPackage.File, of package: ContentPackage, into files: OpenFolder
    ) throws -> String {
        var steps = file.path.split(separator: "/").map(String.init)
        let name = steps.popLast() ?? file.path
        let parent = try folder.inDevice {
            steps.isEmpty ? files : try files.folder(steps.joined(separator: "/"), isMade: true)
        }
        let descriptor = try folder.inDevice {
            try parent.openFile(name, O_WRONLY | O_CREAT | O_EXCL)
        }
        defer { close(descriptor) }
        var hash = SHA256()
        try asMismatch { () throws(StoreError) in
            try package.unpack(file) { (bytes) throws(StoreError) in
                hash.update(bufferPointer: bytes)
                if let code = writeAll(bytes, to: descriptor) {
                    throw StoreError(errno: code, path: parent.path + "/" + name).onDevice
                }
            }
        }
        return HexText.of(hash.finalize())
    }

    /// Turns every broken rule into `contentMismatch`: such a package is not the one that the store
    /// announced.
    private func asMismatch<Value>(_ body: () throws(StoreError) -> Value) throws(StoreError)
        -> Value
    {
        do throws(StoreError) { return try body() } catch {
            guard error.code == .packageInvalid else { throw error.onDevice }
            throw mismatch(
                error.subject ?? manifest.contentID, found: error.found?.text ?? "",
                expected: error.expected?.text ?? "")
        }
    }

    private func mismatch(_ path: String, found: String, expected: String) -> StoreError {
        StoreError(
            .contentMismatch, productID: product, subject: path, found: found, expected: expected)
    }
}
