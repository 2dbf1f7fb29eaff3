import Basics
import DurableFiles
import StoreModel

/// The tables of a device's database, and the migrations that create them.
enum DeviceSchema {
    /// "SFDB", in the file's header.
    static let applicationID: Int32 = 0x5346_4442

    static let schema = DurableDatabase.Schema(
        applicationID: applicationID,
        migrations: [
            DurableDatabase.Migration(1) { db in
                for statement in firstTables { try db.execute(statement) }
                _ = try DeviceRecords(db).sealKey()
            },
            // What this device's processes tell each other's readers (`DeviceAnnouncement`).
            DurableDatabase.Migration(2) { db in
                try db.execute(
                    """
                    CREATE TABLE announcements (
                      number INTEGER PRIMARY KEY, payment TEXT UNIQUE, body BLOB NOT NULL)
                    """)
            },
            // The reports that the app's own backend is to get (`DeviceRecords.reports`). A row without
            // a text is about a delivery from before the backend was set. Numbers are never given
            // again, so that a report that is removed late removes no other.
            DurableDatabase.Migration(3) { db in
                try db.execute(
                    """
                    CREATE TABLE reports (
                      number INTEGER PRIMARY KEY AUTOINCREMENT, id INTEGER NOT NULL, signed TEXT)
                    """)
            },
        ])

    /// Never edited: later changes are migrations.
    private static let firstTables = [
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
        "CREATE TABLE queue (id BLOB PRIMARY KEY, queued_at INTEGER NOT NULL, body BLOB NOT NULL)",
        // The primary key prevents a second delivery of a transaction. `as_of` is the feed position
        // as of which the transaction was last confirmed to belong to this device. A row whose seal
        // does not fit was altered (`DeliverySeal`).
        """
        CREATE TABLE deliveries (
          id INTEGER PRIMARY KEY, product TEXT NOT NULL, kind TEXT NOT NULL,
          quantity INTEGER NOT NULL, unit TEXT, amount INTEGER NOT NULL,
          delivered_at INTEGER NOT NULL, is_void INTEGER NOT NULL, signed TEXT NOT NULL,
          as_of INTEGER NOT NULL, seal BLOB)
        """,
        "CREATE INDEX deliveries_by_product ON deliveries (product, id)",
        // For all purchases of non-renewing subscriptions.
        """
        CREATE INDEX deliveries_timed ON deliveries (id)
        WHERE kind = '\(ProductType.nonRenewing.rawValue)'
        """,
        "CREATE TABLE balances (unit TEXT PRIMARY KEY, amount INTEGER NOT NULL) WITHOUT ROWID",
        """
        CREATE TABLE downloads (
          product TEXT NOT NULL, content TEXT NOT NULL, transaction_id INTEGER NOT NULL,
          version TEXT NOT NULL, length INTEGER NOT NULL, state TEXT NOT NULL, error BLOB,
          PRIMARY KEY (product, content)) WITHOUT ROWID
        """,
        """
        CREATE TABLE spends (
          id BLOB PRIMARY KEY, unit TEXT NOT NULL, amount INTEGER NOT NULL,
          reason TEXT NOT NULL, spent_at INTEGER NOT NULL)
        """,
        // The newest state of each transaction that changed after its sale, whether or not the
        // transaction was delivered here.
        """
        CREATE TABLE revisions (
          id INTEGER PRIMARY KEY, revision INTEGER NOT NULL,
          taken_back INTEGER NOT NULL, is_deleted INTEGER NOT NULL, signed TEXT)
        """,
        // Events of this device that are not in the store's ledger.
        """
        CREATE TABLE log (
          number INTEGER PRIMARY KEY, at INTEGER NOT NULL, body BLOB NOT NULL)
        """,
        // Up to where content files were read, in the order in which they were last used.
        """
        CREATE TABLE reading_places (
          used INTEGER PRIMARY KEY, product TEXT NOT NULL, content TEXT NOT NULL,
          path TEXT NOT NULL, byte_offset INTEGER NOT NULL,
          UNIQUE (product, content, path))
        """,
    ]
}
