import Basics
import Foundation
import StoreModel

extension HostedContentFolder {
    /// At least one regular file, sorted by the bytes of their paths. Symbolic links are followed
    /// if they stay inside the content folder.
    func files(of content: CatalogDelivery.Package) throws(StoreError) -> [HostedFile] {
        try Self.checkIsRelative(content.path)
        guard let realRoot = Self.resolved(root) else {
            throw Self.unavailable(root, found: "no such folder", expected: "the content folder")
        }
        var walk = Walk(realRoot: realRoot)
        let start = root + "/" + content.path
        let real = try walk.inside(start)
        if let status = Self.status(real), status.isFile {
            try walk.add(real, status, as: URL(filePath: start).lastPathComponent)
        } else {
            try walk.enter(start, at: real, as: "")
        }
        guard !walk.files.isEmpty else {
            throw Self.unavailable(
                content.path, found: "a folder without files", expected: "at least one file")
        }
        return walk.files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    var exists: Bool { Self.status(root)?.isFolder == true }

    func isFile(_ path: String) -> Bool { Self.status(root + "/" + path)?.isFile == true }

    private static func checkIsRelative(_ path: String) throws(StoreError) {
        let steps = path.split(separator: "/", omittingEmptySubsequences: false)
        let isGood =
            !path.isEmpty && !path.hasPrefix("/") && !steps.contains("..")
            && UntrustedText.isPlain(path)
        guard isGood else {
            throw unavailable(
                path, found: "a path that leaves the content folder, or none",
                expected: "a path inside the content folder, relative and without `..`")
        }
    }

    private static func resolved(_ path: String) -> String? {
        guard let pointer = realpath(path, nil) else { return nil }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    private struct Status {
        var isFile: Bool
        var isFolder: Bool
        var isLink: Bool
        var length: Int64
        var device: UInt64
        var inode: UInt64
        var changedAt: Int64

        init(_ status: stat) {
            changedAt =
                Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
            let kind = status.st_mode & S_IFMT
            isFile = kind == S_IFREG
            isFolder = kind == S_IFDIR
            isLink = kind == S_IFLNK
            length = Int64(status.st_size)
            device = UInt64(status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    /// Follows symbolic links.
    private static func status(_ path: String) -> Status? {
        var status = stat()
        return stat(path, &status) == 0 ? Status(status) : nil
    }

    /// The path itself may be a symbolic link.
    private static func statusOfItself(_ path: String) -> Status? {
        var status = stat()
        return lstat(path, &status) == 0 ? Status(status) : nil
    }

    /// One walk through the folders of a package.
    private struct Walk {
        let realRoot: String
        var files: [HostedFile] = []
        private var length: Int64 = 0
        /// The folders being walked, with symbolic links resolved. A link back to one of them would
        /// make the walk endless.
        private var above: [String] = []

        init(realRoot: String) { self.realRoot = realRoot }

        /// `real` is the folder's path without symbolic links, inside the content folder.
        mutating func enter(_ folder: String, at real: String, as path: String)
            throws(StoreError)
        {
            guard !above.contains(real) else {
                throw unavailable(folder, found: "a link to a folder above it", expected: "files")
            }
            above.append(real)
            defer { above.removeLast() }
            for name in try names(in: real) {
                try checkIsPlain(name, in: folder)
                let next = real + "/" + name
                let nextPath = path.isEmpty ? name : path + "/" + name
                // An entry that is no link lies inside, as its folder does. `inside` throws for
                // broken links and for links that lead outside. Pipes, sockets and devices are
                // skipped.
                var status = statusOfItself(next)
                var realNext = next
                if status?.isLink ?? true {
                    realNext = try inside(next)
                    status = HostedContentFolder.status(realNext)
                }
                guard let status else { continue }
                if status.isFolder {
                    try enter(next, at: realNext, as: nextPath)
                } else if status.isFile {
                    try add(realNext, status, as: nextPath)
                }
            }
        }

        mutating func add(_ real: String, _ status: Status, as path: String) throws(StoreError) {
            length += status.length
            files.append(
                HostedFile(
                    path: path, realPath: real, length: status.length, device: status.device,
                    inode: status.inode, changedAt: status.changedAt))
            guard length <= packageBytesMax else {
                throw unavailable(
                    path, found: "more than \(packageBytesMax) bytes",
                    expected: "at most 2 GB a package")
            }
            guard files.count <= packageFilesMax else {
                throw unavailable(
                    path, found: "more than \(packageFilesMax) files",
                    expected: "at most \(packageFilesMax) files a package")
            }
        }

        /// The path with symbolic links resolved. Throws if it is outside the content folder or
        /// does not exist.
        func inside(_ path: String) throws(StoreError) -> String {
            guard let real = resolved(path) else {
                throw unavailable(
                    shown(path), found: "no such file or folder",
                    expected: "a file or folder of the content folder")
            }
            guard real == realRoot || real.hasPrefix(realRoot == "/" ? "/" : realRoot + "/") else {
                throw unavailable(
                    shown(path), found: "a link that leaves the content folder",
                    expected: "a path inside the content folder")
            }
            return real
        }

        private func names(in folder: String) throws(StoreError) -> [String] {
            guard status(folder)?.isFolder == true else {
                throw unavailable(
                    shown(folder), found: "neither a file nor a folder",
                    expected: "a file or folder of the content folder")
            }
            do {
                return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            } catch {
                throw unavailable(
                    shown(folder), found: "a folder that cannot be read",
                    expected: "a readable folder")
            }
        }

        private func checkIsPlain(_ name: String, in folder: String) throws(StoreError) {
            guard !UntrustedText.isPlain(name) else { return }
            throw unavailable(
                shown(folder), found: "a file name with control or invisible characters",
                expected: "plain file names")
        }

        /// The path for an error: relative to the content folder if it is inside.
        private func shown(_ path: String) -> String {
            path.hasPrefix(realRoot + "/") ? String(path.dropFirst(realRoot.count + 1)) : path
        }
    }
}
