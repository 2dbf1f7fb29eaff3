import Basics
package import DurableFiles
package import Foundation
import Glibc
package import StoreModel

/// Files of a device's folder, or of a machine's, that other processes read. They are never reached
/// through a link, and are replaced by a rename.
package enum SmallFile {
    /// How much of a replaced file survives a power cut.
    package enum Durability {
        /// The old file, the new one, or a damaged one, which fails verification.
        case none
        /// The old file or the new one, whole (fsync(2) of the file).
        case whole
        /// The new file (fsync(2) of the file and of its folder).
        case new
    }

    /// Identifies one version of a file by its attributes (stat(2)).
    package struct Mark: Equatable {
        private let number: UInt64
        private let size: Int
        private let seconds: Int
        private let nanoseconds: Int

        init(_ status: stat) {
            number = UInt64(status.st_ino)
            size = Int(status.st_size)
            seconds = Int(status.st_mtim.tv_sec)
            nanoseconds = Int(status.st_mtim.tv_nsec)
        }

        /// Nil if there is no file.
        init?(path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            self.init(status)
        }
    }

    /// The bytes of a plain file; nil if there is none, or it is larger than `bytesMax`.
    package static func read(_ name: String, in folder: String, bytesMax: Int) -> Data? {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let file = open(folder + "/" + name, flags)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_size <= bytesMax
        else { return nil }
        // One byte more than the file's length, to notice that it grew while it was read.
        var bytes = Data(count: Int(status.st_size) + 1)
        var count = 0
        while count < bytes.count {
            let read = bytes.withUnsafeMutableBytes { buffer in
                buffer.baseAddress.map { Glibc.read(file, $0 + count, buffer.count - count) } ?? 0
            }
            if read < 0, errno == EINTR { continue }
            guard read > 0 else { break }
            count += read
        }
        return count < bytes.count ? bytes.prefix(count) : nil
    }

    /// Replaces a file, or a link in its place, by one rename: a reader finds the old file or the
    /// new one, whole. If it fails, the old file stays.
    ///
    /// The bytes are first written to `NAME.new`, which one process at a time locks. The kernel
    /// releases the lock when a process ends in any way. The next process overwrites the file that
    /// it left.
    ///
    /// - Returns: the mark of the new file.
    /// - Throws: `storeFull`, `storeReadOnly` or `storeUnreadable`.
    @discardableResult
    package static func replace(
        _ name: String, in folder: OpenFolder, with bytes: Data, _ durability: Durability = .new
    ) throws(StoreError) -> Mark {
        let temporary = name + ".new"
        let file = try lockedFile(temporary, in: folder)
        defer { close(file) }
        var status = stat()
        var failure = ftruncate(file, 0) == 0 ? nil : errno
        failure = failure ?? bytes.withUnsafeBytes { writeAll($0, to: file) }
        if failure == nil, durability != .none, fsync(file) != 0 { failure = errno }
        if failure == nil, fstat(file, &status) != 0 { failure = errno }
        if let failure { throw StoreError(errno: failure, path: folder.path + "/" + name) }
        try folder.move(temporary, into: folder, as: name)
        if durability == .new { try folder.sync() }
        return Mark(status)
    }

    /// Replaces a file of a device's folder by a value as JSON. Durable when it returns.
    ///
    /// - Throws: `deviceUnreadable`, `deviceFull`.
    static func replace(
        _ name: String, in folder: String, with value: some Encodable
    ) throws(StoreError) {
        do throws(StoreError) {
            let bytes: Data
            do { bytes = try JSONEncoder().encode(value) } catch {
                throw StoreError(.systemError, subject: name, cause: "\(error)")
            }
            try replace(name, in: DeviceFolder.open(folder), with: bytes)
        } catch { throw error.onDevice }
    }

    /// Locked until it is closed.
    private static func lockedFile(
        _ name: String, in folder: OpenFolder
    ) throws(StoreError) -> Int32 {
        while true {
            let file = try folder.openFile(name, O_WRONLY | O_CREAT)
            do { try FileLock.takeOpen(file) } catch {
                close(file)
                throw StoreError(error, path: folder.path + "/" + name)
            }
            var mine = stat()
            if fstat(file, &mine) == 0, let there = folder.status(name),
                there.st_ino == mine.st_ino
            {
                return file
            }
            // Another process moved this file into place while this one waited for the lock. Try
            // again.
            close(file)
        }
    }
}
