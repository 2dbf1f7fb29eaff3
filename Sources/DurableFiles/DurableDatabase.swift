package import Basics
import GRDB
import GRDBSQLite
package import StoreModel
import Synchronization

/// An SQLite file whose acknowledged writes survive a kill and a power cut: write-ahead log,
/// `synchronous=FULL` (asserted), one connection on a private serial queue, file mode 0600.
///
/// A write returns after its commit is on the disk. Writes passed to `writeTogether` while another
/// write is under way share one commit. Each has its own savepoint, so that a write that fails does
/// not undo the others.
package actor DurableDatabase {
    private struct Write: Sendable {
        /// Runs inside the transaction. The closure it returns is called after the commit is
        /// durable.
        var run: @Sendable (SQLConnection) throws -> @Sendable () -> Void
        var fail: @Sendable (StoreError) -> Void
    }

    nonisolated let path: String
    /// The executor of this actor. Another actor may run on it too, so that its calls to this actor
    /// change no thread.
    package nonisolated let thread: SerialQueueExecutor
    private let schema: Schema
    private let connection: DatabaseQueue
    private let preallocator: WALPreallocator
    private nonisolated let stampReader: CommitStampReader?
    /// Writes that join the next shared commit.
    private var waiting: [Write] = []
    private nonisolated let commitCount = Count()
    private nonisolated let readCount = Count()
    private let onCommit: @Sendable () -> Void

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    /// Opens the file, creates it, or migrates a file of an earlier version. Safe in several
    /// processes at the same time: they take turns under a lock. A file of this version in a folder
    /// that cannot be written to is opened for reading only: every write throws `storeReadOnly`.
    ///
    /// - Parameters:
    ///   - isDurable: false for a file that ends with this process: nothing is synced.
    ///   - onDelay: called repeatedly when opening takes longer than a second.
    ///   - onCommit: called after each durable commit, before its callers get their results, and
    ///     after a migration.
    ///   - now: measures how long a migration has taken.
    ///   - observe: for tests, called after each step of a migration; if it throws, the migration
    ///     fails there.
    /// - Throws: `storeReadOnly`, `storeFull`, `storeUnreadable` (also for another program's file),
    ///   `storeNewer` for a file of a later version, `storeOlder` for one of an earlier version that
    ///   cannot be written, `storeBusy` where another process keeps the lock for
    ///   `DurableLimits.lockWait`.
    package init(
        path: String, schema: Schema, isDurable: Bool = true,
        onDelay: @escaping @Sendable (OpeningDelay) -> Void = { _ in },
        onCommit: @escaping @Sendable () -> Void = {},
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        observe: @escaping @Sendable (MigrationStep) throws -> Void = { _ in }
    ) throws(StoreError) {
        self.path = path
        self.schema = schema
        self.onCommit = onCommit
        thread = SerialQueueExecutor(label: "storefront.database")
        let lock: FileLock
        do throws(StoreError) { lock = try Self.lock(path + ".lock", onDelay) } catch {
            guard error.code == .storeReadOnly, PrivateFolder.isReadable(path) else { throw error }
            connection = try Self.openToRead(path, schema, readOnly: error)
            preallocator = WALPreallocator()
            stampReader = nil
            return
        }
        defer { lock.release() }
        do {
            FileMigration.finishInterrupted(path)
            try PrivateFolder.makeFile(path)
            var opened = try Self.open(path, isDurable: isDurable)
            if let older = try Self.olderVersion(than: schema, in: opened.connection, path: path) {
                let progress = MigrationProgress(onDelay, now: now)
                let migration = FileMigration(
                    path: path, schema: schema, observe: observe,
                    onProgress: { progress.report(done: $0, of: $1) })
                try migration.run(from: older, opened.connection)
                try opened.connection.close()
                opened = try Self.open(path, isDurable: isDurable)
                guard try Self.olderVersion(than: schema, in: opened.connection, path: path) == nil
                else {
                    throw StoreError(
                        .storeUnreadable, subject: path, found: older,
                        expected: schema.version)
                }
                onCommit()
            }
            connection = opened.connection
            preallocator = opened.preallocator
            stampReader = connection.inDatabase {
                CommitStampReader($0.sqliteConnection, path: path)
            }
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

    private static func open(_ path: String, isDurable: Bool) throws -> (
        connection: DatabaseQueue, preallocator: WALPreallocator
    ) {
        var configuration = Configuration()
        configuration.busyMode = .timeout(DurableLimits.busySecondsMax)
        let connection = try DatabaseQueue(path: path, configuration: configuration)
        let preallocator = WALPreallocator()
        try connection.writeWithoutTransaction { db in
            try usePersistentLog(in: db, path: path)
            preallocator.attach(db.sqliteConnection)
            // Only FULL (2) survives a power cut. GRDB lowers it, so it is set and checked here.
            let expected = isDurable ? 2 : 0
            try db.execute(sql: "PRAGMA synchronous = \(expected)")
            let level = try Int.fetchOne(db, sql: "PRAGMA synchronous")
            guard level == expected else {
                throw StoreError(
                    .storeUnreadable, subject: path, found: "synchronous \(level ?? -1)",
                    expected: String(expected))
            }
        }
        return (connection, preallocator)
    }

    /// Switches to a write-ahead log whose file stays, empty, when the last process closes the
    /// database: opening it then writes nothing. GRDB's own setting for a log is not used, because
    /// it writes to the database whenever it finds no log.
    private static func usePersistentLog(in db: Database, path: String) throws {
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
        // If this is the last connection, SQLite moves the log into the database as it closes and
        // then truncates the log to this limit: the next process opens an empty log quickest. If
        // other processes still use the file, the log keeps the room that they reserved in it.
        try? connection.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA journal_size_limit = 0")
            sqlite3_wal_hook(db.sqliteConnection, nil, nil)
        }
    }

    /// Creates the tables in an empty file. Returns the version of a file that must be migrated
    /// first, nil for a file of this version. Throws `storeUnreadable` for another program's file
    /// and `storeNewer` for a file of a later version.
    private static func olderVersion(
        than schema: Schema, in connection: DatabaseQueue, path: String
    ) throws -> Int? {
        try connection.writeWithoutTransaction { db in
            let identity = try Identity(db)
            if identity == Identity(), try Int.fetchOne(db, sql: tableCount) == 0 {
                try db.inTransaction(.immediate) {
                    try schema.create(in: SQLConnection(db))
                    try db.execute(sql: "PRAGMA application_id = \(schema.applicationID)")
                    try db.execute(sql: "PRAGMA user_version = \(schema.version)")
                    return .commit
                }
                return nil
            }
            try identity.check(schema, path)
            return identity.version < schema.version ? identity.version : nil
        }
    }

    /// What a file says of itself.
    struct Identity: Equatable, Sendable {
        var version = 0
        var owner: Int32 = 0

        /// Throws `storeUnreadable` for another program's file and `storeNewer` for one of a later
        /// version.
        func check(_ schema: Schema, _ path: String) throws(StoreError) {
            guard owner == schema.applicationID, version > 0 else {
                throw StoreError(
                    .storeUnreadable, subject: path, found: "another program's database")
            }
            guard version <= schema.version else { throw newer(version, than: schema, path) }
        }
    }

    private static let tableCount = "SELECT count(*) FROM sqlite_master"

    static func newer(_ version: Int, than schema: Schema, _ path: String) -> StoreError {
        StoreError(
            .storeNewer, subject: path, found: version,
            expected: "at most \(schema.version)")
    }

    /// Durable commits since this process opened the file; for tests and benchmarks.
    package nonisolated var commits: Int { commitCount.value }
    /// Read transactions since this process opened the file; for tests.
    package nonisolated var reads: Int { readCount.value }

    /// Of the last commit of any process; nil where only a read can tell of it, or would throw.
    package nonisolated var stamp: CommitStamp? { stampReader?.stamp }

    /// Runs `body` in one read transaction: everything it reads is as of one commit.
    /// `SQLConnection` is valid only inside `body`.
    ///
    /// - Throws: `storeReplaced` or `storeNewer` where the file was deleted, moved or replaced
    ///   since it was opened; `storeBusy`, `storeUnreadable`; a `StoreError` that `body` throws.
    package func read<Value>(
        _ body: (SQLConnection) throws -> Value
    ) throws(StoreError) -> Value {
        readCount.add()
        do {
            return try connection.inDatabase { db in
                try transaction("BEGIN DEFERRED", in: db) { try body(SQLConnection(db)) }
            }
        } catch {
            throw StoreError(database: error, path: path)
        }
    }

    /// Runs `body` in one write transaction (`BEGIN IMMEDIATE`), all of it or nothing. Returns
    /// after the commit is durable. If `body` throws, nothing is changed.
    ///
    /// - Throws: errors of `read`; `storeFull`, `storeReadOnly`; `outcomeUnknown` where the commit
    ///   failed but may be found after a crash (`StoreError.leavesNothing`).
    package func write<Value>(
        _ body: (SQLConnection) throws -> Value
    ) throws(StoreError) -> Value {
        let value: Value
        do {
            value = try connection.writeWithoutTransaction { db in
                try transaction("BEGIN IMMEDIATE", in: db) {
                    preallocator.reserve(db.sqliteConnection)
                    return try body(SQLConnection(db))
                }
            }
        } catch {
            throw StoreError(database: error, path: path)
        }
        committed()
        return value
    }

    /// Throws if the file was deleted, moved or replaced, so that a commit would be lost. Checked
    /// inside the transaction, because a write may have waited for the very process that replaced
    /// the file.
    private func assertInPlace(_ db: Database) throws {
        var hasMoved: Int32 = 0
        sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        guard hasMoved != 0 else { return }
        throw newerFileError() ?? StoreError(.storeReplaced, subject: path)
    }

    /// `storeNewer`: opening the file again would not help.
    private func newerFileError() -> StoreError? {
        var configuration = Configuration()
        configuration.readonly = true
        guard let present = try? DatabaseQueue(path: path, configuration: configuration) else {
            return nil
        }
        let found = try? present.inDatabase { try Identity($0) }
        guard let found, found.owner == schema.applicationID, found.version > schema.version else {
            return nil
        }
        return Self.newer(found.version, than: schema, path)
    }

    /// `BEGIN`, `assertInPlace`, `body`, `COMMIT`; rolls back if any of them throws. The statements
    /// are cached, because every write runs them.
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
            // On a full disk SQLite may have rolled back already.
            if db.isInsideTransaction { try? db.execute(sql: "ROLLBACK") }
            throw error
        }
    }

    /// Throws `UnknownCommit` where the commit failed but may be found after a crash.
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

    /// Like `write`, but shares one commit with the other writes that wait. `body` runs in its own
    /// savepoint: if it throws, only its own changes are undone. If the commit fails, every write
    /// that shared it throws.
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
            // The task goes to the end of the queue: writes already in the queue join this commit.
            if waiting.count == 1 { Task { commitWaiting() } }
        }
        return try result.get()
    }

    /// The results of writes that shared a commit.
    private struct BatchResult {
        /// To be called after the commit is durable.
        var answers: [@Sendable () -> Void] = []
        var failed: [(write: Write, error: StoreError)] = []
    }

    private func commitWaiting() {
        let batch = waiting
        waiting = []
        let result = commit(batch)
        if !result.answers.isEmpty { committed() }
        for answer in result.answers { answer() }
        for (write, error) in result.failed { write.fail(error) }
    }

    /// If the transaction cannot be committed, all writes failed.
    private func commit(_ batch: [Write]) -> BatchResult {
        do {
            return try connection.writeWithoutTransaction { db in
                try transaction("BEGIN IMMEDIATE", in: db) {
                    preallocator.reserve(db.sqliteConnection)
                    return try run(batch, in: db)
                }
            }
        } catch {
            let error = StoreError(database: error, path: path)
            return BatchResult(failed: batch.map { ($0, error) })
        }
    }

    private func run(_ batch: [Write], in db: Database) throws -> BatchResult {
        // A single write needs no savepoint: the transaction is rolled back if it fails.
        if batch.count == 1 {
            return BatchResult(answers: [try batch[0].run(SQLConnection(db))])
        }
        var result = BatchResult()
        for write in batch {
            do {
                result.answers.append(try Self.runInSavepoint(write, in: db))
            } catch {
                // On a full disk SQLite may have rolled back the whole transaction.
                guard db.isInsideTransaction else { throw error }
                result.failed.append((write, StoreError(database: error, path: path)))
            }
        }
        return result
    }

    private static func runInSavepoint(
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

/// A counter, readable from any thread.
private final class Count: Sendable {
    private let count = Atomic<Int>(0)
    var value: Int { count.load(ordering: .relaxed) }
    func add() { count.add(1, ordering: .relaxed) }
}

extension DurableDatabase.Identity {
    init(_ db: Database) throws {
        version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        owner = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
    }
}
