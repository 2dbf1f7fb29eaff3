#if PostgreSQL
import Basics
import Foundation
import PostgreSQLLedger
import SQLLedger
import StoreEngine
import StoreModel
import StoreTestSupport
import Synchronization
import TestBasics
import Testing

@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: PrivateServer.shared != nil, "no PostgreSQL server is installed")
) struct LostConnectionTests {
    private let store: ServedStore

    init() throws { store = try ServedStore() }

    /// A payment that failed, which a ledger records once.
    private static func failure(_ payment: Payment) -> Decision {
        Decision(
            reads: [:], newPayments: [payment.id],
            entries: [
                Entry(
                    account: "aoi", device: "phone", effectiveAt: .earliest,
                    fact: .failed(payment, StoreError(.networkError)))
            ])
    }

    @Test("after the server ended all connections, the next call of each kind succeeds")
    func terminated() async throws {
        let ledger = try store.open()
        #expect(try store.terminate() == 1)
        #expect(try await ledger.head().position == 0)
        #expect(try store.terminate() == 1)
        let results = try await ledger.append([.value("one")], at: .earliest)
        #expect(results.count == 1)
        #expect(try await store.open().allEntries().count == 1)
    }

    /// A role of the server may have settings of its own.
    @Test("the settings of a server are told as the newest connection found them")
    func newestSettings() async throws {
        let role: String = "guest_" + UUID().uuidString.lowercased().prefix(8)
        try store.server.sql("CREATE ROLE \(role) SUPERUSER LOGIN")
        let address = try DatabaseAddress(
            "postgresql:///storefront?user=\(role)&host=\(store.server.folder)"
                + "&application_name=\(store.schema)&store=\(store.schema)")
        let opened = try await PostgreSQLDatabases().open(address, isMade: true)
        let database = try #require(opened)
        #expect(database.server.unsafeSettings == ["fsync"])
        try store.server.sql("ALTER ROLE \(role) SET synchronous_commit = off")
        try store.terminate()
        _ = try await database.ledger.head()
        #expect(database.server.unsafeSettings == ["synchronous_commit", "fsync"])
    }

    @Test("a connection that ends inside an append leaves nothing, and the append is made again")
    func terminatedInside() async throws {
        let store = store
        let ledger = try store.open()
        let runs = Mutex(0)
        try await ledger.write { db in
            try db.execute(
                "INSERT INTO attachments (digest, body) VALUES (?, ?)", .text("d"), .blob(Data()))
            let before = try db.fetchOne("SELECT count(*) FROM attachments") { $0.integer(0) }
            #expect(before == 1)
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            if run == 1 { try store.terminate() }
        }
        #expect(runs.withLock { $0 } == 2)
        #expect(try store.sql("SELECT count(*) FROM attachments") == "1")
    }

    @Test("appends of several processes are in order: no entry appears behind a cursor")
    func order() async throws {
        let store = store
        let writers = 4
        let each = 40
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<writers {
                let ledger = try store.open()
                group.addTask {
                    for _ in 0..<each {
                        _ = try await ledger.append(
                            [Self.failure(.of(SampleCatalog.coins)), .value("x")], at: .earliest)
                    }
                }
            }
            let reader = try store.open()
            group.addTask {
                var cursor = FeedCursor(epoch: 1, position: 0)
                while cursor.position < Int64(writers * each * 2) {
                    // It ends with a writer that fails.
                    try Task.checkCancellation()
                    let page = try await reader.entries(after: cursor, account: nil, limit: 50)
                    let expected = page.entries.indices.map { cursor.position + 1 + Int64($0) }
                    #expect(page.entries.map(\.position) == expected)
                    cursor = page.cursor
                }
            }
            for try await _ in group {}
        }
        let rows = try await store.open().allRows()
        #expect(try await Projections(folding: store.open().allEntries()) == rows)
    }

    @Test("of decisions of several processes from the same state, exactly one is recorded")
    func conflicts() async throws {
        let store = store
        let ledgers = try (0..<4).map { _ in try store.open() }
        for round in 1...20 {
            let recorded = try await withThrowingTaskGroup(of: Bool.self) { group in
                let version = try await ledgers[0].snapshot(LedgerQuery { $0.accounts = ["aoi"] })
                    .version(.account("aoi"))
                for ledger in ledgers {
                    group.addTask {
                        var decision = Decision.value("\(round)")
                        decision.reads = [.account("aoi"): version]
                        let other = Self.failure(.of(SampleCatalog.coins))
                        let results = try await ledger.append([decision, other], at: .earliest)
                        #expect(results.last?.isRecorded == true, "only the other is in conflict")
                        return results.first?.isRecorded == true
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(recorded == 1, "round \(round)")
        }
        #expect(try await ledgers[1].allEntries().count == 20 + 20 * 4)
    }

    /// How an append ended, as its caller was told.
    private enum Answer: String { case recorded, notRecorded, unknown }

    /// Collects what the callers were told.
    private final class Tally: Sendable {
        private let payments = Mutex<[Answer: Set<PaymentID>]>([:])
        private let end = Mutex(false)

        var answers: [Answer: Set<PaymentID>] { payments.withLock { $0 } }
        var isOver: Bool { end.withLock { $0 } }

        func note(_ answer: Answer, _ payment: PaymentID) {
            payments.withLock { _ = $0[answer, default: []].insert(payment) }
        }

        func finish() { end.withLock { $0 = true } }
    }

    /// Each answer is what the ledger then holds: a payment that was recorded is there once, and one
    /// that was not recorded is not. Where it is unknown, the same decision again tells.
    @Test("connections ended at any moment lose nothing, record nothing twice, and no answer lies")
    func terminatedAtAnyMoment() async throws {
        let store = store
        let tally = Tally()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                let ledger = try store.open()
                group.addTask {
                    while !tally.isOver, !Task.isCancelled {
                        let payment = Payment.of(SampleCatalog.coins)
                        tally.note(try await Self.record(payment, ledger), payment.id)
                    }
                }
            }
            group.addTask {
                defer { tally.finish() }
                for _ in 0..<60 { try store.terminate() }
            }
            for try await _ in group {}
        }
        let told = tally.answers
        print("Ended connections: \(told.map { "\($0.value.count) \($0.key)" }.sorted())")
        let ledger = try store.open()
        let entries = try await ledger.allEntries()
        let rows = try await ledger.allRows()
        let known = Set(rows.payments.keys)
        #expect(entries.count == known.count, "none is recorded twice")
        #expect(entries.map(\.position) == entries.indices.map { Int64($0) + 1 })
        #expect(known.isSuperset(of: told[.recorded, default: []]))
        #expect(known.isSuperset(of: told[.unknown, default: []]), "they were sent again")
        #expect(known.isDisjoint(with: told[.notRecorded, default: []]))
        #expect(try Projections(folding: entries) == rows)
        #expect(!told[.recorded, default: []].isEmpty)
    }

    /// The server has the commit then, but it may be lost if the standby takes the server's place.
    @Test("a commit whose wait for a standby was cancelled is told as unknown")
    func cancelledWait() async throws {
        let server = try #require(PrivateServer.start())
        defer { server.end() }
        let ledger = try PostgreSQLLedger(server.address())
        _ = try await ledger.append([.value("before")], at: .earliest)
        try server.sql("ALTER SYSTEM SET synchronous_standby_names = 'absent'")
        try server.sql("SELECT pg_reload_conf()")
        // The server's processes learn of the setting one after the other.
        let append = Task { () -> StoreError.Code in
            do throws(StoreError) {
                while true { _ = try await ledger.append([.value("unknown")], at: .earliest) }
            } catch {
                return error.code
            }
        }
        let cancel = """
            SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity
            WHERE wait_event = 'SyncRep'
            """
        while try server.sql(cancel) == "0" {}
        #expect(await append.value == .outcomeUnknown)
        #expect(try await ledger.allEntries().count >= 2, "it is here, unless it is lost later")
    }

    private static func record(
        _ payment: Payment, _ ledger: PostgreSQLLedger
    ) async throws(StoreError) -> Answer {
        do throws(StoreError) {
            let results = try await ledger.append([failure(payment)], at: .earliest)
            #expect(results.first?.isRecorded == true)
            return .recorded
        } catch {
            switch error.code {
            case .storeUnreachable: return .notRecorded
            case .outcomeUnknown:
                // Recorded by a later one, or in conflict with it because it was recorded then.
                while (try? await ledger.append([failure(payment)], at: .earliest)) == nil {}
                return .unknown
            default: throw error
            }
        }
    }
}

extension AppendResult {
    fileprivate var isRecorded: Bool { if case .recorded = self { true } else { false } }
}
#endif
