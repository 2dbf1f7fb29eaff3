import Basics
import Crypto
import Foundation
package import StoreModel

/// A package of hosted content as one zip file: `ContentInfo.plist`, and the content in `Contents`.
/// It has passed all rules that can be checked without unpacking. The rules for each file are
/// checked while the file is unpacked.
package final class ContentPackage: Sendable {
    private let archive: ZipArchive
    package let info: ContentInfo
    /// Sorted by the bytes of their paths in `Contents`.
    package let files: [File]

    /// A file of the content.
    package struct File: Sendable {
        /// In `Contents`, with `/` as separator.
        package var path: String
        /// Unpacked, in bytes.
        package var length: Int64
        let entry: ZipArchive.Entry
    }

    /// - Throws: `packageInvalid` with the first broken rule; errors of reading.
    package convenience init(path: String) throws(StoreError) {
        let archive: ZipArchive
        do { archive = try ZipArchive(path: path) } catch { throw error.error }
        var problems: [PackageProblem] = []
        let info: ContentInfo?
        do {
            info = try PackageRules.check(archive, &problems)
        } catch { throw error.error }
        if let first = problems.first { throw first.error }
        guard let info else {
            throw PackageProblem(.contentInfo, found: "none").error
        }
        self.init(archive, info)
    }

    private init(_ archive: ZipArchive, _ info: ContentInfo) {
        self.archive = archive
        self.info = info
        files = Self.files(of: archive)
    }

    static func files(of archive: ZipArchive) -> [File] {
        let prefix = ContentInfo.contentsFolder + "/"
        return archive.entries.compactMap { entry in
            guard !entry.isFolder, entry.path.hasPrefix(prefix) else { return nil }
            return File(
                path: String(entry.path.dropFirst(prefix.count)), length: entry.length,
                entry: entry)
        }.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// The file `ContentInfo.plist`, which lies beside `Contents`.
    package var infoFile: File? {
        archive.entries.first { $0.path == ContentInfo.fileName }.map {
            File(path: $0.path, length: $0.length, entry: $0)
        }
    }

    /// Of all files, in bytes.
    package var unpackedLength: Int64 { files.reduce(0) { $0 + $1.length } }

    /// Passes the file's unpacked bytes to `take`, in order. An error that `take` throws ends the
    /// unpacking and is thrown on. Also throws `packageInvalid` for a file that is damaged or a
    /// program; the caller must then drop the bytes that it has received.
    package func unpack(
        _ file: File, _ take: (UnsafeRawBufferPointer) throws(StoreError) -> Void
    ) throws(StoreError) {
        var start = StartOfFile(path: file.path)
        do throws(PackageFailure) {
            try archive.unpack(file.entry) { (bytes) throws(PackageFailure) in
                try start.add(bytes)
                do throws(StoreError) { try take(bytes) } catch { throw .system(error) }
            }
        } catch { throw error.error }
    }
}

/// Collects the first bytes of a file, which may come in several pieces. Programs are recognized by
/// them.
struct StartOfFile {
    private let path: String
    private var bytes: [UInt8] = []

    init(path: String) { self.path = path }

    mutating func add(_ more: UnsafeRawBufferPointer) throws(PackageFailure) {
        guard bytes.count < ExecutableKind.startLength else { return }
        bytes += more.prefix(ExecutableKind.startLength - bytes.count)
        guard let kind = ExecutableKind(start: bytes) else { return }
        throw .problem(
            PackageProblem(.executable, path: UntrustedText.short(path), found: kind.rawValue))
    }
}

/// The rules for a package's list of entries.
enum PackageRules {
    /// Adds the problems found to `problems`, up to `PackageLimits.problemsMax`. Nil if the product
    /// and version cannot be read.
    static func check(
        _ archive: ZipArchive, _ problems: inout [PackageProblem]
    ) throws(PackageFailure) -> ContentInfo? {
        var paths = PackagePaths()
        var length: Int64 = 0
        var files = 0
        var folders = 0
        var info: ZipArchive.Entry?
        func note(_ problem: PackageProblem?) {
            guard let problem, problems.count < PackageLimits.problemsMax else { return }
            problems.append(problem)
        }
        for entry in archive.entries {
            length += entry.length
            if entry.isFolder { folders += 1 } else { files += 1 }
            note(modeProblem(of: entry))
            if let problem = PackagePaths.problem(of: entry.path) {
                note(problem)
                continue
            }
            note(paths.add(entry.path, isFolder: entry.isFolder))
            if entry.path == ContentInfo.fileName, !entry.isFolder {
                info = info ?? entry
            } else if entry.path != ContentInfo.contentsFolder || !entry.isFolder {
                if !entry.path.hasPrefix(ContentInfo.contentsFolder + "/") {
                    note(PackageProblem(.contents, path: entry.path, found: "outside of Contents"))
                }
            }
        }
        let content = files - (info == nil ? 0 : 1)
        if content > PackageLimits.filesMax || folders > PackageLimits.foldersMax {
            note(PackageProblem(.tooMany, found: "\(content) files, \(folders) folders"))
        }
        note(lengthProblem(unpacked: length, packed: archive.length))
        if !archive.entries.contains(where: {
            !$0.isFolder && $0.path.hasPrefix(ContentInfo.contentsFolder + "/")
        }) {
            note(PackageProblem(.contents, found: "no file in Contents"))
        }
        guard let info else {
            note(PackageProblem(.contentInfo, found: "no ContentInfo.plist"))
            return nil
        }
        return try read(info, of: archive, note)
    }

    private static func read(
        _ entry: ZipArchive.Entry, of archive: ZipArchive, _ note: (PackageProblem?) -> Void
    ) throws(PackageFailure) -> ContentInfo? {
        guard entry.length <= Int64(PackageLimits.infoBytesMax) else {
            note(PackageProblem(.contentInfo, path: entry.path, found: "\(entry.length) bytes"))
            return nil
        }
        var bytes: [UInt8] = []
        do throws(PackageFailure) {
            try archive.unpack(entry) { (part) throws(PackageFailure) in bytes += part }
        } catch {
            guard case .problem(let problem) = error else { throw error }
            note(problem)
            return nil
        }
        do throws(PackageProblem) { return try ContentInfo(plist: bytes) } catch {
            note(error)
            return nil
        }
    }

    static func lengthProblem(unpacked: Int64, packed: Int64) -> PackageProblem? {
        guard unpacked <= PackageLimits.bytesMax, packed <= PackageLimits.bytesMax else {
            return PackageProblem(.tooLarge, found: "\(max(unpacked, packed)) bytes")
        }
        guard unpacked > PackageLimits.ratioFreeBytes,
            unpacked > packed * PackageLimits.ratioMax
        else { return nil }
        return PackageProblem(
            .tooCompressed, found: "\(unpacked) bytes from \(packed)")
    }

    private static func modeProblem(of entry: ZipArchive.Entry) -> PackageProblem? {
        guard let mode = entry.mode else { return nil }
        return problem(ofMode: mode, isFolder: entry.isFolder, path: entry.path)
    }

    /// Nil for the modes of plain files and folders.
    static func problem(ofMode mode: UInt32, isFolder: Bool, path: String) -> PackageProblem? {
        let path = UntrustedText.short(path)
        switch mode_t(mode) & S_IFMT {
        case S_IFLNK: return PackageProblem(.link, path: path, found: "a symbolic link")
        case S_IFDIR where isFolder, S_IFREG where !isFolder, 0: break
        case S_IFDIR, S_IFREG:
            return PackageProblem(.contradictory, path: path, found: "a folder that is a file")
        default:
            return PackageProblem(.device, path: path, found: "a device, a pipe or a socket")
        }
        if mode & 0o7000 != 0, !isFolder || mode & 0o6000 != 0 {
            return PackageProblem(.executable, path: path, found: "a mode that gives other rights")
        }
        guard !isFolder, mode & 0o111 != 0 else { return nil }
        return PackageProblem(
            .executable, path: path, found: "a file with mode \(String(mode & 0o777, radix: 8))")
    }
}
