import GRDBSQLite

/// Keeps the log's file longer than what is in it, and moves the log into the database when it has
/// grown long.
///
/// A sync of bytes that lie inside a file costs about half of one that makes it grow: the file
/// system then has a new length to write down as well. The room is zeros, which no reader of a log
/// takes for a frame. A process that writes little never makes any.
final class WALPreallocator {
    /// Frames in the log after the last commit, whoever wrote them.
    private var frames: Int64 = 0
    /// How long the file is at least.
    private var length: Int64 = 0
    /// False once there was no room to be had.
    private var isWorthTrying = true

    /// Begins to look after a connection, which must not commit once this is gone.
    func attach(_ connection: OpaquePointer?) {
        sqlite3_wal_hook(
            connection,
            { context, connection, name, frames in
                guard let context else { return SQLITE_OK }
                let room = Unmanaged<WALPreallocator>.fromOpaque(context).takeUnretainedValue()
                room.frames = Int64(frames)
                if frames >= DurableLimits.logPagesMax {
                    // As SQLite's own: what cannot be moved now is moved after a later commit.
                    sqlite3_wal_checkpoint_v2(
                        connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Call inside a write: nobody else may write the log then.
    func make(_ connection: OpaquePointer?) {
        let needed = Self.header + (frames + Self.framesAhead) * Self.frame
        guard needed > length, frames >= DurableLimits.logPagesBeforeRoom, isWorthTrying else {
            return
        }
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
                == SQLITE_OK,
            let file, let methods = file.pointee.pMethods?.pointee,
            let size = methods.xFileSize, let write = methods.xWrite,
            let truncate = methods.xTruncate, size(file, &length) == SQLITE_OK, length < needed
        else { return }
        let end = length + Int64(DurableLimits.logRoomBytes)
        for place in stride(from: length, to: end, by: Self.zeros.count) {
            let result = Self.zeros.withUnsafeBytes {
                write(file, $0.baseAddress, Int32($0.count), place)
            }
            guard result == SQLITE_OK else {
                // What was taken of the last room is given back to who needs it.
                _ = truncate(file, length)
                isWorthTrying = false
                return
            }
        }
        length = end
    }

    /// SQLite writes less than 128 kB at a time.
    private static let zeros = [UInt8](repeating: 0, count: 64 * 1024)
    /// Of a log with pages of 4096 bytes (SQLite's file format, section 4).
    private static let frame: Int64 = 4096 + 24
    private static let header: Int64 = 32
    /// More than a purchase writes; a longer write makes the file grow as it always did.
    private static let framesAhead: Int64 = 32
}
