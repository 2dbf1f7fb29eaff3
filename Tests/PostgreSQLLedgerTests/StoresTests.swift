#if PostgreSQL
import Foundation
import PostgreSQLLedger
import SQLLedger
import SQLiteLedger
import StoreEngine
import StoreModel
import StoreTestSupport
import Synchronization
import TestBasics
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: PrivateServer.shared != nil, "no PostgreSQL server is installed")
) struct StoresTests {
    private let store: ServedStore
    private let folder: TemporaryFolder

    init() throws {
        store = try ServedStore()
        folder = try TemporaryFolder()
    }

    private func stores() throws -> PostgreSQLStores {
        try PostgreSQLStores(store.server.address())
    }

    private func refused(_ work: () throws -> Void) -> StoreError? {
        do { try work() } catch { return error as? StoreError }
        return nil
    }

    // MARK: - Creating, listing, dropping

    @Test("stores are made, listed and dropped by name, also by a name that is SQL")
    func lifeOfStores() async throws {
        let names = [store.schema, "x'); DROP SCHEMA public; -- \(store.schema.suffix(8)) $$ \""]
        for name in names {
            #expect(try stores().create(name))
            #expect(try !stores().create(name), "it is there")
            let ledger = try PostgreSQLLedger(store.server.address(), schema: name)
            _ = try await TestStore(ledger: ledger).session().purchase(.of(SampleCatalog.coins))
            let listed = try #require(try stores().list().first { $0.name == name })
            #expect(listed.version == Int64(LedgerTables.version) && listed.entries == 4)
            #expect(listed.begunAt != nil)
            try stores().drop(name)
            #expect(try stores().list().contains { $0.name == name } == false)
            #expect(refused { try stores().drop(name) }?.code == .invalidName)
            let gone = await #expect(throws: StoreError.self) { try await ledger.head() }
            #expect(gone?.code == .storeReplaced)
        }
        #expect(
            try store.server.sql("SELECT count(*) FROM pg_namespace WHERE nspname = 'public'")
                == "1")
    }

    @Test("what is not a store is neither listed nor dropped")
    func foreign() throws {
        try store.server.sql("CREATE SCHEMA \"\(store.schema)\"")
        try store.sql("CREATE TABLE storefront_ledger (x int)")
        #expect(try stores().list().contains { $0.name == store.schema } == false)
        #expect(refused { try stores().drop(store.schema) } != nil)
        #expect(refused { try stores().drop("public") }?.code == .invalidName)
        for name in ["", "pg_mine", String(repeating: "深", count: 22), "a\u{0}b"] {
            #expect(refused { _ = try stores().create(name) }?.code == .invalidName)
        }
        let long = String(repeating: "a", count: 60)
        #expect(refused { _ = try stores().create(long, withRoles: true) }?.code == .invalidName)
    }

    @Test("roles of a store go with it, and another's role of the same name is left alone")
    func roles() throws {
        func count() throws -> String {
            try store.server.sql(
                "SELECT count(*) FROM pg_roles WHERE rolname LIKE '\(store.schema)\\_%'")
        }
        _ = try stores().create(store.schema, withRoles: true)
        _ = try stores().create(store.schema, withRoles: true)
        #expect(try count() == "3")
        try stores().drop(store.schema)
        #expect(try count() == "0")
        try store.server.sql("CREATE ROLE \"\(store.schema)_auditor\"")
        let error = refused { _ = try stores().create(store.schema, withRoles: true) }
        #expect(error?.code == .invalidName && error?.subject == "role")
        #expect(try count() == "1", "none was made")
        try stores().drop(store.schema)
        #expect(try count() == "1", "it is not the store's")
    }

    // MARK: - Copying

    private func open(_ name: String) throws -> SQLiteLedger {
        try SQLiteLedger(path: "\(folder.path)/\(name).sqlite", isDurable: false)
    }

    private func copy(
        _ source: any LedgerInTables, _ target: any LedgerInTables, to address: String,
        pageSize: Int64 = 1_000, endingAfter count: Int = .max
    ) async throws {
        let steps = StepCount()
        _ = try await LedgerCopy(
            of: .init(source, at: "from"), to: .init(target, at: address), .move,
            pageSize: pageSize,
            onStep: { (_) throws(StoreError) in
                if steps.next() == count { throw StoreError(.systemError) }
            }
        ).run()
    }

    @Test("a store moved from SQLite to PostgreSQL and back has the same entries and rows")
    func bothWays() async throws {
        let first = try open("first")
        var simulation = StoreSimulation(
            seed: 35, handles: .init(ledger: first, other: try open("first")))
        try await simulation.run(steps: 150)
        let odd = Decision.value("a\u{0}\u{1}0\u{1}\u{0}深")
        _ = try await first.append([odd], at: .earliest)
        let entries = try await first.allEntries()
        let rows = try await first.allRows()
        let served = try store.open()
        try await copy(first, served, to: "second")
        #expect(try await Array(served.allEntries().prefix(entries.count)) == entries)
        #expect(try await served.allRows() == rows)
        let third = try open("third")
        try await copy(served, third, to: "third")
        #expect(try await Array(third.allEntries().prefix(entries.count)) == entries)
        #expect(try await third.allRows() == rows)
        let moved = await #expect(throws: StoreError.self) {
            try await served.append([.value("late")], at: .latest)
        }
        #expect(moved?.code == .storeMoved && moved?.subject == "third")
        _ = try await third.append([.value("here")], at: .latest)
    }

    @Test("a copy to PostgreSQL that was interrupted, or lost its connections, goes on")
    func interrupted() async throws {
        let source = try open("source")
        var simulation = StoreSimulation(
            seed: 8, handles: .init(ledger: source, other: try open("source")))
        try await simulation.run(steps: 40)
        let target = try store.open()
        for count in 1...4 {
            await #expect(throws: StoreError.self) {
                try await copy(source, target, to: "there", pageSize: 5, endingAfter: count)
            }
            let error = await #expect(throws: StoreError.self) {
                try await store.open().append([.value("no")], at: .earliest)
            }
            #expect(error?.code == .copyUnfinished && error?.subject == "from")
            try store.terminate()
        }
        let entries = try await source.allEntries()
        try await copy(source, target, to: "there", pageSize: 5)
        #expect(try await Array(target.allEntries().prefix(entries.count)) == entries)
        #expect(try await target.allRows() == source.allRows())
    }
}

/// Counts steps, from 1.
private final class StepCount: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}
#endif
