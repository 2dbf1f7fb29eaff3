/// The tables of a ledger, as SQLite creates them. `entries` is the record; `attachments` holds the
/// texts its entries refer to by digest. All other tables can be rebuilt from `entries`.
package enum LedgerTables {
    /// "SFLG" in ASCII: a database says with it that it is a ledger.
    package static let applicationID: Int32 = 0x5346_4C47
    /// Increase it when a table changes, or the rows that `LedgerFold` makes of an entry; ledgers of
    /// an earlier version are then migrated.
    package static let version = 4

    /// The statements that create tables and indexes, in order. Their types are INTEGER, TEXT and
    /// BLOB; another database has others in their place.
    package static let statements = tables + OutboxTable.statements

    /// In `entries`, the account '' is the whole store, and that of `EntryCoding.column` the outbox:
    /// an account's feed reads two ranges of one index, and the last position in a range is its
    /// stream's version. `next_number` is the transaction counter after the entry. A purchase should
    /// change few pages: SQLite writes each changed page whole to the log.
    private static let tables = [
        """
        CREATE TABLE entries (
          position INTEGER PRIMARY KEY, account TEXT NOT NULL, device TEXT,
          number INTEGER, is_new_number INTEGER NOT NULL, recorded_at INTEGER NOT NULL,
          effective_at INTEGER NOT NULL, kind INTEGER NOT NULL, body BLOB NOT NULL,
          next_number INTEGER NOT NULL)
        """,
        "CREATE INDEX entries_by_account ON entries (account, position)",
        """
        CREATE TABLE transactions (
          account TEXT NOT NULL, id INTEGER NOT NULL, position INTEGER NOT NULL,
          kind INTEGER NOT NULL, product TEXT NOT NULL, subscription_group TEXT,
          state_position INTEGER, is_revoked INTEGER NOT NULL, is_deleted INTEGER NOT NULL,
          share_chain INTEGER, PRIMARY KEY (account, id)) WITHOUT ROWID
        """,
        // For the operator, who names a transaction without its account.
        "CREATE UNIQUE INDEX transactions_by_id ON transactions (id)",
        """
        CREATE INDEX transactions_lasting ON transactions (account, id)
        WHERE kind <> \(KindCode.consumable.rawValue) AND is_revoked = 0
        """,
        """
        CREATE INDEX transactions_owned ON transactions (account, product, id)
        WHERE kind = \(KindCode.nonConsumable.rawValue) AND is_revoked = 0
        AND share_chain IS NULL
        """,
        """
        CREATE INDEX transactions_subscribed
        ON transactions (account, subscription_group, position)
        WHERE subscription_group IS NOT NULL AND is_deleted = 0 AND share_chain IS NULL
        """,
        """
        CREATE INDEX transactions_shared ON transactions (account, share_chain, position)
        WHERE subscription_group IS NOT NULL AND is_deleted = 0 AND share_chain IS NOT NULL
        """,
        // Entries written by a newer program, or damaged; normally none.
        """
        CREATE INDEX entries_unknown ON entries (account)
        WHERE kind > \(EntryCoding.lastKnownKind)
        """,
        """
        CREATE TABLE subscriptions (
          chain INTEGER PRIMARY KEY, account TEXT NOT NULL, auto_renews INTEGER NOT NULL,
          ordinal INTEGER NOT NULL, latest INTEGER NOT NULL, previous INTEGER,
          state_position INTEGER)
        """,
        // At most one item of each kind for a chain.
        """
        CREATE TABLE due (
          chain INTEGER NOT NULL, kind INTEGER NOT NULL, period INTEGER NOT NULL,
          account TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (chain, kind)) WITHOUT ROWID
        """,
        "CREATE INDEX due_by_time ON due (at, chain)",
        "CREATE INDEX due_by_account ON due (account, at, chain)",
        "CREATE TABLE payments (id BLOB PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID",
        """
        CREATE TABLE unfinished (
          account TEXT NOT NULL, id INTEGER NOT NULL, device TEXT,
          PRIMARY KEY (account, id)) WITHOUT ROWID
        """,
        """
        CREATE TABLE requests (
          number INTEGER PRIMARY KEY, account TEXT NOT NULL, position INTEGER NOT NULL,
          is_pending INTEGER NOT NULL, answer_position INTEGER)
        """,
        "CREATE INDEX requests_pending ON requests (number) WHERE is_pending = 1",
        "CREATE INDEX requests_of_account ON requests (account, number) WHERE is_pending = 1",
        // Customers' refund requests that the operator has not answered.
        """
        CREATE TABLE refund_requests (
          transaction_id INTEGER PRIMARY KEY, position INTEGER NOT NULL)
        """,
        """
        CREATE TABLE accounts (
          name TEXT PRIMARY KEY, territory TEXT NOT NULL, switches INTEGER NOT NULL,
          locale TEXT) WITHOUT ROWID
        """,
        "CREATE TABLE families (account TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID",
        """
        CREATE TABLE account_values (
          account TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL,
          PRIMARY KEY (account, key)) WITHOUT ROWID
        """,
        // One share for each transaction and family member.
        """
        CREATE TABLE shares (
          shared INTEGER NOT NULL, account TEXT NOT NULL, id INTEGER NOT NULL,
          chain INTEGER NOT NULL, PRIMARY KEY (shared, account)) WITHOUT ROWID
        """,
        // The tokens, user names and devices that accounts have paid with. `is_noticed` is 1 if as
        // many accounts use the same one as it takes for a notice to the operator.
        """
        CREATE TABLE account_uses (
          kind TEXT NOT NULL, subject TEXT NOT NULL, account TEXT NOT NULL,
          is_noticed INTEGER NOT NULL, PRIMARY KEY (kind, subject, account)) WITHOUT ROWID
        """,
        """
        CREATE INDEX account_uses_noticed ON account_uses (kind, subject, account)
        WHERE is_noticed = 1
        """,
        // The time of the first use of each id of `OperatorAction.extendAll`.
        """
        CREATE TABLE extensions (id BLOB PRIMARY KEY, asked_at INTEGER NOT NULL) WITHOUT ROWID
        """,
        // The introductory offers, codes and signatures that accounts have used.
        """
        CREATE TABLE offer_uses (
          subject TEXT NOT NULL, account TEXT NOT NULL, payment BLOB, transaction_id INTEGER,
          PRIMARY KEY (subject, account)) WITHOUT ROWID
        """,
        """
        CREATE INDEX offer_uses_of_transaction ON offer_uses (transaction_id)
        WHERE transaction_id IS NOT NULL
        """,
        "CREATE INDEX shares_of_chain ON shares (chain, account, id)",
        "CREATE TABLE faults (id INTEGER PRIMARY KEY, body BLOB NOT NULL)",
        """
        CREATE TABLE takings (
          currency TEXT PRIMARY KEY, milliunits INTEGER NOT NULL, sales INTEGER NOT NULL,
          refunded INTEGER NOT NULL)
        WITHOUT ROWID
        """,
        """
        CREATE TABLE sold_products (
          product TEXT PRIMARY KEY, kind INTEGER NOT NULL, subscription_group TEXT,
          is_hosted INTEGER NOT NULL) WITHOUT ROWID
        """,
        HistoryTable.create,
        "CREATE TABLE attachments (digest TEXT PRIMARY KEY, body BLOB NOT NULL)",
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID",
    ]
}
