#if PostgreSQL
import Basics
import Foundation
import StoreModel
import Synchronization

/// The connection of a process to the tables of one store, and its transactions.
///
/// **Why appends are in order.** A write is a transaction at READ COMMITTED that first takes an
/// exclusive advisory lock of the store, which the server keeps until the end of the transaction.
/// The server makes a commit visible before it lets go of the transaction's locks, and at this level
/// every statement sees what was committed before it began. So who has the lock sees the entries of
/// all who had it before, and what it then reads of versions, payments and the last position stays
/// true until its own commit. (At REPEATABLE READ the statement that waited for the lock would have
/// fixed what is seen, from before the wait.) A position is the last one plus one, not of a sequence:
/// positions become visible in their order and without gaps, also on a standby, which replays
/// commits in the order of the lock. A decision in conflict has written nothing when that is found,
/// so it skips only itself. No table is locked: readers, backups and roles without the right to
/// change rows are not held up.
///
/// A read is a transaction at REPEATABLE READ: all its statements see one moment. It waits for no
/// writer, and cannot fail for another's write.
actor PostgreSQLDatabase {
    /// The executor of this actor. Another actor may run on it too, so that its calls to this actor
    /// change no thread.
    nonisolated let thread = SerialQueueExecutor(label: "storefront.postgresql")
    nonisolated let address: PostgreSQLAddress
    /// Those of the newest connection: another server may have taken the first one's place.
    nonisolated var settings: PostgreSQLSettings { newestSettings.withLock { $0 } }
    private nonisolated let newestSettings: Mutex<PostgreSQLSettings>
    nonisolated let format: LedgerFormat
    private let token: String
    private let schema: String
    /// Nil after it was lost, until the next call.
    private var connection: PostgreSQLConnection?
    private let onCommit: @Sendable () -> Void
    private let onReconnect: @Sendable () -> Void

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    /// Connects, and creates the tables where there are none.
    ///
    /// - Parameters:
    ///   - token: of this process: sent with the notification of each commit.
    ///   - onCommit: called after each commit, before its caller gets the result.
    ///   - onReconnect: called after a lost connection was replaced: the server may be another one,
    ///     which has fewer entries.
    init(
        _ address: PostgreSQLAddress, schema: String, token: String,
        onCommit: @escaping @Sendable () -> Void,
        onReconnect: @escaping @Sendable () -> Void
    ) throws(StoreError) {
        let settings: PostgreSQLSettings
        do {
            let connection = try PostgreSQLConnection(address)
            settings = try PostgreSQLSettings(beginning: connection, schema: schema)
            format = try PostgreSQLSchema.open(schema, on: connection)
            self.connection = connection
        } catch {
            throw StoreError(postgreSQL: error, place: address.place)
        }
        newestSettings = Mutex(settings)
        self.address = address
        self.schema = schema
        self.token = token
        self.onCommit = onCommit
        self.onReconnect = onReconnect
    }

    /// Whether a schema has a store. Makes none.
    ///
    /// - Throws: `storeUnreachable`; errors of reading.
    static func hasStore(
        _ schema: String, at address: PostgreSQLAddress
    ) throws(StoreError) -> Bool {
        do {
            return try PostgreSQLSchema.isThere(schema, PostgreSQLConnection(address))
        } catch {
            throw StoreError(postgreSQL: error, place: address.place)
        }
    }

    /// Runs `body` in one transaction that reads.
    ///
    /// - Throws: `storeUnreachable` if the server cannot be reached, also after a second try;
    ///   `storeReplaced` where the tables are gone or another store's; `storeNewer`, `storeBusy`,
    ///   `storeUnreadable`; a `StoreError` that `body` throws.
    func read<Value>(
        _ body: (any SQLTransaction) throws -> Value
    ) throws(StoreError) -> Value {
        try tryTwice { connection in
            try begin(connection, isReading: true)
            let value = try body(PostgreSQLTransaction(connection: connection))
            try connection.endReading()
            return value
        }
    }

    /// Runs `body` in one transaction that writes, all of it or nothing. Returns after the commit is
    /// durable, as far as the server's settings say so. If `body` throws, nothing is changed.
    ///
    /// - Throws: errors of `read`, and then nothing is recorded; `storeFull`, `storeReadOnly`;
    ///   `outcomeUnknown` where no answer to the commit arrived.
    func write<Value>(
        _ body: (any SQLTransaction) throws -> Value
    ) throws(StoreError) -> Value {
        let value = try tryTwice(isWrite: true) { connection in
            try begin(connection)
            try connection.queue("SELECT pg_advisory_xact_lock(?)", [.integer(format.lock)])
            let value = try body(PostgreSQLTransaction(connection: connection))
            // Delivered with the commit, or not at all: a writer cannot end in between.
            try connection.queue(
                "SELECT pg_notify(?, ?)", [.text(format.channel), .text(token)])
            try connection.commit()
            return value
        }
        onCommit()
        return value
    }

    /// Runs `body` in one transaction that writes to tables beside the ledger: it takes no lock, and
    /// wakes nobody. `body` may run again after a lost connection.
    ///
    /// - Throws: as `write`.
    func writeBeside<Value>(
        _ body: (any SQLTransaction) throws -> Value
    ) throws(StoreError) -> Value {
        try tryTwice(isWrite: true) { connection in
            try begin(connection)
            let value = try body(PostgreSQLTransaction(connection: connection))
            try connection.commit()
            return value
        }
    }

    /// Queues the beginning of a transaction, which also makes sure that the store is still the same
    /// and of a version that this program knows.
    private func begin(_ connection: PostgreSQLConnection, isReading: Bool = false) throws {
        let known = format
        try connection.begin(isReading: isReading)
        try connection.queue(LedgerFormat.query) { result in
            let found = try LedgerFormat(result)
            try found.check()
            guard found.id == known.id else { throw StoreError(.storeReplaced) }
        }
    }

    /// Runs `work`; once more, on a new connection, if the connection was lost before the commit of a
    /// write may have been sent.
    private func tryTwice<Value>(
        isWrite: Bool = false, _ work: (PostgreSQLConnection) throws -> Value
    ) throws(StoreError) -> Value {
        let mayBeStale = connection != nil
        do {
            do { return try tryOnce(isWrite, work) } catch let failure as PostgreSQLFailure {
                guard failure.isLost, mayBeStale else { throw failure }
                return try tryOnce(isWrite, work)
            }
        } catch {
            throw StoreError(postgreSQL: error, place: address.place)
        }
    }

    private func tryOnce<Value>(
        _ isWrite: Bool, _ work: (PostgreSQLConnection) throws -> Value
    ) throws -> Value {
        let connection = try connected()
        do { return try work(connection) } catch let failure as PostgreSQLFailure {
            guard failure.isLost else {
                rollBack(connection)
                throw failure
            }
            self.connection = nil
            guard isWrite, connection.isCommitting else { throw failure }
            throw PostgreSQLUnknownCommit(cause: failure.message)
        } catch {
            rollBack(connection)
            throw error
        }
    }

    /// Ends the connection where the transaction cannot be rolled back: the server then does it.
    private func rollBack(_ connection: PostgreSQLConnection) {
        connection.rollBack()
        if !connection.isIdle { self.connection = nil }
    }

    private func connected() throws -> PostgreSQLConnection {
        if let connection { return connection }
        let fresh = try PostgreSQLConnection(address)
        let settings = try PostgreSQLSettings(beginning: fresh, schema: schema)
        newestSettings.withLock { $0 = settings }
        connection = fresh
        onReconnect()
        return fresh
    }
}
#endif
