import Foundation

/// Locks of an open file description on bytes of a file (fcntl(2)). The kernel releases them when
/// the file is closed, also when the process is killed. They also conflict between two open files
/// of one process.
package enum OpenFileLock {
    /// The kind of a lock.
    package enum Kind: Sendable {
        /// Several open files may hold it at once.
        case shared
        /// Conflicts with every other lock.
        case exclusive
    }

    // F_OFD_GETLK and F_OFD_SETLK, which Swift's Glibc module hides.
    private static let query: Int32 = 36
    private static let set: Int32 = 37

    /// Without waiting. A length of 0 means all to the end. False if another open file holds a
    /// conflicting lock.
    @discardableResult
    package static func take(
        _ kind: Kind, on descriptor: Int32, from start: Int64 = 0, length: Int64 = 0
    ) -> Bool {
        run(set, type(kind), descriptor, start, length) != nil
    }

    /// Only of this open file.
    package static func release(on descriptor: Int32, from start: Int64 = 0, length: Int64 = 0) {
        _ = run(set, F_UNLCK, descriptor, start, length)
    }

    /// With another open file's lock; nil where the kernel does not answer. The locks of this open
    /// file are left out.
    package static func conflicts(
        _ kind: Kind, on descriptor: Int32, from start: Int64 = 0, length: Int64 = 0
    ) -> Bool? {
        run(query, type(kind), descriptor, start, length).map { $0 != Int16(F_UNLCK) }
    }

    private static func type(_ kind: Kind) -> Int32 {
        switch kind {
        case .shared: F_RDLCK
        case .exclusive: F_WRLCK
        }
    }

    /// As the kernel reports it; nil if the command fails.
    private static func run(
        _ command: Int32, _ type: Int32, _ descriptor: Int32, _ start: Int64, _ length: Int64
    ) -> Int16? {
        var lock = flock()
        lock.l_type = Int16(type)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(start)
        lock.l_len = off_t(length)
        return fcntl(descriptor, command, &lock) == 0 ? lock.l_type : nil
    }
}
