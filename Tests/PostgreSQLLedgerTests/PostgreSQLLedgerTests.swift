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
) struct PostgreSQLLedgerTests {
    private let store: ServedStore

    init() throws { store = try ServedStore() }

    private func code(_ work: () async throws -> Void) async -> StoreError.Code? {
        do { try await work() } catch { return (error as? StoreError)?.code }
        return nil
    }

    @Test("a ledger that another process opens again has the same entries and rows")
    func reopeningGivesTheSame() async throws {
        let first = try await TestStore(ledger: store.open())
        for product in [SampleCatalog.coins, SampleCatalog.theme, SampleCatalog.monthly] {
            _ = try await first.session().purchase(.of(product))
        }
        let again = try store.open()
        #expect(try await again.allEntries() == first.entries())
        #expect(try await again.allRows() == first.ledger.allRows())
        #expect(try await first.entries().count == 6, "opened, catalog, account, three sales")
    }

    @Test("many processes that open a new store at once find one store")
    func manyFirstOpenings() async throws {
        let store = store
        let ledgers = try await withThrowingTaskGroup(of: PostgreSQLLedger.self) { group in
            for _ in 0..<8 { group.addTask { try store.open() } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for ledger in ledgers { _ = try await ledger.append([.value("many")], at: .earliest) }
        #expect(try await ledgers[0].allEntries().count == 8)
        #expect(try store.sql("SELECT count(*) FROM storefront_ledger") == "1")
    }

    @Test("two stores of one database do not meet")
    func twoStores() async throws {
        let other = try ServedStore()
        let ledgers = [try store.open(), try other.open()]
        _ = try await ledgers[0].append([.value("mine")], at: .earliest)
        #expect(try await ledgers[1].allEntries().isEmpty)
        #expect(try await ledgers[0].allEntries().count == 1)
    }

    @Test("a store's name may be SQL, and is only a name")
    func namesThatAreSQL() async throws {
        let name = "x\"; DROP SCHEMA public; -- $$ ' ? \\"
        let address = try store.server.address()
        let ledger = try PostgreSQLLedger(address, schema: name)
        _ = try await ledger.append([.value("here")], at: .earliest)
        #expect(try await PostgreSQLLedger(address, schema: name).allEntries().count == 1)
        let count = "SELECT count(*) FROM pg_namespace WHERE nspname = 'public'"
        #expect(try store.server.sql(count) == "1")
    }

    @Test("another handle's entries wake a reader, also after its connection was lost")
    func otherHandlesWakeReaders() async throws {
        let ledger = try store.open()
        let other = try store.open()
        let wakes = ledger.changes()
        for count in 1...4 {
            if count == 3 { try store.terminate() }
            _ = try await other.append([.value("\(count)")], at: .earliest)
            repeat {
                #expect(await wakes.nextWake())
            } while try await ledger.head().position < Int64(count)
        }
    }

    @Test("a text with a null character is kept as it is")
    func nullCharacters() async throws {
        let ledger = try store.open()
        let text = "a\u{0}\u{1}0\u{1}\u{0}深"
        _ = try await ledger.append([.value(text)], at: .earliest)
        let found = try await ledger.snapshot(LedgerQuery { $0.values = ["aoi"] })
        #expect(found.values == ["aoi": ["key": text]])
        #expect(try await Projections(folding: ledger.allEntries()) == ledger.allRows())
    }

    @Test("a server whose settings do not keep what was told is told of")
    func settings() throws {
        #expect(try store.open().settings.notDurable == ["fsync"])
        #expect(try store.open().settings.isStandby == false)
    }

    // MARK: - What is not a store

    @Test("tables of another program, of a newer one and of another store are refused")
    func otherTables() async throws {
        try store.server.sql("CREATE SCHEMA \"\(store.schema)\"")
        try store.sql("CREATE TABLE notes (text text)")
        let foreign = #expect(throws: StoreError.self) { try store.open() }
        #expect(foreign?.code == .storeUnreadable)
        try store.sql("DROP TABLE notes")

        let ledger = try store.open()
        _ = try await ledger.append([.value("one")], at: .earliest)
        try store.sql("UPDATE storefront_ledger SET version = 99")
        let newer = #expect(throws: StoreError.self) { try store.open() }
        #expect(newer?.code == .storeNewer)
        #expect(await code { _ = try await ledger.head() } == .storeNewer)
        #expect(
            await code { _ = try await ledger.append([.value("two")], at: .earliest) }
                == .storeNewer)

        try store.sql("DROP SCHEMA \"\(store.schema)\" CASCADE")
        #expect(await code { _ = try await ledger.head() } == .storeReplaced)
        let fresh = try store.open()
        #expect(
            await code { _ = try await ledger.append([.value("two")], at: .earliest) }
                == .storeReplaced)
        #expect(try await fresh.allEntries().isEmpty)
    }

    @Test("an entry cannot be changed or removed, and a changed table is told")
    func changedTables() async throws {
        let ledger = try store.open()
        _ = try await ledger.append([.value("one")], at: .earliest)
        for change in [
            "UPDATE entries SET account = 'kai'", "DELETE FROM entries", "TRUNCATE entries",
        ] {
            let refusal = #expect(throws: PrivateServer.Refusal.self) { try store.sql(change) }
            #expect(refusal?.output.contains("entries are never changed or removed") == true)
        }
        try store.sql("ALTER TABLE entries ALTER recorded_at TYPE text")
        #expect(await code { _ = try await store.open().allEntries() } == .storeUnreadable)
    }

    @Test("a database of another encoding is refused")
    func encoding() throws {
        let name = "latin_" + UUID().uuidString.lowercased().prefix(8)
        try store.server.sql("CREATE DATABASE \(name) ENCODING 'LATIN1' TEMPLATE template0")
        let address = try store.server.address("&dbname=\(name)")
        let error = #expect(throws: StoreError.self) { try PostgreSQLLedger(address) }
        #expect(error?.code == .storeUnreadable && error?.found == "encoding LATIN1")
    }

    @Test("no error repeats a password")
    func passwords() throws {
        let secret = "hunter2"
        let hidden = [
            "postgresql://aoi:\(secret)@[::1", "postgresql://aoi:\(secret)@h/d?x=\(secret)",
        ]
        for text in hidden {
            let error = #expect(throws: StoreError.self) { try PostgreSQLAddress(text) }
            #expect(error?.code == .invalidName && !"\(String(describing: error))".contains(secret))
        }
        let address = try PostgreSQLAddress("postgresql://aoi:\(secret)@127.0.0.1:1/\(secret)x")
        let error = #expect(throws: StoreError.self) { try PostgreSQLLedger(address) }
        #expect(error?.code == .storeUnreachable && error?.isRetryable == true)
        #expect(error?.cause?.contains(secret) == false)
        let shown = try PostgreSQLAddress("postgresql://aoi:\(secret)@example.com/shop").place
        #expect(shown == "postgresql://example.com/shop")
    }
}

extension Decision {
    /// Sets a small value of the account `aoi`.
    static func value(_ text: String) -> Decision {
        Decision(
            reads: [:],
            entries: [
                Entry(
                    account: "aoi", device: nil, effectiveAt: .earliest,
                    fact: .valueChanged(AccountValue(key: "key", value: text)))
            ])
    }
}
#endif
