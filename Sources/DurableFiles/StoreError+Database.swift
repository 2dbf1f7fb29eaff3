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
        if let unknown = error as? UnknownCommit {
            self.init(database: unknown.cause, path: path)
            code = .outcomeUnknown
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
    /// index or the log fails with an I/O error of its own.
    private static func isFull(_ code: ResultCode) -> Bool {
        code == .SQLITE_IOERR_WRITE || code == .SQLITE_IOERR_SHMSIZE
    }

    /// Whether a failed COMMIT surely left nothing that a later reader could find.
    ///
    /// The last frame written to the log carries the commit mark. While writing it fails (no room, or
    /// an I/O error), there is no mark, and a locked log was not written at all. Everything that
    /// fails after that, the sync and the entry in the shared index, leaves a log that recovery after
    /// a crash takes for committed (SQLite's file format, section 4.4).
    static func leavesNothing(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_READONLY, .SQLITE_CONSTRAINT: true
        default: error.extendedResultCode == .SQLITE_IOERR_WRITE
        }
    }
}

/// A commit of which nobody can say whether it will be found later.
struct UnknownCommit: Error {
    let cause: any Error
}
