#if os(Linux)
import DurableFiles
import Foundation
import StoreModel
import Synchronization

/// A folder for a store that ends with its session. It is removed with the session, and at the
/// latest when the process exits.
final class SessionFolder: Sendable {
    let path: String

    init() throws(StoreError) {
        path = PrivateFolder.parentOfTemporary + "/storekit-" + UUID().uuidString.lowercased()
        try PrivateFolder.make(path)
        _ = Self.removesAtExit
        Self.paths.withLock { _ = $0.insert(path) }
    }

    deinit { remove() }

    func remove() {
        guard Self.paths.withLock({ $0.remove(path) }) != nil else { return }
        Self.remove(path)
    }

    private static let paths = Mutex<Set<String>>([])
    private static let removesAtExit: Bool = {
        atexit {
            for path in SessionFolder.paths.withLock({ Array($0) }) { SessionFolder.remove(path) }
        }
        return true
    }()

    private static func remove(_ path: String) {
        try? FileManager.default.removeItem(atPath: path)
    }
}
#endif
