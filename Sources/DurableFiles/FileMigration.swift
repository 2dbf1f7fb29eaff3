import Basics
import Foundation
import GRDB
import StoreModel

/// The steps of a migration, in order. Each is observed after it is done.
package enum MigrationStep: Hashable, CaseIterable, Sendable {
    /// Nothing is changed yet.
    case begun
    /// A page of rows was copied, or one numbered change applied; observed once for each.
    case copied
    /// This process holds the old file's write lock; the old file's log is empty.
    case locked
    /// The new file is complete and on the disk.
    case written
    /// The inode number of the file about to be replaced is recorded in a file beside it.
    case noted
    /// The new file has the old one's path.
    case renamed
    /// The old file's log and shared index are removed.
    case logRemoved
    /// The record of the inode number is removed, and the folder is synced.
    case done
}

/// Replaces a file of an earlier version: makes a new file beside it and renames it over the old
/// one.
///
/// Call it under the file's lock, which every process takes to open it. At every instant the path
/// leads to a complete file, the old one or the new one: a kill at any step loses nothing, and the
/// next process that opens the file starts again or cleans up. Processes that still have the old
/// file open can read it. They cannot write to it while it is replaced, and afterwards their writes
/// throw before the commit (`DurableDatabase.assertInPlace`).
struct FileMigration {
    let path: String
    let schema: DurableDatabase.Schema
    let observe: @Sendable (MigrationStep) throws -> Void
    let onProgress: (_ done: Int64, _ total: Int64) -> Void

    private var nextPath: String { path + ".next" }

    func run(from oldVersion: Int, _ old: DatabaseQueue) throws {
        try observe(.begun)
        Self.remove(nextPath)
        defer { Self.remove(nextPath) }
        try PrivateFolder.makeFile(nextPath)
        try old.writeWithoutTransaction { db in
            let old = SQLConnection(db)
            switch schema.upgrade {
            case .steps(let migrations):
                try replacing(db) {
                    try copy(migrations.filter { $0.version > oldVersion })
                }
            case .rebuilt(_, let rebuild):
                try rebuilt(rebuild, from: oldVersion, old)
            }
        }
    }

    // MARK: - The new file

    private func rebuilt(
        _ rebuild: DurableDatabase.Rebuild, from oldVersion: Int, _ old: SQLConnection
    ) throws {
        let next = try openNext()
        let fill = { (new: Database) throws in
            try rebuild.run(
                DurableDatabase.Rebuild.Work(
                    old: old, new: SQLConnection(new), oldVersion: oldVersion,
                    onProgress: { done, total in
                        onProgress(done, total)
                        try observe(.copied)
                    }))
        }
        try next.writeWithoutTransaction { db in
            try db.inTransaction {
                try schema.create(in: SQLConnection(db))
                // Copies most rows while other processes still write to the old file.
                try fill(db)
                return .commit
            }
        }
        try replacing(old.database) {
            try next.writeWithoutTransaction { db in
                try db.inTransaction {
                    try fill(db)
                    try stamp(db)
                    return .commit
                }
            }
            try next.close()
        }
    }

