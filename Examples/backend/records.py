"""What this server knows, in SQLite. Amounts are in thousandths, dates in milliseconds, as signed."""
import hashlib
import secrets
import sqlite3
import threading
import time
import uuid
from contextlib import contextmanager

SCHEMA = """
CREATE TABLE IF NOT EXISTS users (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, salt BLOB NOT NULL, password BLOB,
    appAccountToken TEXT NOT NULL UNIQUE, list TEXT NOT NULL, consented INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS sessions (
    hash BLOB PRIMARY KEY, user INTEGER NOT NULL, platform TEXT NOT NULL);
-- Whose a purchase is, with all its renewals.
CREATE TABLE IF NOT EXISTS owners (originalTransactionId TEXT PRIMARY KEY, user INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS transactions (
    transactionId TEXT PRIMARY KEY, originalTransactionId TEXT NOT NULL, productId TEXT NOT NULL,
    type TEXT, quantity INTEGER, price INTEGER, currency TEXT, inAppOwnershipType TEXT,
    purchaseDate INTEGER, expiresDate INTEGER, isUpgraded INTEGER, revocationDate INTEGER,
    revocationType TEXT, revocationPercentage INTEGER, signedDate INTEGER NOT NULL);
CREATE INDEX IF NOT EXISTS chains ON transactions (originalTransactionId);
CREATE TABLE IF NOT EXISTS subscriptions (
    originalTransactionId TEXT PRIMARY KEY, productId TEXT, status INTEGER, autoRenewStatus INTEGER,
    autoRenewProductId TEXT, expirationIntent INTEGER, gracePeriodExpiresDate INTEGER,
    renewalDate INTEGER, renewalPrice INTEGER, currency TEXT, priceIncreaseStatus INTEGER,
    signedDate INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS notifications (
    notificationUUID TEXT PRIMARY KEY, type TEXT, subtype TEXT, signedDate INTEGER);
-- Changed by two texts of one instant: only the store can say which is the later.
CREATE TABLE IF NOT EXISTS doubts (transactionId TEXT PRIMARY KEY);
CREATE TABLE IF NOT EXISTS consumption (transactionId TEXT PRIMARY KEY, answered INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value);
"""
DAY = 24 * 60 * 60 * 1000
SUBSCRIPTION = "Auto-Renewable Subscription"


class NotYours(Exception):
    """A purchase that belongs to another user."""


def value(model, name):
    """A field of the library's models, which keep what they have no case for under another name."""
    raw = "raw" + name[0].upper() + name[1:]
    return getattr(model, raw if hasattr(model, raw) else name, None)


