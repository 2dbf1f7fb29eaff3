#if PostgreSQL
import Foundation
import PostgreSQLLedger
import SQLLedger
import StoreEngine
import StoreModel
import StoreTestSupport
import TestBasics
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: PrivateServer.shared != nil, "no PostgreSQL server is installed")
) struct RoleTests {
    private let store: ServedStore

    init() throws {
        store = try ServedStore()
        try PostgreSQLStores(store.server.address()).create(store.schema)
        try store.sql("CREATE TABLE IF NOT EXISTS keys (body bytea)")
        let isNew = try PostgreSQLStores(store.server.address())
            .create(store.schema, withRoles: true)
        #expect(!isNew, "roles are made for a store that is there")
        for role in PostgreSQLRole.allCases {
            try store.server.sql(
                "CREATE ROLE \"\(login(role))\" LOGIN IN ROLE \"\(role.name(of: store.schema))\"")
        }
    }

    private func login(_ role: PostgreSQLRole) -> String { role.name(of: store.schema) + "_1" }

    private func code(_ work: () async throws -> Void) async -> StoreError.Code? {
        do { try await work() } catch { return (error as? StoreError)?.code }
        return nil
    }

    /// The refusal's first line; nil for a statement that is carried out.
    private func refusal(_ sql: String, _ role: PostgreSQLRole) throws -> String? {
        do {
            try store.sql("BEGIN; \(sql); ROLLBACK", as: login(role))
            return nil
        } catch let refusal as PrivateServer.Refusal {
            return refusal.output.split(separator: "\n").first.map(String.init) ?? ""
        }
    }

    @Test("a customer's role buys, finishes and asks, and is refused what the operator does")
    func customer() async throws {
        let shop = try await TestStore(ledger: store.open(as: login(.operator)))
        let mine = try await TestStore(ledger: store.open(as: login(.customer)), clock: shop.clock)
        let session = mine.session()
        let coins = try #require(
            try await session.purchase(.of(SampleCatalog.coins)).number)
        _ = try await session.finish(coins)
        _ = try await session.requestRefund(of: coins, reason: .other)
        try await session.setValue(AccountValue(key: "theme", value: "sepia"))
        try await session.noteCancelledPurchase(of: SampleCatalog.theme)
        _ = try await session.purchase(.of(SampleCatalog.monthly))
        let actions: [OperatorAction] = [
            .refund(coins, .rest, reason: .other), .clock(.stop),
            .declineRefund(coins), .delete(coins, wholeChain: false),
            .promote(SampleCatalog.theme, account: "aoi"),
        ]
        for action in actions {
            let refused = await code { _ = try await mine.console.perform(action) }
            #expect(refused == .storeReadOnly, "\(action)")
        }
        _ = try await shop.console.perform(.refund(coins, .rest, reason: .other))
        // A renewal that falls due is recorded by any engine.
        shop.clock.advance(byMilliseconds: 40 * 86_400_000)
        _ = try await session.subscriptionStatuses()
        let sold = try await mine.ledger.allRows().transactions.values
        #expect(sold.contains { $0.sale.cause == .renewal })
        #expect(
            try await Projections(folding: shop.entries()) == mine.ledger.allRows())
    }

    @Test("an auditor's role reads everything but private keys, and records nothing")
    func auditor() async throws {
        _ = try await TestStore(ledger: store.open(as: login(.operator))).session()
            .purchase(.of(SampleCatalog.coins))
        let ledger = try store.open(as: login(.auditor))
        #expect(try await ledger.allEntries() == store.open().allEntries())
        #expect(try await ledger.allRows() == store.open().allRows())
        #expect(
            await code { _ = try await ledger.append([.value("one")], at: .earliest) }
                == .storeReadOnly)
    }

    /// Whether only the operator may record it, and a number for each kind of fact.
    private func kind(_ fact: Entry.Fact) -> (isOperators: Bool, number: Int) {
        switch fact {
        case .storeOpened: (true, 0)
        case .catalogRevised: (true, 1)
        case .accountChanged: (false, 2)
        case .deferred: (false, 3)
        case .failed: (false, 4)
        case .sold(let sale): (sale.cause == .outsideApp, 5)
        case .finished: (false, 6)
        case .claimed: (false, 7)
        case .faultSet: (true, 8)
        case .faultSpent: (false, 9)
        case .faultsCleared: (true, 10)
        case .revised(let revision):
            switch revision.change {
            case .refunded, .deleted, .tokenSet: (true, 11)
            case .revoked, .refundReversed, .expiryMoved, .upgraded: (false, 11)
            }
        case .autoRenewChanged: (false, 12)
        case .clockSet: (true, 13)
        case .renewalsSet: (true, 14)
        case .unknown: (true, 15)
        case .refundRequested: (false, 16)
        case .refundDeclined: (true, 17)
        case .promoted: (true, 18)
        case .purchaseCancelled: (false, 19)
        case .familyChanged: (false, 20)
        case .subscriptionChanged: (false, 21)
        case .extensionAsked: (true, 22)
        case .valueChanged: (false, 23)
        case .extensionDone: (true, 24)
        case .consumptionAnswered: (true, 25)
        case .serverSet: (true, 26)
        case .outbox: (true, 27)
        case .moved: (true, 28)
        }
    }

    @Test("the database itself refuses a customer's role every kind of entry of the operator")
    func everyKind() async throws {
        let ledger = try store.open(as: login(.operator))
        try await LedgerConformance.recordEveryKind(in: ledger)
        let more: [Entry.Fact] = [
            .outbox(.queued([], through: 1)), .moved(.continued),
            .extensionAsked(
                ExtensionRequest(id: UUID(), productID: SampleCatalog.monthly, days: 3)),
            .unknown(kind: 99, body: Data("{}".utf8)),
        ]
        let entries = more.map {
            Entry(account: nil, device: nil, effectiveAt: .earliest, fact: $0)
        }
        _ = try await ledger.append([Decision(reads: [:], entries: entries)], at: .earliest)
        let recorded = try await ledger.allEntries()
        #expect(Set(recorded.map { kind($0.entry.fact).number }) == Set(0...28))
        for entry in recorded {
            let sql = """
                INSERT INTO entries
                SELECT (SELECT max(position) + 1 FROM entries), account, device, number,
                  is_new_number, recorded_at, effective_at, kind, body, next_number
                FROM entries WHERE position = \(entry.position)
                """
            #expect(try refusal(sql, .operator) == nil)
            let refused = try refusal(sql, .customer)
            let isRefused = refused?.contains("is for the store's operator") == true
            let name = "\(String(describing: entry.entry.fact).prefix(60)): \(refused ?? "")"
            #expect(isRefused == kind(entry.entry.fact).isOperators, "\(name)")
            #expect(isRefused || refused == nil, "\(name)")
            #expect(try refusal(sql, .auditor)?.contains("permission denied") == true)
        }
    }

    /// Of each role, whether it may: operator, customer, auditor.
    private static let statements: [(sql: String, may: [Bool])] = [
        ("SELECT count(*) FROM entries", [true, true, true]),
        ("SELECT count(*) FROM meta", [true, true, true]),
        ("SELECT count(*) FROM storefront_ledger", [true, true, true]),
        ("SELECT count(*) FROM keys", [true, true, false]),
        ("DELETE FROM keys", [true, false, false]),
        ("UPDATE entries SET account = 'kai'", [false, false, false]),
        ("DELETE FROM entries", [false, false, false]),
        ("TRUNCATE entries", [false, false, false]),
        ("ALTER TABLE entries DISABLE TRIGGER ALL", [false, false, false]),
        ("DROP TRIGGER entries_by_role ON entries", [false, false, false]),
        ("CREATE TABLE mine (x int)", [false, false, false]),
        ("UPDATE storefront_ledger SET version = 1", [false, false, false]),
        ("DELETE FROM unfinished", [true, true, false]),
        ("UPDATE takings SET sales = 0", [true, true, false]),
        ("DELETE FROM meta", [true, false, false]),
        ("DELETE FROM outbox", [true, false, false]),
        ("DELETE FROM extensions", [true, false, false]),
        ("INSERT INTO attachments VALUES ('d', '')", [true, false, false]),
    ]

    @Test("each role may run its own statements, and no others")
    func eachStatement() throws {
        for (sql, may) in Self.statements {
            for (role, may) in zip(PostgreSQLRole.allCases, may) {
                let refused = try refusal(sql, role)
                #expect((refused == nil) == may, "\(role): \(sql): \(refused ?? "")")
            }
        }
    }

    @Test("a body with two causes, none, or another text is no customer's")
    func craftedBodies() throws {
        let bodies = [
            #"{"cause":{"outsideApp":{}},"cause":{"renewal":{}}}"#,
            #"{"cause":{"renewal":{}},"cause":{"outsideApp":{}}}"#,
            #"{"cause":{"renewal":{},"outsideApp":{}}}"#, "{}", #"{"cause":{}}"#, "x", "",
        ]
        for body in bodies {
            let sql = """
                INSERT INTO entries
                VALUES (1, 'aoi', NULL, 1, 1, 1, 1, 12, '\(body)'::bytea, 2)
                """
            #expect(try refusal(sql, .customer) != nil, "\(body)")
        }
    }

    @Test("a function of a customer's own does not stand in for the database's")
    func ownFunctions() throws {
        try store.server.sql("CREATE SCHEMA \"\(store.schema)_evil\"")
        try store.server.sql(
            """
            GRANT ALL ON SCHEMA "\(store.schema)_evil" TO "\(login(.customer))"
            """)
        let sql = """
            CREATE FUNCTION "\(store.schema)_evil".pg_has_role(name, text, text) RETURNS boolean
            LANGUAGE sql AS 'SELECT true';
            SET search_path = "\(store.schema)_evil", "\(store.schema)", pg_catalog;
            INSERT INTO entries VALUES (1, '', NULL, NULL, 0, 1, 1, 15, '{}', 1)
            """
        #expect(try refusal(sql, .customer)?.contains("is for the store's operator") == true)
    }
}
#endif
