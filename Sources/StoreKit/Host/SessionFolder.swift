#if os(Linux)
import DurableFiles
import Foundation
import StoreModel
import Synchronization

/// A folder for a store, removed with its session, and at the latest when the process exits.
final class SessionFolder: Sendable {
    let path: String

    init() throws(StoreError) {
        path = PrivateFolder.parentOfTemporary + "/storekit-" + UUID().uuidString.lowercased()
        try PrivateFolder.make(path)
        _ = Self.removesAtExit
        Self.paths.withLock { $0[path] = getpid() }
    }

    deinit { remove() }

    func remove() {
        guard Self.paths.withLock({ $0.removeValue(forKey: path) }) == getpid() else { return }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// With the process that made each: a child that was forked must not remove its parent's.
    private static let paths = Mutex<[String: pid_t]>([:])
    private static let removesAtExit: Bool = {
        atexit {
            let own = SessionFolder.paths.withLock { $0.filter { $0.value == getpid() } }
            for path in own.keys { PrivateFolder.removeForGood(path) }
        }
        return true
    }()
}
#endif
