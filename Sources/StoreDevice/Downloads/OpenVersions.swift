import DurableFiles
import StoreModel
import Synchronization

/// The package versions that a reader of this process has open. They belong to the product whose
/// files were listed last. Each is locked, so that no process removes it when a newer version is
/// installed. The kernel releases the locks when the process ends.
final class OpenVersions: Sendable {
    private struct Open {
        var row: Download
        /// Holds the lock.
        var folder: OpenFolder
    }

    private let open = Mutex<[Open]>([])

    /// Also closes the version of the same package that was open, and those of other products.
    ///
    /// - Returns: the closed versions, which no reader of this process has open any more.
    func open(_ row: Download, in folder: DeviceFolder) -> [Download] {
        let opened = try? DeviceFolder.open(folder.path).folder(row.folderPath)
        let isLocked = opened?.lock(isExclusive: false) ?? false
        return open.withLock { open in
            let end = open.partition {
                $0.row.productID != row.productID || $0.row.contentID == row.contentID
            }
            let closed = open[end...].map(\.row)
            open.removeSubrange(end...)
            if let opened, isLocked { open.append(Open(row: row, folder: opened)) }
            return closed
        }
    }

    func close() -> [Download] {
        open.withLock { open in
            defer { open = [] }
            return open.map(\.row)
        }
    }

    /// Nil if no version is open.
    func version(of row: Download) -> String? {
        open.withLock { $0.first { $0.row.isSamePackage(as: row) }?.row.version }
    }
}
