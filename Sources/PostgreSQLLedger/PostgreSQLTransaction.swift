#if PostgreSQL
import Basics

/// Runs the ledger's statements inside one open transaction; not valid after it. A statement that
/// returns no rows is only queued: it travels with the next query, or with the commit.
struct PostgreSQLTransaction: SQLTransaction {
    let connection: PostgreSQLConnection

    var dialect: SQLDialect { .postgreSQL }

    func step(
        _ sql: String, _ arguments: [SQLArgument], body: (any SQLRow) throws -> Bool
    ) throws {
        let result = try connection.run(sql, arguments)
        let damage = PostgreSQLDamage()
        for row in 0..<result.count {
            let wantsMore = try body(PostgreSQLRow(result: result, row: row, damage: damage))
            try damage.check()
            guard wantsMore else { return }
        }
    }

    /// In one round trip.
    func step(
        _ sql: String, each lists: [[SQLArgument]], body: (Int, any SQLRow) throws -> Void
    ) throws {
        guard !lists.isEmpty else { return }
        var results: [PostgreSQLResult] = []
        for arguments in lists {
            try connection.queue(sql, arguments, check: { results.append($0) })
        }
        _ = try connection.answer()
        let damage = PostgreSQLDamage()
        for (index, result) in results.enumerated() {
            for row in 0..<result.count {
                try body(index, PostgreSQLRow(result: result, row: row, damage: damage))
                try damage.check()
            }
        }
    }

    func run(_ sql: String, _ arguments: [SQLArgument]) throws {
        try connection.queue(sql, arguments)
    }
}
#endif
