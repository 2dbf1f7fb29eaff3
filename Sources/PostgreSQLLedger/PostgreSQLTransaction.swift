#if PostgreSQL
import Basics

/// Runs the ledger's statements inside one open transaction; not valid after it. A statement that
/// returns no rows, and a query that is expected, are only queued: they travel with the next query, or
/// with the commit.
struct PostgreSQLTransaction: SQLTransaction {
    private struct Query: Hashable {
        var sql: String
        var arguments: [SQLArgument]
    }

    /// Of the queries since the last statement that wrote.
    private final class Answers {
        var asked: Set<Query> = []
        var results: [Query: PostgreSQLResult] = [:]

        func forget() {
            asked = []
            results = [:]
        }
    }

    private let connection: PostgreSQLConnection
    private let answers = Answers()
    /// Whether queries wait for their rows; else they are only asked, and give none.
    private var waits = true

    init(connection: PostgreSQLConnection) { self.connection = connection }

    var dialect: SQLDialect { .postgreSQL }

    func step(
        _ sql: String, _ arguments: [SQLArgument], body: (any SQLRow) throws -> Bool
    ) throws {
        let damage = PostgreSQLDamage()
        for result in try results(sql, [arguments]) {
            for row in 0..<result.count {
                let wantsMore = try body(PostgreSQLRow(result: result, row: row, damage: damage))
                try damage.check()
                guard wantsMore else { return }
            }
        }
    }

    /// In one round trip.
    func step(
        _ sql: String, each lists: [[SQLArgument]], body: (Int, any SQLRow) throws -> Void
    ) throws {
        let damage = PostgreSQLDamage()
        for (index, result) in try results(sql, lists).enumerated() {
            for row in 0..<result.count {
                try body(index, PostgreSQLRow(result: result, row: row, damage: damage))
                try damage.check()
            }
        }
    }

    func expect(_ body: (any SQLTransaction) throws -> Void) throws {
        var asking = self
        asking.waits = false
        try body(asking)
    }

    /// Forgets the answers so far: the statement may change what they tell.
    func run(_ sql: String, _ arguments: [SQLArgument]) throws {
        answers.forget()
        try connection.queue(sql, arguments)
    }

    /// Queues the query, unless that was done.
    private func ask(_ query: Query) throws {
        guard answers.asked.insert(query).inserted else { return }
        answers.results[query] = nil
        try connection.queue(
            query.sql, query.arguments, check: { [answers] in answers.results[query] = $0 })
    }

    /// One for each list; none where queries do not wait.
    private func results(
        _ sql: String, _ lists: [[SQLArgument]]
    ) throws -> [PostgreSQLResult] {
        let queries = lists.map { Query(sql: sql, arguments: $0) }
        for query in queries { try ask(query) }
        guard waits else { return [] }
        if queries.contains(where: { answers.results[$0] == nil }) {
            _ = try connection.answer()
        }
        let found = queries.compactMap { answers.results[$0] }
        guard found.count == queries.count else { throw PostgreSQLFailure.noAnswer }
        // A query is asked again the next time.
        for query in queries {
            answers.asked.remove(query)
            answers.results[query] = nil
        }
        return found
    }
}
#endif
