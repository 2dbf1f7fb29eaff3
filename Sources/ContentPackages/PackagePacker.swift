import Basics
import Foundation
package import StoreModel

/// Makes packages from folders.
///
/// The same folder, product and version give the same bytes: files are in order of their paths, and
/// times and owners are left out.
package struct PackagePacker {
    /// The package that was written.
    package struct Result: Sendable {
        package var files: Int
        /// Unpacked, in bytes.
        package var unpackedLength: Int64
        /// In bytes.
        package var packedLength: Int64
    }

    private struct Source {
        var path: String
        var isFolder: Bool
        var length: Int64
    }

    /// The folder's files become the package's `Contents`. The package is written to a temporary
    /// file beside `output` and renamed when it is complete and durable, so that `output` is never
    /// incomplete.
    ///
    /// - Throws: `packageInvalid` for content that breaks a rule; errors of reading and writing.
    package static func pack(
        _ folder: String, as info: ContentInfo, to output: String
    ) throws(StoreError) -> Result {
        do throws(PackageFailure) {
            return try pack(folder, info, output)
        } catch { throw error.error }
    }

    private static func pack(
        _ folder: String, _ info: ContentInfo, _ output: String
    ) throws(PackageFailure) -> Result {
        let root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else { throw .system(StoreError(unreadable: folder, errno: errno)) }
        defer { close(root) }
        var walk = Walk(shown: folder)
        try walk.enter(root, as: "")
        let sources = walk.found.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        guard sources.contains(where: { !$0.isFolder }) else {
            throw .problem(PackageProblem(.contents, found: "a folder without files"))
        }
        let temporary = output + ".part-\(getpid())"
        let file = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw .system(StoreError(unwritable: output, errno: errno)) }
        defer { close(file) }
        do throws(PackageFailure) {
            let result = try write(sources, below: root, info, to: file)
            guard fsync(file) == 0, rename(temporary, output) == 0 else {
                throw .system(StoreError(unwritable: output, errno: errno))
            }
            return result
        } catch {
            unlink(temporary)
            // The writer does not know its file's name, so the error gets it here.
            if case .system(var failure) = error, failure.code == .fileUnwritable {
                failure.subject = output
                throw .system(failure)
            }
            throw error
        }
    }

    private static func write(
        _ sources: [Source], below root: Int32, _ info: ContentInfo, to file: Int32
    ) throws(PackageFailure) -> Result {
        var writer = ZipWriter(descriptor: file)
        let plist = Array(info.plist.utf8)
        try writer.add(ContentInfo.fileName) { (take) throws(PackageFailure) in
            let failure = plist.withUnsafeBytes { bytes -> PackageFailure? in
                do throws(PackageFailure) {
                    try take(bytes)
                    return nil
                } catch { return error }
            }
            if let failure { throw failure }
        }
        var unpacked = Int64(plist.count)
        var content: Int64 = 0
        var count = 0
        for source in sources {
            let path = ContentInfo.contentsFolder + "/" + source.path
            guard !source.isFolder else {
                try writer.addFolder(path)
                continue
            }
            var start = StartOfFile(path: path)
            var length: Int64 = 0
            let opened = try reopen(source, below: root)
            defer { close(opened) }
            try writer.add(path) { (take) throws(PackageFailure) in
                try Self.read(opened, source) { (bytes) throws(PackageFailure) in
                    length += Int64(bytes.count)
                    guard unpacked + length <= PackageLimits.bytesMax else {
                        throw .problem(
                            PackageProblem(.tooLarge, found: "more than that in \(source.path)"))
                    }
                    try start.add(bytes)
                    try take(bytes)
                }
            }
            unpacked += length
            content += length
            count += 1
        }
        let packed = try writer.end()
        if let problem = PackageRules.lengthProblem(unpacked: unpacked, packed: packed) {
            throw .problem(problem)
        }
        return Result(files: count, unpackedLength: content, packedLength: packed)
    }

    /// Follows no links in the path of the file, which the walk has found.
    private static func reopen(_ source: Source, below root: Int32) throws(PackageFailure) -> Int32
    {
        var folder = dup(root)
        var names = source.path.split(separator: "/").map(String.init)
        let name = names.popLast() ?? source.path
        for step in names {
            let next = openat(folder, step, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            close(folder)
            guard next >= 0 else { throw changed(source) }
            folder = next
        }
        defer { close(folder) }
        let opened = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard opened >= 0 else {
            let code = errno
            if code == EACCES || code == EPERM {
                throw .system(StoreError(unreadable: source.path, errno: code))
            }
            throw changed(source)
        }
        var status = stat()
        guard fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw changed(source)
        }
        return opened
    }

    private static func changed(_ source: Source) -> PackageFailure {
        .system(
            StoreError(
                .contentUnavailable, subject: UntrustedText.short(source.path),
                found: "another file than a moment before",
                expected: "a folder that nobody changes meanwhile"))
    }

    private static func read(
        _ descriptor: Int32, _ source: Source,
        _ take: (UnsafeRawBufferPointer) throws(PackageFailure) -> Void
    ) throws(PackageFailure) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: PackageLimits.pieceBytes, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw .system(StoreError(unreadable: source.path, errno: errno))
            }
            if count == 0 { return }
            try take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        }
    }

    /// A walk through the folder that follows no links.
    private struct Walk {
        let shown: String
        var found: [Source] = []
        private var paths = PackagePaths()
        private var files = 0
        private var folders = 0

        init(shown: String) { self.shown = shown }

        /// `path` is the folder's path in the package, empty for the root.
        mutating func enter(_ folder: Int32, as path: String) throws(PackageFailure) {
            for name in try names(in: folder, path) {
                let next = path.isEmpty ? name : path + "/" + name
                if let problem = PackagePaths.problem(
                    of: ContentInfo.contentsFolder + "/" + next)
                {
                    throw .problem(problem)
                }
                var status = stat()
                guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
                    throw .system(StoreError(unreadable: shown + "/" + next, errno: errno))
                }
                let isFolder = status.st_mode & S_IFMT == S_IFDIR
                if let problem = PackageRules.problem(
                    ofMode: isFolder ? UInt32(S_IFDIR) : UInt32(status.st_mode),
                    isFolder: isFolder, path: next) ?? paths.add(next, isFolder: isFolder)
                {
                    throw .problem(problem)
                }
                if isFolder { folders += 1 } else { files += 1 }
                guard files <= PackageLimits.filesMax, folders <= PackageLimits.foldersMax else {
                    throw .problem(
                        PackageProblem(.tooMany, found: "\(files) files, \(folders) folders"))
                }
                found.append(
                    Source(path: next, isFolder: isFolder, length: Int64(status.st_size)))
                guard isFolder else { continue }
                let opened = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
                guard opened >= 0 else {
                    throw .system(StoreError(unreadable: shown + "/" + next, errno: errno))
                }
                defer { close(opened) }
                try enter(opened, as: next)
            }
        }

        private func names(in folder: Int32, _ path: String) throws(PackageFailure) -> [String] {
            let copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            guard copy >= 0, let stream = fdopendir(copy) else {
                let code = errno
                if copy >= 0 { close(copy) }
                throw .system(StoreError(unreadable: shown + "/" + path, errno: code))
            }
            defer { closedir(stream) }
            var names: [String] = []
            while true {
                errno = 0
                guard let entry = readdir(stream) else {
                    guard errno == 0 else {
                        throw .system(StoreError(unreadable: shown + "/" + path, errno: errno))
                    }
                    return names
                }
                let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                    name.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) {
                        String(validatingCString: $0)
                    }
                }
                guard let name else {
                    throw .problem(
                        PackageProblem(
                            .badName, path: UntrustedText.short(path),
                            found: "a name that is not UTF-8"))
                }
                if name != ".", name != ".." { names.append(name) }
            }
        }
    }
}
