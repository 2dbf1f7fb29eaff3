import Foundation
import GRDBSQLite
import StoreModel
import Synchronization

/// Tells of the last commit without a read: SQLite keeps the header of the write-ahead log's index in
/// memory that all processes share, and changes it with every commit, before the commit returns
/// (https://sqlite.org/walformat.html, section 2.1). To look at it takes no lock and no other thread
/// (`make bench`: "transaction info on one connection, of bare Hummingbird", half as many without).
struct CommitStampReader: @unchecked Sendable {
    // SQLite maps it until the connection closes; it is only read here.
    private let header: UnsafeRawPointer
    private let path: String
    private let fileNumber: UInt64

    /// Of a copy of the header; another one follows it. Both are the same unless a commit is being
    /// written.
    private static let byteCount = 48

    /// Nil for a database without such a log.
    ///
    /// - Parameter connection: must stay open as long as this value is used.
    init?(_ connection: OpaquePointer?, path: String) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        var memory: UnsafeMutableRawPointer?
        guard
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
                == SQLITE_OK,
            let file, let methods = file.pointee.pMethods?.pointee, methods.iVersion >= 2,
            let map = methods.xShmMap, map(file, 0, Self.regionBytes, 0, &memory) == SQLITE_OK,
            let memory, let fileNumber = FileMigration.fileNumber(of: path)
        else { return nil }
        header = UnsafeRawPointer(memory)
        self.path = path
        self.fileNumber = fileNumber
    }

    /// Of the parts in which SQLite maps the index.
    private static let regionBytes: Int32 = 32 * 1024

    /// Nil while a commit is being written, and after the file was deleted, moved or replaced.
    var stamp: CommitStamp? {
        let first = words(at: 0)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        guard first == words(at: Self.byteCount),
            FileMigration.fileNumber(of: path) == fileNumber
        else { return nil }
        return CommitStamp(first)
    }

    private func words(at offset: Int) -> SIMD8<UInt64> {
        var words = SIMD8<UInt64>()
        for index in 0..<(Self.byteCount / 8) {
            words[index] = header.load(fromByteOffset: offset + index * 8, as: UInt64.self)
        }
        return words
    }
}
