import Basics
import GRDB
import Glibc
import StoreModel

extension StoreError {
    /// The store's error for a failure of SQLite. Keeps SQLite's message as the cause, never SQL or
    /// values. A `StoreError` stays as it is; an `UnknownCommit` becomes `outcomeUnknown`.
    init(database error: any Error, path: String) {
        if let known = error as? StoreError {
            self = known
            if code == .storeUnreadable, subject == nil { subject = path }
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
            case .SQLITE_IOERR where Self.isFull(error.extendedResultCode, at: path): .storeFull
            default: .storeUnreadable
            }
        // Names the process that blocks this one: it may have been stopped in the middle of a
        // write.
        let holder = code == .storeBusy ? LockHolder.holding(path + "-shm") : nil
        self.init(
            code, subject: path, found: holder.map(String.init(describing:)), cause: error.message)
    }

    /// Whether an I/O error means a full disk. SQLite does not always report SQLITE_FULL: growing
    /// the log or the shared index on a full disk fails with these codes. A broken disk gives the
    /// same codes, so the free space is checked too.
    private static func isFull(_ code: ResultCode, at path: String) -> Bool {
        guard code == .SQLITE_IOERR_WRITE || code == .SQLITE_IOERR_SHMSIZE else { return false }
        var room = statvfs()
        guard statvfs(path, &room) == 0 else { return false }
        return UInt64(room.f_bavail) * UInt64(room.f_frsize) < roomNeeded
    }

    /// The largest step by which the log or the shared index grows at a time, in bytes
    /// (`DurableLimits`).
    private static let roomNeeded = UInt64(DurableLimits.logReserveBytes)

    /// Whether a failed COMMIT certainly left nothing that a later reader could find.
    ///
    /// The last frame written to the log carries the commit mark. If writing it fails (no room, or
    /// an I/O error), there is no mark; if the log is locked, nothing was written. A failure after
    /// that, of the sync or of the update of the shared index, leaves a log that recovery after a
    /// crash treats as committed (SQLite's file format, section 4.4).
    static func leavesNothing(_ error: any Error) -> Bool {
        guard let error = error as? DatabaseError else { return false }
        return switch error.resultCode {
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_FULL, .SQLITE_READONLY, .SQLITE_CONSTRAINT: true
        default: error.extendedResultCode == .SQLITE_IOERR_WRITE
        }
    }
}

/// A commit that failed, although a reader may find its changes after a crash.
struct UnknownCommit: Error {
    let cause: any Error
}
