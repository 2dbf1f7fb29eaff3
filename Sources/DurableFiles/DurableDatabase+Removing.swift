import Basics
import Foundation
import Glibc
package import StoreModel

extension DurableDatabase {
    /// Removes a database with its log, its index and its bell, which no other process may have
    /// open. This process's connections throw `storeReplaced` from then on. A process that waits to
    /// open it meanwhile creates a new one.
    ///
    /// - Parameters:
    ///   - path: the path of the SQLite file.
    ///   - others: removes what belongs to the database, before the database itself.
    /// - Throws: `storeBusy` with the process that has it open, if the kernel names it; then nothing
    ///   is removed. `storeReadOnly` and other errors of the file system.
    package static func remove(
        _ path: String, after others: () throws(StoreError) -> Void
    ) throws(StoreError) {
        let lock: FileLock
        do { lock = try FileLock(path: path + ".lock", mode: .tryOnce) } catch {
            throw StoreError(error, path: path)
        }
        defer { lock.release() }
        if let user = user(of: path) { throw StoreError(.storeBusy, subject: path, found: user) }
        try others()
        // Without the index no process reads the log as that of another file. A migration that was
        // interrupted may have left the last two before the database.
        for end in ["-shm", "-wal", ".bell", ".next", ".replaced", ""] {
            guard unlink(path + end) == 0 || errno == ENOENT else {
                throw StoreError(errno: errno, path: path + end)
            }
        }
    }

    /// Every connection to a database with a write-ahead log holds a shared lock on a byte of its
    /// index for as long as it is open. Nil if no process has the database open.
    private static func user(of path: String) -> String? {
        let own = ownDescriptor(of: path + "-shm")
        let index = own ?? Glibc.open(path + "-shm", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard index >= 0 else { return nil }
        defer { if own == nil { close(index) } }
        var request = flock()
        request.l_type = Int16(F_WRLCK)
        request.l_whence = Int16(SEEK_SET)
        request.l_start = deadManSwitch
        request.l_len = 1
        guard fcntl(index, F_GETLK, &request) == 0, request.l_type != Int16(F_UNLCK) else {
            return nil
        }
        return LockHolder(process: request.l_pid).description
    }

    /// Nil if this process does not have the file open. If it has, closing another descriptor of the
    /// file would drop the locks of its connections.
    private static func ownDescriptor(of path: String) -> Int32? {
        var file = stat()
        guard lstat(path, &file) == 0 else { return nil }
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return open.lazy.compactMap { Int32($0) }.first { descriptor in
            var status = stat()
            return fstat(descriptor, &status) == 0 && status.st_dev == file.st_dev
                && status.st_ino == file.st_ino
        }
    }

    /// The place of that byte (SQLite: `UNIX_SHM_DMS`).
    private static let deadManSwitch = 128
}
