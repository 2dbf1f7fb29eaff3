import Foundation
package import StoreModel

/// A lock on a file, held by this open file alone and released by the kernel when its process ends,
/// however it ends (flock(2)).
package final class FileLock: Sendable {
    package enum Mode: Sendable {
        /// Blocks until it is free.
        case wait
        /// Throws `deviceBusy` if somebody holds it.
        case tryOnce
    }

    private let descriptor: Int32

    package init(path: String, mode: Mode) throws(StoreError) {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw StoreError(errno: errno, path: path) }
        var result: Int32
        repeat {
            result = flock(opened, mode == .wait ? LOCK_EX : LOCK_EX | LOCK_NB)
        } while result != 0 && errno == EINTR
        guard result == 0 else {
            let code = errno
            close(opened)
            throw code == EWOULDBLOCK
                ? StoreError(.deviceBusy, subject: path) : StoreError(errno: code, path: path)
        }
        descriptor = opened
    }

    /// Gives it up at once. Safe to call once; otherwise it goes with the process.
    package func release() { close(descriptor) }
}
