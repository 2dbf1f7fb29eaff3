import Basics
import Foundation
package import StoreModel
import Synchronization

/// Creates folders and files that only their owner can read, and refuses unsafe places.
package enum PrivateFolder {
    /// Where a process puts folders that end with it: $TMPDIR if that is a folder, else /tmp, because
    /// nothing would remove a folder made for $TMPDIR.
    package static var parentOfTemporary: String {
        var isFolder: ObjCBool = false
        let named = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        let exists = FileManager.default.fileExists(atPath: named, isDirectory: &isFolder)
        return named.hasPrefix("/") && exists && isFolder.boolValue ? named : "/tmp"
    }

    /// Creates the folders above it too (0700). An existing folder must belong to this user, and
    /// only this user and the user's own group may create files in it.
    ///
    /// - Throws: `storeReadOnly`, `storeFull`; `storeUnreadable` if other users may write into the
    ///   folder, or after `removeForGood`.
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
            throw StoreError(errno: systemErrorNumber(of: error) ?? EIO, path: path)
        }
        guard access(path, W_OK | X_OK) == 0 else { throw StoreError(errno: errno, path: path) }
        try refuseOtherWriters(path)
    }

    /// Like `make`, but returns `storeReadOnly` instead of throwing it if the folder exists and can
    /// be read but not written to. Nil if it can be written to.
    package static func makeOrRead(_ path: String) throws(StoreError) -> StoreError? {
        do throws(StoreError) { try make(path) } catch {
            guard error.code == .storeReadOnly, access(path, R_OK | X_OK) == 0 else { throw error }
            try refuseOtherWriters(path)
            return error
        }
        return nil
    }

    static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

    /// Throws `storeUnreadable` if another user may write into the folder and so could replace the
    /// store's keys, or plant links that lead its writes to other files. The user's own group is
    /// trusted, because with umask 002 every folder is writable by it.
    private static func refuseOtherWriters(_ path: String) throws(StoreError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw StoreError(errno: errno, path: path) }
        let reason = reasonToRefuse(
            owner: status.st_uid, group: status.st_gid, mode: status.st_mode, user: geteuid(),
            userGroup: getegid())
        if let reason { throw StoreError(.storeUnreadable, subject: path, found: reason) }
    }

    /// Nil for a folder that can hold a store of `user`.
    package static func reasonToRefuse(
        owner: UInt32, group: UInt32, mode: UInt32, user: UInt32, userGroup: UInt32
    ) -> String? {
        if owner != user { return "it belongs to user \(owner), not to user \(user)" }
        let isOpen = mode & S_IWOTH != 0 || mode & S_IWGRP != 0 && group != userGroup
        return isOpen
            ? "others may write into it (mode \(String(mode & 0o7777, radix: 8))); chmod go-w" : nil
    }

    private static let forbidden = Mutex<[String]>([])

    /// Removes a folder while the process ends: `make` throws `storeUnreadable` for it and every
    /// folder in it from now on, so that no task that still runs creates it again.
    package static func removeForGood(_ path: String) {
        forbidden.withLock { $0.append(path) }
        // A task may write a file while the folder is being emptied, and the process cannot wait
        // for all tasks: try again, for at most 100 ms.
        for _ in 0..<100 {
            try? FileManager.default.removeItem(atPath: path)
            if access(path, F_OK) != 0 { return }
            usleep(1_000)
        }
    }

    /// Empty (0600), if there is none. SQLite gives the log and index beside it the same rights.
    ///
    /// - Throws: `storeReadOnly`, `storeFull`, `storeUnreadable` (also where the path is a link).
    package static func makeFile(_ path: String) throws(StoreError) {
        // Does not open a file that exists: closing it would release the locks this process holds
        // on it through another descriptor (fcntl(2)).
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            guard errno == EEXIST else { throw StoreError(errno: errno, path: path) }
            return try refuseLink(path)
        }
        close(descriptor)
    }

    /// Throws `storeUnreadable` if a folder of a store, or one on the way to it, is a link: what is
    /// written there would lie outside the store. Folders that are missing are left out.
    ///
    /// - Parameters:
    ///   - folders: paths below `root`.
    ///   - root: the store's folder, which may itself be a link.
    package static func refuseLinks(_ folders: [String], in root: String) throws(StoreError) {
        for folder in folders {
            var path = root
            for name in folder.split(separator: "/") {
                path += "/" + name
                try refuseLink(path)
            }
        }
    }

    /// Throws `storeUnreadable` where the path is a link: it may lead to another user's file.
    private static func refuseLink(_ path: String) throws(StoreError) {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return }
        throw StoreError(.storeUnreadable, subject: path, found: "a link, which is not followed")
    }

    /// `storeOnNetwork`: its locks and shared memory do not work reliably between machines. Allows
    /// a path whose file system it cannot identify.
    package static func refuseNetwork(_ path: String) throws(StoreError) {
        guard let kind = MountTable.kind(of: path), MountTable.remoteKinds.contains(kind) else {
            return
        }
        throw StoreError(.storeOnNetwork, subject: path, found: kind)
    }
}

/// The kinds of file systems that are mounted (proc(5): mountinfo).
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

    /// That of the longest mount point above the path. Of several mounts at one point the last
    /// counts, since it covers the others. Nil if the table (`/proc/self/mountinfo`) has none.
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

    /// Space, tab, line end and backslash are written in octal (`\040`).
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
