import BenchTable
import Foundation
import GRDBSQLite
import SQLLedger
import SQLiteLedger
import StoreEngine
import StoreModel

/// The time of renewals: a year of monthly ones on disk, compared with prepared inserts of the same
/// rows; and opening a store with many subscribers in which nothing is due.
///
/// A year of 100,000 subscribers takes minutes: `storefront-bench --renewals NAME 100000 1y`
/// measures only that, and `--renewals NAME 100000 10y P1Y` measures a million yearly renewals and
/// their memory.
enum RenewalBench {
    private static let subscribers = 5_000

    static func run(_ table: inout Table) async throws {
        try await year(subscribers, BenchStore("renewing"), &table)
        try await everyState(&table)
        try await opening(&table)
    }

    static func run(_ words: [String]) async throws {
        guard words.count >= 3, let count = Int(words[1]),
            let span = SubscriptionPeriod(iso8601: "P" + words[2].uppercased()),
            let period = SubscriptionPeriod(iso8601: words.count > 3 ? words[3] : "P1M")
        else { return print("--renewals NAME SUBSCRIBERS 10Y [P1Y]") }
        let store = try await BenchStore(words[0])
        try await subscribe(count, store.ledger, period)
        let first = try await store.ledger.head().position
        let begin = Self.memory()
        let seconds = try await Measure.seconds { try await renew(store, for: span) }
        let renewals = try await store.ledger.head().position - first
        let inserts = try Baseline.seconds(of: store.folder + "/store.sqlite", after: first)
        let each = Double(renewals)
        print(
            "\(renewals) renewals of \(count) subscribers in \(Int(seconds)) s, "
                + "\(Int(each / seconds)) a second; the same rows inserted "
                + "in \(Int(inserts)) s, ratio \(inserts / seconds); memory before "
                + "\(begin) MiB, at most \(Self.memory()) MiB")
        BenchFolder.removeAll()
    }

    /// The peak, in MiB (`VmHWM` of /proc/self/status).
    private static func memory() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) / 1_024
    }

    // MARK: - A year

    private static func year(
        _ count: Int, _ store: BenchStore, _ table: inout Table
    ) async throws {
        try await subscribe(count, store.ledger, SubscriptionPeriod(unit: .month, value: 1))
        let first = try await store.ledger.head().position
        let span = SubscriptionPeriod(unit: .year, value: 1)
        let seconds = try await Measure.seconds { try await renew(store, for: span) }
        let renewals = Double(try await store.ledger.head().position - first)
        let inserts = try Baseline.seconds(of: store.folder + "/store.sqlite", after: first)
        table.add(
            "a year of monthly renewals, \(count) subscribers, beside inserts of the same rows",
            renewals / seconds, renewals / inserts, unit: "/s", ratio: inserts / seconds,
            goal: .atLeast(0.25))
    }

    /// The first periods begin now.
    private static func subscribe(
        _ count: Int, _ ledger: SQLiteLedger, _ period: SubscriptionPeriod
    ) async throws {
        let now = Timestamp(Date())
        let price = Money(milliunits: 990, currency: "USD")
        for start in stride(from: 0, to: count, by: 5_000) {
            let decisions = (start..<min(start + 5_000, count)).map { number in
                let payment = PaymentID(UUID())
                let term = SubscriptionTerm(
                    period: period, rate: .realTime, anchor: now, index: 0, ordinal: 1)
                let sale = Sale(
                    cause: .payment(payment, shownPrice: price), productID: BenchStore.plan,
                    type: .autoRenewable, groupID: BenchStore.group, purchaseDate: now,
                    expiresDate: term.end, storefront: "USA", price: price, term: term)
                return Decision(
                    reads: [:], newPayments: [payment],
                    entries: [
                        Entry(
                            account: AccountName("plan-\(number)"), device: "phone",
                            effectiveAt: now, number: .next, fact: .sold(sale))
                    ])
            }
            _ = try await ledger.append(decisions, at: now)
        }
    }

    private static func renew(_ store: BenchStore, for span: SubscriptionPeriod) async throws {
        _ = try await store.engine.storeOperator.perform(.clock(.advance(.calendar(span))))
    }

    // MARK: - A demo store

    /// A few subscriptions in every state, in one move of the clock over a year.
    private static func everyState(_ table: inout Table) async throws {
        let store = try await BenchStore("every state")
        let console = store.engine.storeOperator
        var ids: [TransactionID] = []
        for number in 0..<10 {
            let session = store.session(AccountName("state-\(number)"))
            let bought = try await session.purchase(BenchStore.payment(BenchStore.plan))
            if case .purchased(_, let id, _) = bought { ids.append(id) }
        }
        guard ids.count == 10 else { return }
        _ = try await console.perform(
            .setRenewals(RenewalsChange(failsBilling: true, hasGracePeriod: true)))
        for span in ["P1M", "P3D"].compactMap({ SubscriptionPeriod(iso8601: $0) }) {
            _ = try await console.perform(.clock(.advance(.calendar(span))))
        }
        for id in ids[..<6] { _ = try await console.perform(.resolveBilling(id)) }
        for action in [
            OperatorAction.setAutoRenew(ids[0], false), .expire(ids[1]),
            .extend(ids[2], days: 30), .priceIncrease(ids[3], .ask), .cancelSubscription(ids[4]),
            .setAutoRenew(ids[6], false),
        ] { _ = try await console.perform(action) }
        let span = SubscriptionPeriod(unit: .year, value: 1)
        let seconds = try await Measure.seconds { try await renew(store, for: span) }
        table.add(
            "clock advance 1y with subscriptions in every state, beside 100 ms", seconds * 1_000,
            100, unit: "ms", ratio: seconds * 10, goal: .atMost(1))
    }

    // MARK: - Opening

    private static func opening(_ table: inout Table) async throws {
        let month = SubscriptionPeriod(unit: .month, value: 1)
        let few = try await BenchStore("few subscribers")
        try await subscribe(1_000, few.ledger, month)
        let many = try await BenchStore("many subscribers")
        try await subscribe(100_000, many.ledger, month)
        try await BenchStore.compare(
            "open beside 100000 subscribers with nothing due, not 1000",
            try await few.reopened(), try await many.reopened(), &table, times: 60
        ) { store in
            {
                let ledger = try SQLiteLedger(path: store.folder + "/store.sqlite")
                let engine = try await BenchStore.engine(on: ledger, keys: store.keys)
                _ = try await engine.storeOperator.clock()
            }
        }
    }
}

