#if PostgreSQL
import StoreModel

/// Bounds of waits for a server, in milliseconds, and of what a connection keeps.
enum PostgreSQLLimits {
    /// For each step of a connection's beginning, unless the address has `connect_timeout`. Finding a
    /// host's address by its name is left to the system's resolver, which has bounds of its own.
    static let connectWait: Int32 = 5_000
    /// The longest `connect_timeout`; one beyond counts as none.
    static let connectSecondsMax: Int32 = 600
    /// For a byte from the server, or for room to send one. It is longer than what the server takes
    /// before it gives a statement up.
    static let silence: Int32 = 30_000
    /// For other processes' appends; the server then gives the statement up, and `storeBusy` is
    /// thrown.
    static let lockWait = 5_000
    /// For one statement.
    static let statementWait = 10_000
    /// For a process that stopped in the middle of a transaction: the server then ends it, because
    /// it may hold the lock.
    static let idleWait = 30_000
    /// Between two tries to listen again.
    static let listenPause: Int32 = 1_000
    /// Prepared by one connection; the text of any other statement is sent each time.
    static let preparedMax = 256
    /// The bytes of a name: the server cuts a longer one.
    static let nameMax = DatabaseAddress.storeBytesMax
    /// PostgreSQL 13.
    static let oldestServer: Int64 = 130_000
}
#endif
