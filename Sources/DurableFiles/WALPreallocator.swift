import GRDBSQLite

/// Reserves room at the end of the write-ahead log, and moves the log into the database when the
/// log has reached `DurableLimits.logPagesMax`.
///
/// Syncing bytes inside a file costs about half as much as syncing a file that grows, because the
/// file system must then write the new length too (`make bench`: "store purchase (decide, one
/// commit)"). The room is filled with zeros, which no reader of a log takes for a frame. A process
/// that writes little reserves none (`DurableLimits.logPagesBeforeReserving`).
final class WALPreallocator {
    /// After this connection's last commit; written by any process.
    private var frames: Int64 = 0
    /// Of the log's file when it was last read or extended, in bytes.
    private var length: Int64 = 0
    /// False after the disk had no room to reserve.
    private var isWorthTrying = true

    /// Installs the hook that runs after each commit of a connection. The connection must not
    /// commit after this object is gone.
    func attach(_ connection: OpaquePointer?) {
        sqlite3_wal_hook(
            connection,
            { context, connection, name, frames in
                guard let context else { return SQLITE_OK }
                let preallocator =
                    Unmanaged<WALPreallocator>.fromOpaque(context).takeUnretainedValue()
                preallocator.frames = Int64(frames)
                if frames >= DurableLimits.logPagesMax {
                    // Like SQLite's own hook: pages still being read move after a later commit.
                    sqlite3_wal_checkpoint_v2(
                        connection, name, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
                }
                return SQLITE_OK
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Extends the log's file if the next commit would make it grow. Call it inside a write
    /// transaction, when no other process can write to the log.
    func reserve(_ connection: OpaquePointer?) {
        let needed = Self.header + (frames + Self.framesAhead) * Self.frame
        guard needed > length, frames >= DurableLimits.logPagesBeforeReserving, isWorthTrying else {
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
        let end = length + Int64(DurableLimits.logReserveBytes)
        for offset in stride(from: length, to: end, by: Self.zeros.count) {
            let result = Self.zeros.withUnsafeBytes {
                write(file, $0.baseAddress, Int32($0.count), offset)
            }
            guard result == SQLITE_OK else {
                // Gives back the bytes that were written before the disk was full.
                _ = truncate(file, length)
                isWorthTrying = false
                return
            }
        }
        length = end
    }

    /// One write of zeros: SQLite's file layer writes less than 128 kB at a time.
    private static let zeros = [UInt8](repeating: 0, count: 64 * 1024)
    /// Bytes of a frame and of the log's header, with pages of 4096 bytes (SQLite's file format,
    /// section 4).
    private static let frame: Int64 = 4096 + 24
    private static let header: Int64 = 32
    /// Frames to have room for: more than a purchase writes. A longer write makes the file grow.
    private static let framesAhead: Int64 = 32
}