/// A ledger's rows after a position, inserted again into a file with the same tables, indexes and
/// settings: prepared statements in C, with as many entries per commit as the store's.
private enum Baseline {
    private static let entriesACommit: Int64 = 256

    /// The rows that belong to a range of positions, by table. The rows of subscriptions and due
    /// items, which renewals replace, are left out.
    private static let tables = [
        ("entries", "SELECT * FROM entries WHERE position > ?1 AND position <= ?2"),
        ("transactions", "SELECT * FROM sold WHERE position > ?1 AND position <= ?2"),
        ("history", "SELECT * FROM happened WHERE position > ?1 AND position <= ?2"),
        (
            "unfinished",
            """
            SELECT waiting.* FROM sold JOIN unfinished AS waiting
            ON waiting.account = sold.account AND waiting.id = sold.id
            WHERE sold.position > ?1 AND sold.position <= ?2
            """
        ),
    ]

    /// Without reading the rows.
    static func seconds(of path: String, after first: Int64) throws -> Double {
        let copy = path + ".baseline"
        try? FileManager.default.removeItem(atPath: copy)
        var source: OpaquePointer?
        var target: OpaquePointer?
        defer {
            sqlite3_close(source)
            sqlite3_close(target)
        }
        sqlite3_open(path, &source)
        sqlite3_open(copy, &target)
        for pragma in ["journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 4000"] {
            run("PRAGMA " + pragma, target)
        }
        // The triggers are checks of the store, which the baseline leaves out.
        let schema = rows(
            source,
            """
            SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND type IN ('table', 'index')
            AND name NOT LIKE 'sqlite_%' ORDER BY type DESC
            """, [])
        for row in schema { if case .text(let sql)? = row.first { run(sql, target) } }
        guard
            case .integer(let last)? = rows(source, "SELECT max(position) FROM entries", [])
                .first?.first
        else { return 0 }
        for (name, table) in [("sold", "transactions"), ("happened", "history")] {
            run(
                "CREATE TEMP TABLE \(name) AS SELECT * FROM \(table) WHERE position > \(first)",
                source)
            run("CREATE INDEX temp.\(name)_position ON \(name) (position)", source)
        }
        var seconds = 0.0
        var from = first
        while from < last {
            let until = min(from + entriesACommit, last)
            var page: [(table: String, rows: [[Value]])] = []
            for (table, query) in tables {
                page.append((table, rows(source, query, [from, until])))
            }
            let clock = ContinuousClock()
            let start = clock.now
            run("BEGIN IMMEDIATE", target)
            for (table, rows) in page { insert(rows, into: table, target) }
            run("COMMIT", target)
            seconds += start.duration(to: clock.now) / .seconds(1)
            from = until
        }
        return seconds
    }

    private enum Value {
        case null
        case integer(Int64)
        case text(String)
        case blob([UInt8])
    }

    private static func rows(
        _ database: OpaquePointer?, _ sql: String, _ values: [Int64]
    ) -> [[Value]] {
        var statement: OpaquePointer?
        sqlite3_prepare_v2(database, sql, -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        for (index, value) in values.enumerated() {
            sqlite3_bind_int64(statement, Int32(index + 1), value)
        }
        var found: [[Value]] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            found.append(
                (0..<sqlite3_column_count(statement)).map { column in
                    switch sqlite3_column_type(statement, column) {
                    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
                    case SQLITE_TEXT:
                        .text(String(cString: sqlite3_column_text(statement, column)))
                    case SQLITE_BLOB:
                        .blob(
                            Array(
                                UnsafeRawBufferPointer(
                                    start: sqlite3_column_blob(statement, column),
                                    count: Int(sqlite3_column_bytes(statement, column)))))
                    default: .null
                    }
                })
        }
        return found
    }

    private static func insert(
        _ rows: [[Value]], into table: String, _ database: OpaquePointer?
    ) {
        guard let columns = rows.first?.count else { return }
        let marks = Array(repeating: "?", count: columns).joined(separator: ", ")
        var statement: OpaquePointer?
        sqlite3_prepare_v2(
            database, "INSERT INTO \(table) VALUES (\(marks))", -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        for row in rows {
            for (column, value) in row.enumerated() {
                let index = Int32(column + 1)
                switch value {
                case .null: sqlite3_bind_null(statement, index)
                case .integer(let number): sqlite3_bind_int64(statement, index, number)
                case .text(let text): sqlite3_bind_text(statement, index, text, -1, transient)
                case .blob(let bytes):
                    sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), transient)
                }
            }
            let result = sqlite3_step(statement)
            precondition(result == SQLITE_DONE, "the baseline's own insert failed: \(table)")
            sqlite3_reset(statement)
        }
    }

    private static func run(_ sql: String, _ database: OpaquePointer?) {
        let result = sqlite3_exec(database, sql, nil, nil, nil)
        precondition(result == SQLITE_OK, "the baseline's own statement failed: \(sql)")
    }
}
