import Basics
import Crypto
package import StoreModel

/// The contents and the problems of a package. All its bytes were read, unpacked and checked, and
/// nothing was written.
package struct PackageInspection: Sendable {
    /// Nil if it cannot be read.
    package var info: ContentInfo?
    /// Of a package with problems, only the files that could be read.
    package var files: [ContentManifest.File]
    /// Of the zip file, in bytes.
    package var packedLength: Int64
    /// Of the zip file, lower-case hexadecimal.
    package var sha256: String
    /// Empty if the package can be hosted.
    package var problems: [PackageProblem]

    /// Of all files, in bytes.
    package var unpackedLength: Int64 { files.reduce(0) { $0 + $1.length } }

    /// - Throws: errors of reading the file. Problems of the package are in `problems`, not thrown.
    package static func of(path: String) throws(StoreError) -> PackageInspection {
        var problems: [PackageProblem] = []
        do throws(PackageFailure) {
            let archive = try ZipArchive(path: path)
            let info = try PackageRules.check(archive, &problems)
            var files: [ContentManifest.File] = []
            // A package that breaks a rule about lengths could take long to unpack.
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
                sha256: HexText.of(hash.finalize()), problems: problems)
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
            path: file.path, length: file.length, sha256: HexText.of(hash.finalize()))
    }
}

extension PackageProblem.Rule {
    fileprivate var isAboutLength: Bool { self == .tooLarge || self == .tooCompressed }
}
