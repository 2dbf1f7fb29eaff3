import Foundation

/// That a process is at a place, for the others: a shared lock on a file, which the kernel releases
/// when the process ends in any way.
package final class Presence: Sendable {
    private let descriptor: Int32

    /// Creates the file (0600) if there is none. Does not follow a symbolic link. Nil if the file
    /// cannot be opened for writing or locked.
    package init?(path: String) {
        let opened = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard opened >= 0 else { return nil }
        guard OpenFileLock.take(.shared, on: opened) else {
            close(opened)
            return nil
        }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// By this process or another. Takes no lock itself.
    package static func isHeld(path: String) -> Bool {
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard opened >= 0 else { return false }
        defer { close(opened) }
        return OpenFileLock.conflicts(.exclusive, on: opened) ?? false
    }
}
