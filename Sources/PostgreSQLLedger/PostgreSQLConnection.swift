#if PostgreSQL
import Basics
import CPostgreSQL
import Glibc
import StoreModel

/// One connection to a server, in libpq's pipeline mode: statements are queued, and sent and
/// answered together in one round trip. Every wait is bounded (`PostgreSQLLimits`). Used by one
/// thread at a time; after a lost connection it throws at every call.
final class PostgreSQLConnection {
    /// A statement whose answer has not arrived.
    private struct Sent {
        /// The text to remember as prepared; nil for a statement that was run.
        var prepares: String?
        var check: ((PostgreSQLResult) throws -> Void)?
    }

    private let connection: OpaquePointer
    private let address: PostgreSQLAddress
    private let warnings = Warnings()
    private var sent: [Sent] = []
    /// How often `sent` was ended: each end is told apart from the answers.
    private var ends = 0
    /// The names of prepared statements by their texts.
    private var names: [String: String] = [:]
    private var preparedCount = 0
    /// Whether `COMMIT` may have been carried out: a lost connection then leaves the outcome open.
    private(set) var isCommitting = false

    /// Connects, with UTF-8 as the encoding.
    ///
    /// - Throws: a lost `PostgreSQLFailure` if the server cannot be reached or refuses.
    init(_ address: PostgreSQLAddress) throws {
        connection = try PostgreSQLBeginning.connection(to: address)
        self.address = address
        // libpq would write them to standard error.
        PQsetNoticeReceiver(
            connection, { Warnings.receive($0, $1) }, Unmanaged.passUnretained(warnings).toOpaque())
        PQsetnonblocking(connection, 1)
        PQenterPipelineMode(connection)
    }

    deinit { PQfinish(connection) }

    /// Whether the connection can be used for another transaction.
    var isIdle: Bool {
        PQstatus(connection) == CONNECTION_OK && PQtransactionStatus(connection) == PQTRANS_IDLE
            && sent.isEmpty
    }

    /// The number of the server's process, as the beginning of the connection told it: a pooler tells
    /// one of its own.
    var process: Int64 { Int64(PQbackendPID(connection)) }

    /// Another connection to the same address.
    func another() throws -> PostgreSQLConnection { try PostgreSQLConnection(address) }

    // MARK: - Statements

    /// Queues a statement without waiting for its answer. An error of it is thrown by the next
    /// `answer`.
    ///
    /// - Parameters:
    ///   - isKept: whether the server keeps it prepared.
    ///   - check: gets the answer before those of later statements are looked at.
    func queue(
        _ sql: String, _ arguments: [SQLArgument] = [], isKept: Bool = true,
        check: ((PostgreSQLResult) throws -> Void)? = nil
    ) throws {
        let values = PostgreSQLArguments(arguments)
        let name = isKept ? try preparedName(sql, values) : nil
        let count = Int32(arguments.count)
        let isQueued = values.withPointers { pointers, lengths, formats in
            if let name {
                PQsendQueryPrepared(connection, name, count, pointers, lengths, formats, 1)
            } else {
                PQsendQueryParams(
                    connection, PostgreSQLText.statement(sql), count, values.types, pointers,
                    lengths, formats, 1)
            }
        }
        guard isQueued == 1 else { throw lost() }
        sent.append(Sent(prepares: nil, check: check))
    }

    /// Nil for those beyond the number of statements that are kept: their text is sent each time.
    private func preparedName(_ sql: String, _ values: PostgreSQLArguments) throws -> String? {
        if let known = names[sql] { return known }
        guard names.count < PostgreSQLLimits.preparedMax else { return nil }
        preparedCount += 1
        let name = "s\(preparedCount)"
        let text = PostgreSQLText.statement(sql)
        let isQueued = PQsendPrepare(
            connection, name, text, Int32(values.types.count), values.types)
        guard isQueued == 1 else { throw lost() }
        names[sql] = name
        sent.append(Sent(prepares: sql, check: nil))
        return name
    }

    /// Sends all queued statements and waits for their answers. The answer is that of the last one.
    ///
    /// - Throws: the first error of a statement or of its check, after all answers have arrived; a
    ///   lost `PostgreSQLFailure`.
    func answer() throws -> PostgreSQLResult? {
        try send()
        var (index, last, failure) = (0, nil as PostgreSQLResult?, nil as (any Error)?)
        var hasAnswer = false
        while true {
            guard let result = try next() else {
                // The end of one statement's answers.
                guard hasAnswer else { throw lost() }
                hasAnswer = false
                index += 1
                continue
            }
            if result.status == PGRES_PIPELINE_SYNC {
                ends -= 1
                if ends == 0 { break }
                continue
            }
            guard index < sent.count else { throw lost() }
            hasAnswer = true
            do { try look(at: result, of: sent[index], after: failure) } catch {
                if (error as? PostgreSQLFailure)?.isLost == true {
                    // The server ended before it came to the last statement.
                    if index + 1 < sent.count, result.errorField("V") != nil {
                        isCommitting = false
                    }
                    throw error
                }
                failure = failure ?? error
            }
            last = result
        }
        sent = []
        if let failure { throw failure }
        return last
    }

