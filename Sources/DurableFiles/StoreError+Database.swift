import Basics
import GRDB
package import StoreModel

extension StoreError {
    /// What a failure of SQLite means for the store. Its own text is kept as the cause; SQL and
    /// values never are.
    package init(database error: any Error, path: String) {
        if let known = error as? StoreError {
            self = known
            return
        }
        guard let error = error as? DatabaseError else {
            self.init(.storeUnreadable, subject: path, cause: String(describing: error))
            return
        }
        let code: Code =
            switch error.resultCode {
            case .SQLITE_BUSY, .SQLITE_LOCKED: .storeBusy
            case .SQLITE_FULL: .storeFull
            case .SQLITE_READONLY, .SQLITE_PERM: .storeReadOnly
            case .SQLITE_IOERR where Self.isFull(error.extendedResultCode): .storeFull
            default: .storeUnreadable
            }
        // A process that was stopped in the middle of a write keeps all others waiting.
        let holder = code == .storeBusy ? LockHolder.holding(path + "-shm") : nil
        self.init(
            code, subject: path, found: holder.map(String.init(describing:)), cause: error.message)
    }

    /// On a full disk, SQLite cannot always tell it from another failed write: growing the shared
    /// index or the log fails with an I/O error of its own. A failed sync is not among them: what
    /// was written may be there after a crash, so nobody may be told that nothing happened.
    private static func isFull(_ code: ResultCode) -> Bool {
        code == .SQLITE_IOERR_WRITE || code == .SQLITE_IOERR_SHMSIZE
    }
}
