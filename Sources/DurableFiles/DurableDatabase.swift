package import GRDB
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
    /// What the file is and how a new one is made.
    package struct Schema: Sendable {
        /// Written into the file's header; another program's database is refused.
        package var applicationID: Int32
        package var version: Int
        package var create: @Sendable (Database) throws -> Void

        package init(
            applicationID: Int32, version: Int,
            create: @escaping @Sendable (Database) throws -> Void
        ) {
            self.applicationID = applicationID
            self.version = version
            self.create = create
        }
    }

    private struct Write: Sendable {
        /// Runs inside the transaction; what it answers is called once that is durable.
        var run: @Sendable (Database) throws -> @Sendable () -> Void
        var fail: @Sendable (StoreError) -> Void
    }

    package nonisolated let path: String
    /// Where this database runs; what works on it closely may run there too.
    package nonisolated let thread: DatabaseThread
    private let connection: DatabaseQueue
    private let room = LogRoom()
    private var waiting: [Write] = []
    private nonisolated let commitCount = CommitCount()
    private let onCommit: @Sendable () -> Void

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        thread.asUnownedSerialExecutor()
    }

    /// Opens the file, or makes it. Two processes may do so at the same time.
    ///
    /// - Parameter onCommit: called after each durable commit, before its callers are answered.
    /// - Throws: `storeReadOnly`, `storeFull`, `storeUnreadable`, `storeNewer`, `storeBusy`.
    package init(
        path: String, schema: Schema, onCommit: @escaping @Sendable () -> Void = {}
    ) throws(StoreError) {
        self.path = path
        self.onCommit = onCommit
        thread = DatabaseThread(label: "storefront.database")
        let lock = try FileLock(path: path + ".lock", mode: .wait)
        defer { lock.release() }
        try PrivateFolder.makeFile(path)
        var configuration = Configuration()
        configuration.busyMode = .timeout(DurableLimits.busySecondsMax)
        do {
            connection = try DatabaseQueue(path: path, configuration: configuration)
            let room = room
            try connection.writeWithoutTransaction { db in
                try Self.keepLog(of: db, path: path)
                room.attend(db.sqliteConnection)
                // Only FULL survives a power cut.
                try db.execute(sql: "PRAGMA synchronous = FULL")
                let level = try Int.fetchOne(db, sql: "PRAGMA synchronous")
                guard level == 2 else {
                    throw StoreError(
                        .storeUnreadable, subject: path,
                        found: "synchronous \(level ?? -1)", expected: "2")
                }
                try Self.settle(schema, in: db, path: path)
            }
        } catch {
            throw StoreError(database: error, path: path)
        }
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

    private static func settle(_ schema: Schema, in db: Database, path: String) throws {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let owner = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        if version == 0, owner == 0, try Int.fetchOne(db, sql: Self.tableCount) == 0 {
            try db.inTransaction(.immediate) {
                try schema.create(db)
                try db.execute(sql: "PRAGMA application_id = \(schema.applicationID)")
                try db.execute(sql: "PRAGMA user_version = \(schema.version)")
                return .commit
            }
            return
        }
        guard owner == schema.applicationID else {
            throw StoreError(
                .storeUnreadable, subject: path, found: "another program's database")
        }
        guard version <= schema.version else {
            throw StoreError(
                .storeNewer, subject: path, found: String(version),
                expected: "at most \(schema.version)")
        }
    }

    private static let tableCount = "SELECT count(*) FROM sqlite_master"

    /// Durable commits so far, for tests and benchmarks.
    package nonisolated var commits: Int { commitCount.value }

    /// Reads at one instant.
    package func read<Value>(
        _ body: (Database) throws -> Value
    ) throws(StoreError) -> Value {
        do {
            return try connection.inDatabase { db in
                try assertInPlace(db)
                return try Self.transaction("BEGIN DEFERRED", in: db) { try body(db) }
            }
        } catch {
            throw StoreError(database: error, path: path)
        }
    }

    /// Changes rows, all or none; returns once that is durable.
    package func write<Value>(
        _ body: (Database) throws -> Value
    ) throws(StoreError) -> Value {
        let value: Value
        do {
            value = try connection.writeWithoutTransaction { db in
                try assertInPlace(db)
                return try Self.transaction("BEGIN IMMEDIATE", in: db) {
                    room.make(db.sqliteConnection)
                    return try body(db)
                }
            }
        } catch {
            throw StoreError(database: error, path: path)
        }
        committed()
        return value
    }

    /// Nothing is acknowledged that goes into a file nobody will find again: one that was deleted,
    /// moved away, or replaced by another while it was open.
    private func assertInPlace(_ db: Database) throws {
        var hasMoved: Int32 = 0
        sqlite3_file_control(db.sqliteConnection, "main", SQLITE_FCNTL_HAS_MOVED, &hasMoved)
        if hasMoved != 0 { throw StoreError(.storeReplaced, subject: path) }
    }

    /// Prepared once a connection: these run twice for every purchase.
    private static func transaction<Value>(
        _ begin: String, in db: Database, _ body: () throws -> Value
    ) throws -> Value {
        try db.cachedStatement(sql: begin).execute()
        do {
            let value = try body()
            try db.cachedStatement(sql: "COMMIT").execute()
            return value
        } catch {
            // A full disk may have ended it already.
            if db.isInsideTransaction { try? db.execute(sql: "ROLLBACK") }
            throw error
        }
    }

    private func committed() {
        commitCount.add()
        onCommit()
    }

    /// Like `write`, sharing a commit with whatever else is waiting to be written.
    package func writeTogether<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
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

    private func commitWaiting() {
        let batch = waiting
        waiting = []
        var succeeded: [(write: Write, answer: @Sendable () -> Void)] = []
        var failed: [(write: Write, error: StoreError)] = []
        do {
            try connection.writeWithoutTransaction { db in
                try assertInPlace(db)
                // One by itself needs no savepoint, and nothing is left of it if it fails.
                if batch.count == 1 {
                    try Self.transaction("BEGIN IMMEDIATE", in: db) {
                        room.make(db.sqliteConnection)
                        succeeded.append((batch[0], try batch[0].run(db)))
                    }
                    return
                }
                try db.inTransaction(.immediate) {
                    room.make(db.sqliteConnection)
                    for write in batch {
                        do {
                            succeeded.append((write, try Self.runApart(write, in: db)))
                        } catch {
                            // A full disk may have ended the whole transaction.
                            guard db.isInsideTransaction else { throw error }
                            failed.append((write, StoreError(database: error, path: path)))
                        }
                    }
                    return succeeded.isEmpty ? .rollback : .commit
                }
            }
        } catch {
            let error = StoreError(database: error, path: path)
            failed = batch.map { ($0, error) }
            succeeded = []
        }
        if !succeeded.isEmpty { committed() }
        for (_, answer) in succeeded { answer() }
        for (write, error) in failed { write.fail(error) }
    }

    private static func runApart(
        _ write: Write, in db: Database
    ) throws -> @Sendable () -> Void {
        var answer: @Sendable () -> Void = {}
        try db.inSavepoint {
            answer = try write.run(db)
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