    /// Copies the old file while this process holds its write lock, through a second connection,
    /// and applies the migrations the file does not have yet.
    private func copy(_ migrations: [DurableDatabase.Migration]) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let source = try DatabaseQueue(path: path, configuration: configuration)
        let whole = try DatabaseQueue(path: nextPath)
        try source.backup(to: whole)
        try whole.close()
        try source.close()
        let next = try openNext()
        try next.writeWithoutTransaction { db in
            try db.inTransaction {
                for migration in migrations {
                    try migration.run(SQLConnection(db))
                    try observe(.copied)
                }
                try stamp(db)
                return .commit
            }
        }
        try next.close()
    }

    /// Opens the new file without journal and syncs: until the rename, a file left by a kill is
    /// simply removed.
    private func openNext() throws -> DatabaseQueue {
        let next = try DatabaseQueue(path: nextPath)
        try next.writeWithoutTransaction { db in
            // A copy of a file in WAL mode is in WAL mode too; leaves that mode first.
            _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
            _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = OFF")
            try db.execute(sql: "PRAGMA synchronous = OFF")
            try db.execute(sql: "PRAGMA cache_size = -65536")
        }
        return next
    }

    private func stamp(_ db: Database) throws {
        try db.execute(sql: "PRAGMA application_id = \(schema.applicationID)")
        try db.execute(sql: "PRAGMA user_version = \(schema.version)")
    }

    // MARK: - Replacing the old file

    /// Completes the new file while no process can write to the old one, then renames it over the
    /// old one.
    private func replacing(_ old: Database, complete: () throws -> Void) throws {
        try lock(old)
        defer { try? old.execute(sql: "ROLLBACK") }
        try observe(.locked)
        try complete()
        try Self.sync(nextPath)
        try observe(.written)
        try note()
        try observe(.noted)
        guard rename(nextPath, path) == 0 else { throw StoreError(errno: errno, path: path) }
        try Self.syncFolder(of: path)
        try observe(.renamed)
        Self.removeLog(of: path)
        try observe(.logRemoved)
        unlink(Self.notePath(path))
        try Self.syncFolder(of: path)
        try observe(.done)
    }

    /// Takes the old file's write lock with its log empty. After the rename the old log lies beside
    /// the new file; an empty log changes nothing in that file.
    private func lock(_ old: Database) throws {
        for _ in 0..<DurableLimits.emptyLogTriesMax {
            try old.checkpoint(.truncate)
            try old.execute(sql: "BEGIN IMMEDIATE")
            if Self.length(of: path + "-wal") == 0 { return }
            // Another process wrote between the checkpoint and the lock.
            try old.execute(sql: "ROLLBACK")
        }
        throw StoreError(.storeBusy, subject: path)
    }

    /// Records the inode number of the file being replaced, for `finishInterrupted` after a kill.
    private func note() throws {
        guard let number = Self.fileNumber(of: path) else {
            throw StoreError(errno: errno, path: path)
        }
        let note = Self.notePath(path)
        unlink(note)
        try PrivateFolder.makeFile(note)
        let descriptor = open(note, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { throw StoreError(errno: errno, path: note) }
        defer { close(descriptor) }
        let text = Array(String(number).utf8)
        let failure = text.withUnsafeBytes { writeAll($0, to: descriptor) }
        guard failure == nil, fsync(descriptor) == 0 else {
            throw StoreError(errno: failure ?? errno, path: note)
        }
    }

    // MARK: - After a kill

    /// Removes the files that an interrupted migration left behind. Call it under the file's lock,
    /// before the file is opened.
    static func finishInterrupted(_ path: String) {
        let note = notePath(path)
        guard access(note, F_OK) == 0 else { return }
        let replaced = FileManager.default.contents(atPath: note)
            .flatMap { UInt64(String(decoding: $0, as: UTF8.self)) }
        // The rename happened: the log at the path is the old file's, and it was empty then. An
        // incomplete note was written before the rename, so the log stays.
        if let replaced, let present = fileNumber(of: path), present != replaced {
            removeLog(of: path)
        }
        remove(path + ".next")
        unlink(note)
    }

    private static func notePath(_ path: String) -> String { path + ".replaced" }

    private static func removeLog(of path: String) {
        unlink(path + "-wal")
        unlink(path + "-shm")
    }

    private static func remove(_ next: String) {
        for end in ["", "-journal", "-wal", "-shm"] { unlink(next + end) }
    }

    /// Nil for a path without a file.
    static func fileNumber(of path: String) -> UInt64? {
        var status = stat()
        return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }

    private static func length(of path: String) -> Int64 {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : 0
    }

    private static func sync(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw StoreError(errno: errno, path: path) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw StoreError(errno: errno, path: path) }
    }

    private static func syncFolder(of path: String) throws {
        try sync((path as NSString).deletingLastPathComponent)
    }
}