    private func send() throws {
        guard PQpipelineSync(connection) == 1 else { throw lost() }
        ends += 1
    }

    private func look(
        at result: PostgreSQLResult, of statement: Sent, after failure: (any Error)?
    ) throws {
        switch result.status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK:
            if failure == nil { try statement.check?(result) }
        case PGRES_PIPELINE_ABORTED:
            if let sql = statement.prepares { names[sql] = nil }
        default:
            if let sql = statement.prepares { names[sql] = nil }
            let message = result.errorField("M") ?? lost().message
            // The server ends the connection with such an error.
            let isEnd = ["FATAL", "PANIC"].contains(result.errorField("V") ?? "FATAL")
            if isEnd { throw PostgreSQLFailure.lost(address.withoutPassword(message)) }
            throw PostgreSQLFailure(
                state: result.errorField("C"), message: address.withoutPassword(message))
        }
    }

    /// Queues a statement, and waits for its answer and those of all queued before.
    @discardableResult
    func run(
        _ sql: String, _ arguments: [SQLArgument] = [], isKept: Bool = true
    ) throws -> PostgreSQLResult {
        try queue(sql, arguments, isKept: isKept)
        guard let result = try answer() else { throw lost() }
        return result
    }

    /// The rows of a query that the server does not keep prepared.
    func rows(_ sql: String, _ arguments: [SQLArgument] = []) throws -> [PostgreSQLRow] {
        let result = try run(sql, arguments, isKept: false)
        let damage = PostgreSQLDamage()
        return (0..<result.count).map { PostgreSQLRow(result: result, row: $0, damage: damage) }
    }

    /// Begins a transaction with the first statement that is waited for.
    func begin(isReading: Bool = false) throws {
        isCommitting = false
        let level = isReading ? "REPEATABLE READ READ ONLY" : "READ COMMITTED"
        try queue("BEGIN ISOLATION LEVEL \(level)", isKept: false)
    }

    /// Ends the transaction: what was queued and `COMMIT`, in one round trip.
    ///
    /// - Throws: `PostgreSQLUnknownCommit` where the server says that a standby may not have it.
    func commit() throws {
        warnings.clear()
        isCommitting = true
        let result = try run("COMMIT", isKept: false)
        guard result.command == "COMMIT" else {
            throw PostgreSQLFailure(state: "25P02", message: "the transaction was rolled back")
        }
        if let warning = warnings.first {
            throw PostgreSQLUnknownCommit(cause: address.withoutPassword(warning))
        }
    }

    /// Takes the transaction back, as far as the connection still allows that.
    func rollBack() {
        _ = try? answer()
        _ = try? run("ROLLBACK", isKept: false)
    }

    /// Ends a transaction that has only read. It does not wait: the answer is looked at with the next
    /// one.
    func endReading() throws {
        try queue("COMMIT", isKept: false)
        try send()
    }

    // MARK: - Notifications

    /// Waits until a notification arrives, or until `stop` can be read.
    ///
    /// - Returns: the texts of the notifications; nil for `stop`.
    func notifications(orStop stop: Int32) throws -> [String]? {
        while true {
            var found: [String] = []
            while let notification = PQnotifies(connection) {
                found.append(notification.pointee.extra.map { String(cString: $0) } ?? "")
                PQfreemem(notification)
            }
            if !found.isEmpty { return found }
            guard PQstatus(connection) == CONNECTION_OK else { throw lost() }
            var descriptors = [
                pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0),
                pollfd(fd: stop, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&descriptors, 2, -1) > 0 else { continue }
            if descriptors[1].revents != 0 { return nil }
            guard PQconsumeInput(connection) == 1 else { throw lost() }
        }
    }

    // MARK: - Waiting

    /// Nil at the end of one statement's answers.
    private func next() throws -> PostgreSQLResult? {
        while true {
            let flushed = PQflush(connection)
            guard flushed >= 0 else { throw lost() }
            guard PQisBusy(connection) == 1 else { break }
            let events = flushed == 1 ? POLLIN | POLLOUT : POLLIN
            guard
                PostgreSQLBeginning.isReady(
                    connection, for: Int16(events), within: address.silence)
            else { throw PostgreSQLFailure.noAnswer }
            // After the end of a connection libpq still returns what had arrived, then its error.
            guard PQconsumeInput(connection) == 1 else { break }
        }
        return PQgetResult(connection).map { PostgreSQLResult($0) }
    }

    /// The connection was lost, for the reason that libpq tells.
    private func lost() -> PostgreSQLFailure { .lost(connection, address) }
}

/// The warnings that a server sends with its answers.
private final class Warnings {
    private(set) var first: String?

    func clear() { first = nil }

    /// libpq's notice receiver.
    static func receive(_ context: UnsafeMutableRawPointer?, _ notice: OpaquePointer?) {
        guard let context, let notice,
            let severity = PQresultErrorField(notice, Int32(UInt8(ascii: "V"))),
            String(cString: severity) == "WARNING"
        else { return }
        let message = PQresultErrorField(notice, Int32(UInt8(ascii: "M")))
        let warnings = Unmanaged<Warnings>.fromOpaque(context).takeUnretainedValue()
        warnings.first = warnings.first ?? message.map { String(cString: $0) } ?? "a warning"
    }
}
#endif
