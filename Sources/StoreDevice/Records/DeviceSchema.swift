import DurableFiles
import StoreModel

/// What a phone remembers.
enum DeviceSchema {
    /// "SFDV", in the file's header.
    static let applicationID: Int32 = 0x5346_4456

    static let schema = DurableDatabase.Schema(
        applicationID: applicationID,
        migrations: [
            DurableDatabase.Migration(1) { db in
                for statement in firstTables { try db.execute(statement) }
            },
            // The newest state of transactions that changed after their sale, delivered here or not;
            // what was spent here; every purchase of what lasts for a time.
            DurableDatabase.Migration(2) { db in
                try db.execute(
                    """
                    CREATE TABLE spends (
                      id BLOB PRIMARY KEY, unit TEXT NOT NULL, amount INTEGER NOT NULL,
                      reason TEXT NOT NULL, spent_at INTEGER NOT NULL)
                    """)
                try db.execute(
                    """
                    CREATE INDEX deliveries_timed ON deliveries (id)
                    WHERE kind = '\(ProductType.nonRenewing.rawValue)'
                    """)
                try db.execute(
                    """
                    CREATE TABLE revisions (
                      id INTEGER PRIMARY KEY, revision INTEGER NOT NULL,
                      taken_back INTEGER NOT NULL, is_deleted INTEGER NOT NULL, signed TEXT)
                    """)
            },
        ])

    /// As version 0.1.0 made them; what changed since then is a migration of its own.
    private static let firstTables = [
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
        "CREATE TABLE queue (id BLOB PRIMARY KEY, queued_at INTEGER NOT NULL, body BLOB NOT NULL)",
        // What was granted, once: the key makes a second delivery impossible. `as_of` is the place
        // in the feed up to which this is known to be the device's own.
        """
        CREATE TABLE deliveries (
          id INTEGER PRIMARY KEY, product TEXT NOT NULL, kind TEXT NOT NULL,
          quantity INTEGER NOT NULL, unit TEXT, amount INTEGER NOT NULL,
          delivered_at INTEGER NOT NULL, is_void INTEGER NOT NULL, signed TEXT NOT NULL,
          as_of INTEGER NOT NULL)
        """,
        "CREATE INDEX deliveries_by_product ON deliveries (product, id)",
        "CREATE TABLE balances (unit TEXT PRIMARY KEY, amount INTEGER NOT NULL) WITHOUT ROWID",
        """
        CREATE TABLE downloads (
          product TEXT NOT NULL, content TEXT NOT NULL, transaction_id INTEGER NOT NULL,
          version TEXT NOT NULL, length INTEGER NOT NULL, state TEXT NOT NULL, error BLOB,
          PRIMARY KEY (product, content)) WITHOUT ROWID
        """,
    ]
}
