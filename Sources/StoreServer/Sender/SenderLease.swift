package import Basics
import Foundation
package import StoreModel

/// The right to send a store's notifications, which one process has at a time. The kernel takes it
/// back when the process ends, also after a kill.
package struct SenderLease: Sendable {
    private let lock: FileLock

    /// Nil while another process or task has it, and where the folder cannot be written.
    ///
    /// - Parameter folder: the store's.
    package init?(storeFolder folder: String) {
        mkdir(folder + "/server", 0o700)
        guard let lock = try? FileLock(path: Self.path(folder), mode: .tryOnce) else { return nil }
        self.lock = lock
    }

    /// Must be called at most once.
    package func release() { lock.release() }

    /// Whether a process has the lease of a store.
    package static func isHeld(storeFolder folder: String) -> Bool {
        FileLock.isHeld(path: path(folder))
    }

    /// The process that has it, if the kernel names it.
    package static func holder(storeFolder folder: String) -> LockHolder? {
        LockHolder.holding(path(folder))
    }

    private static func path(_ folder: String) -> String { folder + "/server/sender.lock" }
}

extension NotificationSettings {
    /// The name of this machine, as it is kept with an address.
    package static var thisHost: String { systemHostName() ?? "" }
}
