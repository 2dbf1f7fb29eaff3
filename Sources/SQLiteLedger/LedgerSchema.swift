import Basics
import DurableFiles
import SQLLedger

/// How SQLite keeps a ledger. `entries` is append-only by triggers.
enum LedgerSchema {
    /// - Parameter version: SQLite's `user_version`; another number only in tests of migrations.
    static func schema(_ version: Int = LedgerTables.version) -> DurableDatabase.Schema {
        DurableDatabase.Schema(
            applicationID: LedgerTables.applicationID, version: version,
            create: { db in
                for statement in LedgerTables.statements + triggers { try db.execute(statement) }
            },
            rebuild: LedgerRebuild.rebuild)
    }

    private static let triggers = [
        """
        CREATE TRIGGER entries_stay BEFORE UPDATE ON entries
        BEGIN SELECT raise(ABORT, 'entries are never changed'); END
        """,
        """
        CREATE TRIGGER entries_remain BEFORE DELETE ON entries
        BEGIN SELECT raise(ABORT, 'entries are never removed'); END
        """,
    ]
}
