import Basics
import Foundation
package import StoreModel
import Synchronization

/// Folders and files only their owner can read.
package enum PrivateFolder {
    /// Makes a folder (0700) with all above it, or takes the one that is there, if it is this user's
    /// and nobody else may put files into it.
    package static func make(_ path: String) throws(StoreError) {
        let isForbidden = forbidden.withLock { folders in
            folders.contains { path == $0 || path.hasPrefix($0 + "/") }
        }
        if isForbidden { throw StoreError(errno: ENOENT, path: path) }
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            throw StoreError(errno: posixCode(of: error), path: path)
        }
        guard access(path, W_OK | X_OK) == 0 else { throw StoreError(errno: errno, path: path) }
        try refuseOthers(path)
    }

    /// Whoever may write into a store's folder could replace its keys, or plant links that lead
    /// writes to other files. Members of the user's own group are trusted, as umask 002 has it.
    private static func refuseOthers(_ path: String) throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw StoreError(errno: errno, path: path) }
        let reason = reasonToRefuse(
            owner: status.st_uid, group: status.st_gid, mode: status.st_mode, user: geteuid(),
            userGroup: getegid())
        if let reason { throw StoreError(.storeUnreadable, subject: path, found: reason) }
    }

    /// Why a folder is no place for a store; nil if it is one.
    package static func reasonToRefuse(
        owner: UInt32, group: UInt32, mode: UInt32, user: UInt32, userGroup: UInt32
    ) -> String? {
        if owner != user { return "it belongs to user \(owner), not to user \(user)" }
        let isOpen = mode & S_IWOTH != 0 || mode & S_IWGRP != 0 && group != userGroup
        return isOpen
            ? "others may write into it (mode \(String(mode & 0o7777, radix: 8))); chmod go-w" : nil
    }

    private static let forbidden = Mutex<[String]>([])

    /// From now on this process makes no such folder, nor any in it: what still runs while the
    /// program ends must not bring back what was removed.
    package static func makeNoMore(_ path: String) { forbidden.withLock { $0.append(path) } }

    /// Makes an empty file (0600) if there is none; SQLite gives its companions the same rights.
    package static func makeFile(_ path: String) throws(StoreError) {
        // One that is there is not even opened: to close it would give up the locks this process
        // holds on it by another descriptor (fcntl(2)).
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            guard errno == EEXIST else { throw StoreError(errno: errno, path: path) }
            return try refuseLink(path)
        }
        close(descriptor)
    }

    /// Refuses a link where a file of the store is to be: it may lead to a file of somebody else's.
    private static func refuseLink(_ path: String) throws(StoreError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
        throw StoreError(.storeUnreadable, subject: path, found: "a link")
    }

    /// Refuses file systems other machines can reach: their locks and shared memory do not hold
    /// what a store promises.
    package static func refuseNetwork(_ path: String) throws(StoreError) {
        guard let kind = MountTable.kind(of: path), MountTable.remoteKinds.contains(kind) else {
            return
        }
        throw StoreError(.storeOnNetwork, subject: path, found: kind)
    }

    private static func posixCode(of error: any Error) -> Int32 {
        let error = error as NSError
        if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
        if let below = error.userInfo[NSUnderlyingErrorKey] as? NSError,
            below.domain == NSPOSIXErrorDomain
        {
            return Int32(below.code)
        }
        return switch error.code {
        case CocoaError.Code.fileWriteNoPermission.rawValue: EACCES
        case CocoaError.Code.fileWriteOutOfSpace.rawValue: ENOSPC
        case CocoaError.Code.fileWriteVolumeReadOnly.rawValue: EROFS
        case CocoaError.Code.fileWriteFileExists.rawValue: ENOTDIR
        default: EIO
        }
    }
}

/// What kinds of file systems are mounted where (proc(5): mountinfo).
package enum MountTable {
    static let remoteKinds: Set<String> = [
        "nfs", "nfs4", "cifs", "smb3", "smbfs", "afs", "ncpfs", "ceph", "coda", "9p", "lustre",
        "glusterfs", "fuse.sshfs", "fuse.glusterfs", "fuse.rclone", "fuse.s3fs", "davfs",
        "fuse.davfs",
    ]

    static func kind(of path: String) -> String? {
        guard let table = systemText("/proc/self/mountinfo"),
            let resolved = realpath(path, nil)
        else { return nil }
        defer { free(resolved) }
        return kind(of: String(cString: resolved), in: table)
    }

    /// The kind of the longest mount point that holds the path; the last of several wins, as it
    /// covers the others.
    package static func kind(of path: String, in table: String) -> String? {
        var best: (length: Int, kind: String)?
        for line in table.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard let dash = fields.firstIndex(of: "-"), fields.count > dash + 1, dash > 4 else {
                continue
            }
            let point = unescaped(fields[4])
            let holds = point == "/" || path == point || path.hasPrefix(point + "/")
            if holds, point.count >= best?.length ?? 0 {
                best = (point.count, String(fields[dash + 1]))
            }
        }
        return best?.kind
    }

    /// Spaces, tabs, line ends and backslashes are written in octal: `\040`.
    private static func unescaped(_ field: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(field.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            if byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
