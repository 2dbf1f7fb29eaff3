import DurableFiles
import Foundation
import StoreModel
import Synchronization

/// A folder for the devices of a store in memory, gone when the program ends: also when it is
/// interrupted, hung up on, or its reader goes away. Only SIGKILL leaves it behind.
enum EphemeralFolder {
    /// The folder, made by the first call.
    static func make() throws(StoreError) -> String {
        if let made = folder.withLock({ $0 }) { return made }
        let path = parent + "/storefront-" + UUID().uuidString.lowercased()
        try PrivateFolder.make(path)
        folder.withLock { $0 = path }
        atexit { EphemeralFolder.remove() }
        SignalEnd.before(SignalEnd.requests + [SIGPIPE]) { _ in remove() }
        return path
    }

    /// $TMPDIR where it is a folder; one that is not there is not made, since nobody would remove it.
    private static var parent: String {
        var isFolder: ObjCBool = false
        let named = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        let exists = FileManager.default.fileExists(atPath: named, isDirectory: &isFolder)
        return named.hasPrefix("/") && exists && isFolder.boolValue ? named : "/tmp"
    }

    private static let folder = Mutex<String?>(nil)

    /// Removes it now, for a process that ends without `exit`.
    static func remove() {
        guard let path = folder.withLock({ $0 }) else { return }
        PrivateFolder.makeNoMore(path)
        // A task that still runs may put a file into a folder while it is being emptied, and
        // nothing tells when the last one has: the removal is tried again.
        for _ in 0..<100 {
            try? FileManager.default.removeItem(atPath: path)
            if access(path, F_OK) != 0 { return }
            usleep(1_000)
        }
    }
}
