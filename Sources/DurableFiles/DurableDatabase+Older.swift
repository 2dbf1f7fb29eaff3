import Foundation
import GRDBSQLite
package import StoreModel

extension DurableDatabase {
    /// SQLite's `application_id` of the files that versions before the first release made: "STFR"
    /// of a ledger, "SFDV" of a device's records. No later file may have one of these.
    private static let idsBeforeRelease: Set<UInt32> = [0x5354_4652, 0x5346_4456]

    /// Throws `storeOlder` for a file that a version before the first release made. Reads a few
    /// bytes of it and its log: nothing is locked, changed or created.
    package static func refuseOlder(_ path: String) throws(StoreError) {
        let id = headerID(path)
        guard idsBeforeRelease.contains(id == 0 ? loggedID(path) : id) else { return }
        throw StoreError(.storeOlder, subject: path)
    }

    /// The id in the header of the file. SQLite opens the file, because closing any other
    /// descriptor would release the locks that this process holds on it (fcntl(2)).
    private static func headerID(_ path: String) -> UInt32 {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        var file: UnsafeMutablePointer<sqlite3_file>?
        var id: UInt32 = 0
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK,
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
                == SQLITE_OK,
            let file, let read = file.pointee.pMethods?.pointee.xRead,
            read(file, &id, Int32(MemoryLayout<UInt32>.size), idOffset) == SQLITE_OK
        else { return 0 }
        return UInt32(bigEndian: id)
    }

    /// The id in the log beside a file whose own header has none yet: the process that created it
    /// still runs or was killed. The first frame then is page 1 of the file. SQLite locks no bytes
    /// of a log.
    private static func loggedID(_ path: String) -> UInt32 {
        guard let log = FileHandle(forReadingAtPath: path + "-wal") else { return 0 }
        defer { try? log.close() }
        var id: UInt32 = 0
        let offset = logHeader + frameHeader + off_t(idOffset)
        let count = pread(log.fileDescriptor, &id, MemoryLayout<UInt32>.size, offset)
        return count == MemoryLayout<UInt32>.size ? UInt32(bigEndian: id) : 0
    }

    /// Where the id stands in page 1, and the lengths before the first page of a log, in bytes
    /// (SQLite's file format, sections 1.3 and 4.1).
    private static let idOffset: Int64 = 68
    private static let logHeader: off_t = 32
    private static let frameHeader: off_t = 24
}
