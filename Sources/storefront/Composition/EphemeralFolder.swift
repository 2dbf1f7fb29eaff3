import DurableFiles
import Foundation
import StoreModel
import Synchronization

/// A folder for a store that ends with the process. It is removed when the process ends, also by
/// SIGINT, SIGTERM, SIGHUP or SIGPIPE. Only SIGKILL leaves it behind.
enum EphemeralFolder {
    /// The folder, made by the first call.
    static func make() throws(StoreError) -> String {
        if let made = folder.withLock({ $0 }) { return made }
        let path = PrivateFolder.parentOfTemporary + "/storefront-" + UUID().uuidString.lowercased()
        try PrivateFolder.make(path)
        folder.withLock { $0 = path }
        atexit { EphemeralFolder.remove() }
        SignalEnd.before(SignalEnd.requests + [SIGPIPE]) { _ in remove() }
        return path
    }

    private static let folder = Mutex<String?>(nil)

    /// Removes the folder now, for a process that ends without `exit`.
    static func remove() {
        guard let path = folder.withLock({ $0 }) else { return }
        PrivateFolder.removeForGood(path)
    }
}
