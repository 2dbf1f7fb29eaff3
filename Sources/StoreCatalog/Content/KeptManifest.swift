import Basics
import Crypto
import Foundation
package import StoreModel

/// The attributes by which a store recognizes that a file of a hosted package has changed.
package struct FileMark: Codable, Hashable, Sendable {
    var path: String
    var length: Int64
    /// Nanoseconds since 1970.
    var changedAt: Int64
    var device: UInt64
    var inode: UInt64
}

/// A manifest with the attributes of the files that it was computed from.
package struct KeptManifest: Codable, Sendable {
    /// Sorted by path.
    package var marks: [FileMark]
    package var manifest: ContentManifest

    package init(marks: [FileMark], manifest: ContentManifest) {
        self.marks = marks
        self.manifest = manifest
    }

    /// The name of the file that keeps the manifest of a package.
    package static func name(
        of package: CatalogDelivery.Package, in folder: String
    ) -> String {
        let text = [folder, package.path, package.id, package.version].joined(separator: "\n")
        return HexText.of(SHA256.hash(data: Data(text.utf8))) + ".json"
    }

    /// Nil also if there is no matching digest beside it: the process that wrote it was killed in
    /// between.
    package init?(in folder: String?, name: String) {
        guard let folder, let body = FileManager.default.contents(atPath: folder + "/" + name),
            let kept = try? JSONDecoder().decode(Self.self, from: body),
            let digest = KeptDigest(in: folder, beside: name),
            digest.marks == KeptDigest.of(kept.marks)
        else { return nil }
        self = kept
    }

    /// For later processes, with the digest beside it. A failed write is no error: the next process
    /// computes the manifest again.
    package func write(into folder: String?, name: String, digest: String?) {
        guard let folder else { return }
        Self.write(self, into: folder, name: name)
        guard let digest, let digestOfMarks = KeptDigest.of(marks) else { return }
        Self.write(
            KeptDigest(marks: digestOfMarks, manifest: digest), into: folder,
            name: KeptDigest.name(beside: name))
    }

    private static func write(_ value: some Encodable, into folder: String, name: String) {
        guard let body = try? JSONEncoder().encode(value) else { return }
        // Creates folders only inside an existing store: a store that was deleted meanwhile must
        // not get an empty folder back.
        mkdir(URL(filePath: folder).deletingLastPathComponent().path(percentEncoded: false), 0o700)
        mkdir(folder, 0o700)
        // Only the store's owner reads the file. A process that is killed here leaves a file that
        // the next process replaces.
        let temporary = folder + "/" + name + ".new"
        let isWritten = FileManager.default.createFile(
            atPath: temporary, contents: body, attributes: [.posixPermissions: 0o600])
        guard isWritten else { return }
        if rename(temporary, folder + "/" + name) != 0 { unlink(temporary) }
    }
}

/// The digest of a kept manifest, in a separate small file: product information contains the
/// digest, and is read far more often than a manifest, which may name thousands of files.
struct KeptDigest: Codable {
    /// SHA-256 of the marks of the files that the manifest was made from.
    var marks: String
    /// SHA-256 of the manifest, lower-case hexadecimal.
    var manifest: String

    static func name(beside manifest: String) -> String { manifest + ".digest" }

    static func of(_ marks: [FileMark]) -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(marks)).map { HexText.of(SHA256.hash(data: $0)) }
    }
}

extension KeptDigest {
    init?(in folder: String, beside manifest: String) {
        let path = folder + "/" + Self.name(beside: manifest)
        guard let body = FileManager.default.contents(atPath: path),
            let kept = try? JSONDecoder().decode(Self.self, from: body)
        else { return nil }
        self = kept
    }
}

extension HostedContentFolder {
    /// Nil unless the store has kept the manifest and the files are unchanged. Reads none of the
    /// files.
    func keptDigest(of package: CatalogDelivery.Package, in manifests: String) -> String? {
        let name = KeptManifest.name(of: package, in: root)
        guard let kept = KeptDigest(in: manifests, beside: name), let found = try? open(package),
            kept.marks == KeptDigest.of(found.marks)
        else { return nil }
        return kept.manifest
    }
}

extension HostedPackage {
    /// Sorted by path.
    package var marks: [FileMark] {
        files.values.map { file in
            FileMark(
                path: file.path, length: file.length, changedAt: file.changedAt,
                device: file.device, inode: file.inode)
        }.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }
}