class Records:
    def __init__(self, path, clock="system", days=None):
        """`days`: how long a non-renewing subscription lasts, by product: the App Store does not sign it."""
        self.clock, self.days = clock, days or {}
        self.lock = threading.RLock()
        self.db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self.db.row_factory = sqlite3.Row
        self.db.execute("PRAGMA journal_mode = WAL")
        # An answer of 200 is a promise: what it says was received is on the disk.
        self.db.execute("PRAGMA synchronous = FULL")
        self.db.executescript(SCHEMA)

    @contextmanager
    def writing(self):
        """Everything in it is kept, or nothing."""
        with self.lock:
            self.db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.db.execute("COMMIT")
            except BaseException:
                self.db.execute("ROLLBACK")
                raise

    def rows(self, sql, *values):
        with self.lock:
            return self.db.execute(sql, values).fetchall()

    def row(self, sql, *values):
        return next(iter(self.rows(sql, *values)), None)

    def get(self, name, default=None):
        row = self.row("SELECT value FROM facts WHERE name = ?", name)
        return row["value"] if row else default

    def set(self, name, value):
        self.rows("INSERT OR REPLACE INTO facts VALUES (?, ?)", name, value)

    def now(self):
        """A store in rehearsal has a clock of its own: what it signed last says how late it is."""
        signed = self.get("clock", 0)
        return signed if self.clock == "store" and signed else max(signed, int(time.time() * 1000))

    # Users

    def log_in(self, name, password, platform="", consent=None):
        """The session's token; None if the password is wrong. The first one is the user's own."""
        with self.writing():
            user = self.user_named(name)
            hashed = hashlib.scrypt(password.encode(), salt=user["salt"], n=2**14, r=8, p=1)
            if user["password"] is None:
                self.rows("UPDATE users SET password = ? WHERE id = ?", hashed, user["id"])
            elif not secrets.compare_digest(hashed, user["password"]):
                return None
            if consent is not None:
                self.rows("UPDATE users SET consented = ? WHERE id = ?", consent is True, user["id"])
            token = secrets.token_urlsafe(24)
            self.rows("INSERT INTO sessions VALUES (?, ?, ?)",
                      self.digest(token), user["id"], platform)
        return token

    def user_named(self, name):
        """A new name is a new user, without a password until the first login."""
        self.rows("INSERT OR IGNORE INTO users VALUES (NULL, ?, ?, NULL, ?, ?, 0)",
                  name, secrets.token_bytes(16), str(uuid.uuid4()), self.list_for(name))
        return self.row("SELECT * FROM users WHERE name = ?", name)

    def user(self, token):
        return self.row("SELECT users.* FROM users JOIN sessions ON user = id WHERE hash = ?",
                        self.digest(token))

    @staticmethod
    def digest(token):
        return hashlib.sha256(token.encode()).digest()

    @staticmethod
    def list_for(name):
        """One half of the accounts sees list A, the other B, and each always the same."""
        return "AB"[hashlib.sha256(name.encode()).digest()[0] % 2]

    # What the store signed. Each of these is called while writing.

    def keep_notification(self, notification):
        """Whether it has not been here yet. A retry has the UUID of the first attempt."""
        self.told(notification)
        return self.db.execute(
            "INSERT OR IGNORE INTO notifications VALUES (?, ?, ?, ?)",
            (notification.notificationUUID, notification.rawNotificationType,
             notification.rawSubtype, notification.signedDate)).rowcount == 1

    def keep_transaction(self, transaction, user=None, account=None, certain=False):
        """Whether it is new. It must be the user's; the account has it only if nobody else does."""
        chain = transaction.originalTransactionId
        owner = self.row("SELECT user FROM owners WHERE originalTransactionId = ?", chain)
        named = self.row("SELECT id FROM users WHERE appAccountToken = ?",
                         str(transaction.appAccountToken or "").lower())
        owner = owner["user"] if owner else named["id"] if named else user
        if user and owner != user:
            raise NotYours
        if owner is None and account:
            owner = self.user_named(account)["id"]
        if owner:
            self.rows("INSERT OR IGNORE INTO owners VALUES (?, ?)", chain, owner)
        return self.keep("transactions", "transactionId", transaction, {}, certain)

    def keep_subscription(self, renewal, status, certain=False):
        self.keep("subscriptions", "originalTransactionId", renewal, {"status": status}, certain)

    def keep(self, table, key, model, more, certain):
        """Whether it is new. A state that was signed before the one that is known changes nothing.

        Of one instant the last to arrive is taken, and the store is asked, unless it said so itself.
        """
        self.told(model)
        columns = [each["name"] for each in self.rows(f"PRAGMA table_info({table})")]
        values = {each: value(model, each) for each in columns} | more
        values["signedDate"] = values["signedDate"] or 0
        known = self.row(f"SELECT * FROM {table} WHERE {key} = ?", values[key])
        if known and known["signedDate"] > values["signedDate"]:
            return False
        if known and known["signedDate"] == values["signedDate"] and not certain:
            if any(known[each] != values[each] for each in columns):
                self.rows("INSERT OR IGNORE INTO doubts VALUES (?)", values[key])
        self.rows(f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * len(columns))})",
                  *(values[each] for each in columns))
        return known is None

    def told(self, model):
        self.set("clock", max(self.get("clock", 0), model.signedDate or 0))

    def keep_consumption_request(self, transaction_id):
        self.rows("INSERT OR IGNORE INTO consumption VALUES (?, 0)", transaction_id)

    def answered(self, transaction_id):
        self.rows("UPDATE consumption SET answered = 1 WHERE transactionId = ?", transaction_id)

    def settle(self, transaction_id):
        self.rows("DELETE FROM doubts WHERE transactionId = ?", transaction_id)

    # What to ask the store about

    def latest_transaction(self):
        row = self.row("SELECT transactionId FROM transactions ORDER BY signedDate DESC LIMIT 1")
        return row and row["transactionId"]

    def doubtful(self):
        return [row["transactionId"] for row in self.rows("SELECT transactionId FROM doubts")]

    def silent_subscriptions(self):
        """Those whose paid time is over, and nothing was said since: renewed, failed or ended?"""
        return [row["chain"] for row in self.rows(
            "SELECT t.originalTransactionId AS chain, max(expiresDate) AS until, s.signedDate AS told "
            "FROM transactions t LEFT JOIN subscriptions s USING (originalTransactionId) "
            "WHERE type = ? AND revocationDate IS NULL "
            "GROUP BY chain HAVING until <= ? AND coalesce(told, 0) < until", SUBSCRIPTION, self.now())]

    def consumption_requests(self):
        return [row["transactionId"] for row in self.rows(
            "SELECT c.transactionId FROM consumption c JOIN transactions USING (transactionId) "
            "JOIN owners USING (originalTransactionId) JOIN users ON user = id "
            "WHERE answered = 0 AND consented = 1")]

    # What a user has

    def entitlements(self, user):
        """What a user may use now, on whichever platform: sums of consumables, the rest by date."""
        now, found, sums = self.now(), {}, {}
        for row in self.rows(
                "SELECT t.*, status, s.productId AS plan, gracePeriodExpiresDate FROM transactions t "
                "JOIN owners USING (originalTransactionId) "
                "LEFT JOIN subscriptions s USING (originalTransactionId) "
                "WHERE user = ? ORDER BY purchaseDate", user):
            product, until = row["productId"], row["expiresDate"]
            if product in self.days:
                until = row["purchaseDate"] + self.days[product] * DAY
            if row["type"] == "Consumable":
                sums[product] = sums.get(product, 0) + row["quantity"] * (1 - refunded_part(row))
                continue
            if row["status"] == 4 and product == row["plan"]:
                until = max(until, row["gracePeriodExpiresDate"] or 0)
            if not row["revocationDate"] and not row["isUpgraded"] and (not until or until > now):
                found[product] = {"productId": product, "until": until,
                                  "transactionId": row["transactionId"]}
        return list(found.values()) + [
            {"productId": product, "quantity": int(count)} for product, count in sums.items() if count]

    def subscriptions(self, user):
        """A user's subscriptions, each with the end of the last paid period."""
        return self.rows(
            "SELECT s.*, max(t.expiresDate) AS expiresDate FROM subscriptions s "
            "JOIN owners USING (originalTransactionId) "
            "JOIN transactions t USING (originalTransactionId) "
            "WHERE user = ? GROUP BY originalTransactionId", user)

    def sales(self):
        """Everything that was paid for, with the user's name and list where they are known."""
        return self.rows(
            "SELECT t.*, name, list, expirationIntent, status, gracePeriodExpiresDate "
            "FROM transactions t LEFT JOIN owners USING (originalTransactionId) "
            "LEFT JOIN users ON user = id LEFT JOIN subscriptions USING (originalTransactionId) "
            "WHERE coalesce(inAppOwnershipType, '') != 'FAMILY_SHARED' ORDER BY purchaseDate")


def refunded_part(row):
    """How much of a sale was given back, from 0 to 1."""
    if not row["revocationDate"] or row["revocationType"] == "FAMILY_REVOKE":
        return 0
    percentage = row["revocationPercentage"]
    return 1 if percentage is None else percentage / 100_000
