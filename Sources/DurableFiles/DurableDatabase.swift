package import Basics
import GRDB
import GRDBSQLite
package import StoreModel
import Synchronization

/// An SQLite file that keeps what it acknowledged: WAL, `synchronous=FULL` (asserted), one
/// connection on a thread of its own, readable by its owner alone.
///
/// A write returns after its commit is on the disk. Writes given to `writeTogether` that arrive while
/// another is under way share one commit, each in a savepoint of its own, so that one that fails
/// takes no other with it.
package actor DurableDatabase {
    private struct Write: Sendable {
        /// Runs inside the transaction; what it answers is called once that is durable.
        var run: @Sendable (SQLConnection) throws -> @Sendable () -> Void
        var fail: @Sendable (StoreError) -> Void
    }

    package nonisolated let path: String
    /// Where this database runs; what works on it closely may run there too.
    package nonisolated let thread: SerialQueueExecutor
    private let schema: Schema
    private let connection: DatabaseQueue
    private let room: WALPreallocator
    private var waiting: [Write] = []
    private nonisolated let commitCount = CommitCount()
    private let onCommit: @Sendable () -> Void

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    /// Opens the file, or makes it, or brings one of an earlier version up to this one. Two processes
    /// may do so at the same time.
    ///
    /// - Parameters:
    ///   - onDelay: called, again and again, when opening takes longer than a second.
    ///   - onCommit: called after each durable commit, before its callers are answered, and after a
    ///     migration.
    /// - Throws: `storeReadOnly`, `storeFull`, `storeUnreadable`, `storeNewer`, `storeBusy`.
    package init(
        path: String, schema: Schema,
        onDelay: @escaping @Sendable (OpeningDelay) -> Void = { _ in },
        onCommit: @escaping @Sendable () -> Void = {}
    ) throws(StoreError) {
        try self.init(
            path: path, schema: schema, onDelay: onDelay, onCommit: onCommit, observe: { _ in })
    }

    /// The same, for tests that look at each step of a migration, or have it fail there.
    package init(
        path: String, schema: Schema,
        onDelay: @escaping @Sendable (OpeningDelay) -> Void = { _ in },
        onCommit: @escaping @Sendable () -> Void = {},
        observe: @escaping @Sendable (MigrationStep) throws -> Void
    ) throws(StoreError) {
        self.path = path
        self.schema = schema
        self.onCommit = onCommit
        thread = SerialQueueExecutor(label: "storefront.database")
        let lock = try Self.lock(path + ".lock", onDelay)
        defer { lock.release() }
        do {
            FileMigration.finishInterrupted(path)
            try PrivateFolder.makeFile(path)
            var opened = try Self.open(path)
            if let older = try Self.olderVersion(than: schema, in: opened.connection, path: path) {
                let progress = MigrationProgress(onDelay)
                let migration = FileMigration(
                    path: path, schema: schema, observe: observe,
                    tell: { progress.tell(done: $0, of: $1) })
                try migration.run(from: older, opened.connection)
                try opened.connection.close()
                opened = try Self.open(path)
                guard try Self.olderVersion(than: schema, in: opened.connection, path: path) == nil
                else {
                    throw StoreError(
                        .storeUnreadable, subject: path, found: String(older),
                        expected: String(schema.version))
                }
                onCommit()
            }
            connection = opened.connection
            room = opened.room
        } catch {
            throw StoreError(database: error, path: path)
        }
    }

    private static func lock(
        _ path: String, _ onDelay: @escaping @Sendable (OpeningDelay) -> Void
    ) throws(StoreError) -> FileLock {
        do {
            return try FileLock(
                path: path,
                mode: .wait(
                    atMost: DurableLimits.lockWait, onDelay: { onDelay(.waiting(for: $0)) }))
        } catch {
            throw StoreError(error, path: path)
        }
    }

    private static func open(_ path: String) throws -> (
        connection: DatabaseQueue, room: WALPreallocator
    ) {
        var configuration = Configuration()
        configuration.busyMode = .timeout(DurableLimits.busySecondsMax)
        let connection = try DatabaseQueue(path: path, configuration: configuration)
        let room = WALPreallocator()
        try connection.writeWithoutTransaction { db in
            try keepLog(of: db, path: path)
            room.attach(db.sqliteConnection)
            // Only FULL survives a power cut.
            try db.execute(sql: "PRAGMA synchronous = FULL")
            let level = try Int.fetchOne(db, sql: "PRAGMA synchronous")
            guard level == 2 else {
                throw StoreError(
                    .storeUnreadable, subject: path, found: "synchronous \(level ?? -1)",
                    expected: "2")
            }
        }
        return (connection, room)
    }

    /// Switches to a log beside the file, and has it stay there, empty, when the last process closes
    /// it: to open a store then writes nothing. (GRDB's own way of asking for a log writes each time
    /// it finds none.)
    private static func keepLog(of db: Database, path: String) throws {
        let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
        guard mode == "wal" else {
            throw StoreError(
                .storeUnreadable, subject: path, found: "journal mode \(mode ?? "none")",
                expected: "wal")
        }
        var isKept: Int32 = 1
        sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    }

    deinit {
        // What the log holds is moved into the file by whoever closes it last, and an empty log is
        // what the next one opens quickest. Who stays keeps the room that was made.
        try? connection.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_size_limit = 0")
            sqlite3_wal_hook(db.sqliteConnection, nil, nil)
        }
    }

    /// Makes the tables of an empty file, and refuses files that are not ours or are newer than this
    /// program. The version of one that has to be migrated first; nil for one that is as it should
    /// be.
    private static func olderVersion(
        than schema: Schema, in connection: DatabaseQueue, path: String
    ) throws -> Int? {
        try connection.writeWithoutTransaction { db in
            let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            let owner = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            if version == 0, owner == 0, try Int.fetchOne(db, sql: tableCount) == 0 {
                try db.inTransaction(.immediate) {
                    try schema.create(in: SQLConnection(db))
                    try db.execute(sql: "PRAGMA application_id = \(schema.applicationID)")
                    try db.execute(sql: "PRAGMA user_version = \(schema.version)")
                    return .commit
                }
                return nil
            }
            guard owner == schema.applicationID, version > 0 else {
                throw StoreError(
                    .storeUnreadable, subject: path, found: "another program's database")
            }
            guard version <= schema.version else { throw newer(version, than: schema, path) }
            return version < schema.version ? version : nil
        }
    }

    private static let tableCount = "SELECT count(*) FROM sqlite_master"

    private static func newer(_ version: Int, than schema: Schema, _ path: String) -> StoreError {
        StoreError(
            .storeNewer, subject: path, found: String(version),
            expected: "at most \(schema.version)")
    }

    /// Durable commits so far, for tests and benchmarks.
    package nonisolated var commits: Int { commitCount.value }

    /// Reads at one instant.
    package func read<Value>(
        _ body: (SQLConnection) throws -> Value
    ) throws(StoreError) -> Value {
        do {
            return try connection.inDatabase { db in
                try transaction("BEGIN DEFERRED", in: db) { try body(SQLConnection(db)) }
            }
        } catch {
            throw StoreError(database: error, path: path)
        }
    }

    /// Changes rows, all or none; returns once that is durable.
    package func write<Value>(
        _ body: (SQLConnection) throws -> Value
    ) throws(StoreError) -> Value {
        let value: Value
        do {
            value = try connection.writeWithoutTransaction { db in
                try transaction("BEGIN IMMEDIATE", in: db) {
                    room.make(db.sqliteConnection)
                    return try body(SQLConnection(db))
                }
            }
        } catch {
            throw StoreError(database: error, path: path)
        }
        committed()
        return value
    }

    /// Nothing is acknowledged that goes into a file nobody will find again: one that was deleted,
    /// moved away, or replaced by another while it was open. Looked at inside the transaction: a
    /// write may have waited for the very process that replaced the file.
    private func assertInPlace(_ db: Database) throws {
        var hasMoved: Int32 = 0
        sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        guard hasMoved != 0 else { return }
        throw whatReplacedIt() ?? StoreError(.storeReplaced, subject: path)
    }

    /// `storeNewer` if a newer program has migrated the file: to open it again would not help.
    private func whatReplacedIt() -> StoreError? {
        var configuration = Configuration()
        configuration.readonly = true
        guard let present = try? DatabaseQueue(path: path, configuration: configuration) else {
            return nil
        }
        let found = try? present.inDatabase { db in
            (
                version: try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0,
                owner: try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            )
        }
        guard let found, found.owner == schema.applicationID, found.version > schema.version else {
            return nil
        }
        return Self.newer(found.version, than: schema, path)
    }

    /// Prepared once a connection: these run twice for every purchase.
    private func transaction<Value>(
        _ begin: String, in db: Database, _ body: () throws -> Value
    ) throws -> Value {
        try db.cachedStatement(sql: begin).execute()
        do {
            try assertInPlace(db)
            let value = try body()
            try Self.commit(db)
            return value
        } catch {
            // A full disk may have ended it already.
            if db.isInsideTransaction { try? db.execute(sql: "ROLLBACK") }
            throw error
        }
    }

    /// An error says whether the changes are surely gone or may be found after a crash.
    private static func commit(_ db: Database) throws {
        do { try db.cachedStatement(sql: "COMMIT").execute() } catch {
            throw StoreError.leavesNothing(error) ? error : UnknownCommit(cause: error)
        }
    }

    private func committed() {
        commitCount.add()
        onCommit()
    }

    // MARK: - Writing together

    /// Like `write`, sharing a commit with whatever else is waiting to be written.
    package func writeTogether<Value: Sendable>(
        _ body: @escaping @Sendable (SQLConnection) throws -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            waiting.append(
                Write(
                    run: { db in
                        let value = try body(db)
                        return { continuation.resume(returning: .success(value)) }
                    },
                    fail: { continuation.resume(returning: .failure($0)) }))
            // Goes to the end of the thread's queue: who is in it already joins this commit.
            if waiting.count == 1 { Task { commitWaiting() } }
        }
        return try result.get()
    }

    /// What became of writes that shared a commit.
    private struct Shared {
        /// The answers of those that succeeded, to be given once that is durable.
        var answers: [@Sendable () -> Void] = []
        var failed: [(write: Write, error: StoreError)] = []
    }

    private func commitWaiting() {
        let batch = waiting
        waiting = []
        let shared = commit(batch)
        if !shared.answers.isEmpty { committed() }
        for answer in shared.answers { answer() }
        for (write, error) in shared.failed { write.fail(error) }
    }

    /// All in one transaction. If that cannot be committed, all have failed.
    private func commit(_ batch: [Write]) -> Shared {
        do {
            return try connection.writeWithoutTransaction { db in
                try transaction("BEGIN IMMEDIATE", in: db) {
                    room.make(db.sqliteConnection)
                    return try run(batch, in: db)
                }
            }
        } catch {
            let error = StoreError(database: error, path: path)
            return Shared(failed: batch.map { ($0, error) })
        }
    }

    private func run(_ batch: [Write], in db: Database) throws -> Shared {
        // One by itself needs no savepoint: nothing is left of it if it fails.
        if batch.count == 1 {
            return Shared(answers: [try batch[0].run(SQLConnection(db))])
        }
        var shared = Shared()
        for write in batch {
            do {
                shared.answers.append(try Self.runApart(write, in: db))
            } catch {
                // A full disk may have ended the whole transaction.
                guard db.isInsideTransaction else { throw error }
                shared.failed.append((write, StoreError(database: error, path: path)))
            }
        }
        return shared
    }

    private static func runApart(
        _ write: Write, in db: Database
    ) throws -> @Sendable () -> Void {
        var answer: @Sendable () -> Void = {}
        try db.inSavepoint {
            answer = try write.run(SQLConnection(db))
            return .commit
        }
        return answer
    }
}

/// Counts commits; read from any thread.
private final class CommitCount: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
}
