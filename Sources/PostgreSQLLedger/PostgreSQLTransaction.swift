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
            let goesOn = try body(PostgreSQLRow(result: result, row: row, damage: damage))
            try damage.check()
            guard goesOn else { return }
        }
    }

    func run(_ sql: String, _ arguments: [SQLArgument]) throws {
        try connection.queue(sql, arguments)
    }
}
#endif
