#if PostgreSQL
import Foundation
import PostgreSQLLedger
import SQLLedger
import StoreEngine
import StoreModel
import StoreTestSupport
import TestBasics
import Testing

/// Servers and databases that are not as a store would have them, and what the store then says.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: PrivateServer.shared != nil, "no PostgreSQL server is installed")
) struct UnfitServerTests {
    private let store: ServedStore

    init() throws { store = try ServedStore() }

    private func code(_ work: () async throws -> Void) async -> StoreError.Code? {
        do { try await work() } catch { return (error as? StoreError)?.code }
        return nil
    }

    private func name(_ start: String) -> String {
        start + UUID().uuidString.lowercased().prefix(8)
    }

    @Test("in a database with the order of letters of another language a store is the same")
    func collation() async throws {
        let name = name("german_")
        let german = "LOCALE_PROVIDER icu ICU_LOCALE 'de-DE' LOCALE 'C.UTF-8'"
        let create = "CREATE DATABASE \(name) TEMPLATE template0 "
        do { try store.server.sql(create + german) } catch is PrivateServer.Refusal {
            // Before PostgreSQL 15, or without ICU.
            try store.server.sql(create + "LC_COLLATE 'C.UTF-8' LC_CTYPE 'C.UTF-8'")
        }
        let address = try store.server.address("&dbname=\(name)")
        let served = try LedgerConformance.Handles(
            ledger: PostgreSQLLedger(address), other: PostgreSQLLedger(address))
        let memory = InMemoryLedger()
        var ledgers: [[RecordedEntry]] = []
        for handles in [.init(ledger: memory, other: memory), served] {
            var simulation = StoreSimulation(seed: 8, handles: handles)
            try await simulation.run(steps: 150)
            ledgers.append(try await handles.ledger.allEntries())
        }
        #expect(ledgers[0] == ledgers[1])
        #expect(try await served.ledger.allRows() == memory.allRows())
    }

    @Test("a role without rights is told that it may not, and records nothing")
    func withoutRights() async throws {
        let role = name("guest_")
        try store.server.sql("CREATE ROLE \(role) LOGIN")
        let address = try store.server.address("&user=\(role)")
        let schema = store.schema
        let refused = #expect(throws: StoreError.self) {
            try PostgreSQLLedger(address, schema: schema)
        }
        #expect(refused?.code == .storeReadOnly, "it cannot make one")

        let ledger = try store.open()
        _ = try await ledger.append([.value("one")], at: .earliest)
        let hidden = #expect(throws: StoreError.self) {
            try PostgreSQLLedger(address, schema: schema)
        }
        #expect(hidden?.code == .storeReadOnly, "it is there, and not for this role")

        try store.sql(
            """
            GRANT USAGE ON SCHEMA "\(schema)" TO \(role);
            GRANT SELECT ON ALL TABLES IN SCHEMA "\(schema)" TO \(role)
            """)
        let reader = try PostgreSQLLedger(address, schema: schema)
        #expect(try await reader.allEntries() == ledger.allEntries())
        #expect(
            await code { _ = try await reader.append([.value("two")], at: .earliest) }
                == .storeReadOnly)
        #expect(try await ledger.allEntries().count == 1)
    }

    @Test("a standby is read, and every append to it is refused")
    func standby() async throws {
        let server = try #require(PrivateServer.start())
        defer { server.end() }
        let store = ServedStore(server)
        let primary = try store.open()
        _ = try await primary.append([.value("one")], at: .earliest)
        try await server.carryOut("--standby", PrivateServer.ports[1])
        _ = try await primary.append([.value("two")], at: .earliest)
        let address = try server.address("&port=\(PrivateServer.ports[1])")
        let standby = try PostgreSQLLedger(address, schema: store.schema)
        #expect(standby.settings.isStandby)
        // A commit waits until the standby has it, not until it can be read there.
        while try await standby.head() != primary.head() {}
        #expect(try await standby.allEntries() == primary.allEntries())
        #expect(
            await code { _ = try await standby.append([.value("three")], at: .earliest) }
                == .storeReadOnly)
        let new = #expect(throws: StoreError.self) { try PostgreSQLLedger(address, schema: "new") }
        #expect(new?.code == .storeReadOnly)
        #expect(try await primary.allEntries().count == 2)
    }

    /// Needs root, which may mount a small disk. On a server of its own: every connection of a server
    /// may have to write another one's pages.
    @Test(
        "a full disk refuses an append whole, and takes it once there is room",
        .enabled(if: geteuid() == 0, "mounting a small disk takes root"))
    func full() async throws {
        let server = try #require(PrivateServer.start())
        defer { server.end() }
        guard let disk = try await server.carryOut("--small-disk", "32") else { return }
        let name = name("small_")
        try server.sql("CREATE TABLESPACE \(name) LOCATION '\(disk)'")
        try server.sql("CREATE DATABASE \(name) TABLESPACE \(name)")
        // Beside the tablespace, because a server whose disk is full takes no new connection, which
        // could drop a table.
        let filler = URL(filePath: disk + "/filler")
        try Data(count: 6_000_000).write(to: filler)
        let ledger = try PostgreSQLLedger(server.address("&dbname=\(name)"))
        var recorded: Int64 = 0
        let body = { Data((0..<200_000).map { _ in UInt8.random(in: 0...255) }) }
        let refusal = await code {
            while true {
                var decision = Decision.value("\(recorded)")
                decision.attachments = ["\(recorded)": body()]
                _ = try await ledger.append([decision], at: .earliest)
                recorded += 1
            }
        }
        #expect(refusal == .storeFull && recorded > 0)
        #expect(try await ledger.head().position == recorded)
        #expect(try await ledger.attachment("\(recorded)") == nil)
        try FileManager.default.removeItem(at: filler)
        try server.sql("CHECKPOINT", database: name)
        _ = try await ledger.append([.value("room")], at: .earliest)
        #expect(try await ledger.head().position == recorded + 1)
        #expect(try await Projections(folding: ledger.allEntries()) == ledger.allRows())
    }

    /// The server ends then: it may promise nothing without its log.
    @Test(
        "a full disk of the server's log loses and doubles no sale, and no answer lies",
        .enabled(if: geteuid() == 0, "mounting a small disk takes root"))
    func fullLog() async throws {
        let server = try #require(PrivateServer.start())
        defer { server.end() }
        guard let disk = try await server.carryOut("--small-log", "64") else { return }
        let store = try await TestStore(ledger: PostgreSQLLedger(server.address()))
        let session = store.session()
        var payment = Payment.of(SampleCatalog.coins)
        var sold = [(payment, try await session.purchase(payment).number)]
        let filler = disk + "/filler"
        // It ends when the disk is full.
        try ShellCommand(["dd", "if=/dev/zero", "of=\(filler)", "bs=1M"]).end()
        let refusal = await code {
            while true {
                // The next record goes into the log's next file, which the disk may not have.
                try server.sql("SELECT pg_switch_wal()")
                payment = .of(SampleCatalog.coins)
                sold.append((payment, try await session.purchase(payment).number))
            }
        }
        #expect(refusal == .storeUnreachable || refusal == .outcomeUnknown)
        try FileManager.default.removeItem(atPath: filler)
        try await server.carryOut("--restart")
        sold.append((payment, try await session.purchase(payment).number))
        for (payment, number) in sold {
            #expect(number != nil)
            #expect(try await session.purchase(payment).number == number)
        }
        let rows = try await store.ledger.allRows()
        #expect(rows.transactions.count == sold.count)
        #expect(try await Projections(folding: store.entries()) == rows)
    }

    @Test("the times of a store are its clients', however far off the server's clock is")
    func clock() async throws {
        let years: Int64 = 40 * 365 * 86_400_000
        let clock = ManualClock(ManualClock().now().advanced(byMilliseconds: years))
        let here = try await TestStore(ledger: store.open(), clock: clock)
        _ = try await here.session().purchase(.of(SampleCatalog.monthly))
        let entries = try await here.entries()
        #expect(entries.allSatisfy { $0.recordedAt == clock.now() })
        let year = try store.server.sql("SELECT extract(year FROM now())")
        #expect(Int(year).map { $0 < 2060 } == true, "the server's clock is another")
        // A client whose clock is behind records nothing before what is there.
        let behind = try await TestStore(ledger: store.open(), clock: ManualClock())
        _ = try await behind.session().purchase(.of(SampleCatalog.coins))
        let times = try await here.entries().map(\.recordedAt)
        #expect(times == times.sorted())
    }

    @Test("an entry that somebody has edited is told, and nothing is made of it")
    func editedRow() async throws {
        let writer = try await TestStore(ledger: store.open())
        _ = try await writer.session().purchase(.of(SampleCatalog.theme))
        let head = try await writer.ledger.head()
        // Only the owner of the table can switch its trigger off.
        try store.sql(
            """
            ALTER TABLE entries DISABLE TRIGGER USER;
            UPDATE entries SET body = decode('00', 'hex') WHERE position = \(head.position);
            ALTER TABLE entries ENABLE TRIGGER USER
            """)
        let reader = try await TestStore(ledger: store.open())
        #expect(await code { _ = try await reader.entries() } == .storeUnreadable)
        #expect(
            await code { _ = try await reader.session().entitlements() } == .storeUnreadable)
    }

    private static func hasPooler() throws -> Bool {
        try ShellCommand(["sh", "-c", "command -v pgbouncer"]).end().code == 0
    }

    /// In session mode a client keeps its process of the server, and the store works.
    @Test(
        "a pooler in transaction mode is refused, and named; one in session mode works",
        .enabled("no PgBouncer is installed") { try hasPooler() })
    func pooler() async throws {
        let server = store.server
        try await server.carryOut("--pooler", "transaction", "6432")
        try await server.carryOut("--pooler", "session", "6433")
        let schema = store.schema
        let shared = try server.address("&port=6432")
        let error = #expect(throws: StoreError.self) {
            try PostgreSQLLedger(shared, schema: schema)
        }
        #expect(error?.code == .storeUnreadable)
        #expect(error?.found == "a pooler in transaction mode")
        let ledger = try PostgreSQLLedger(server.address("&port=6433"), schema: schema)
        _ = try await ledger.append([.value("one")], at: .earliest)
        #expect(try await store.open().allEntries().count == 1)
    }
}
#endif
