import Basics
import Crypto
import Foundation
package import StoreModel

/// Everything a package holds, and everything that is wrong with it. Every byte of it was read,
/// unpacked and checked; nothing was written.
package struct PackageInspection: Sendable {
    /// The package's own statement of its product and version; nil where that is not readable.
    package var info: ContentInfo?
    /// The content's files with lengths and SHA-256; of a package with problems those that could be
    /// read.
    package var files: [ContentManifest.File]
    /// The bytes of the zip file.
    package var packedLength: Int64
    /// SHA-256 of the zip file, lower-case hexadecimal.
    package var sha256: String
    /// The reasons why it cannot be hosted; empty for a package that can.
    package var problems: [PackageProblem]

    /// Bytes of all files, unpacked.
    package var unpackedLength: Int64 { files.reduce(0) { $0 + $1.length } }

    /// Reads a package.
    ///
    /// - Throws: errors of reading the file. The problems of the package itself are in `problems`.
    package static func of(path: String) throws(StoreError) -> PackageInspection {
        var problems: [PackageProblem] = []
        do throws(PackageFailure) {
            let archive = try ZipArchive(path: path)
            let info = try PackageRules.check(archive, &problems)
            var files: [ContentManifest.File] = []
            // A package that breaks a rule of its lengths would take long to unpack.
            if !problems.contains(where: { $0.rule.isAboutLength }) {
                for file in ContentPackage.files(of: archive) {
                    if let file = try inspect(file, of: archive, &problems) { files.append(file) }
                }
            }
            var hash = SHA256()
            try archive.readAll { (bytes) throws(PackageFailure) in
                hash.update(bufferPointer: bytes)
            }
            return PackageInspection(
                info: info, files: files, packedLength: archive.length,
                sha256: HexDigits.of(hash.finalize()), problems: problems)
        } catch {
            guard case .problem(let problem) = error else {
                throw StoreError(.fileUnreadable, subject: path, cause: error.error.cause)
            }
            return PackageInspection(
                info: nil, files: [], packedLength: 0, sha256: "", problems: problems + [problem])
        }
    }

    private static func inspect(
        _ file: ContentPackage.File, of archive: ZipArchive, _ problems: inout [PackageProblem]
    ) throws(PackageFailure) -> ContentManifest.File? {
        var hash = SHA256()
        var start = StartOfFile(path: ContentInfo.contentsFolder + "/" + file.path)
        do throws(PackageFailure) {
            try archive.unpack(file.entry) { (bytes) throws(PackageFailure) in
                try start.add(bytes)
                hash.update(bufferPointer: bytes)
            }
        } catch {
            guard case .problem(let problem) = error else { throw error }
            if problems.count < PackageLimits.problemsMax { problems.append(problem) }
            return nil
        }
        return ContentManifest.File(
            path: file.path, length: file.length, sha256: HexDigits.of(hash.finalize()))
    }
}

extension PackageProblem.Rule {
    fileprivate var isAboutLength: Bool { self == .tooLarge || self == .tooCompressed }
}

/// Bytes as text.
enum HexDigits {
    /// Lower-case hexadecimal, two digits for each byte.
    static func of(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
        return String(decoding: text, as: UTF8.self)
    }
}
