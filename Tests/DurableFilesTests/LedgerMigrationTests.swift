import DurableFiles
import Foundation
import SQLLedger
import SQLiteLedger
import StoreEngine
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

/// A store of one schema version that the program of the next version opens.
@Suite(.timeLimit(.minutes(10))) struct LedgerMigrationTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path + "/store.sqlite" }
    private let next = SQLiteLedger.schemaVersion + 1

    init() throws { folder = try KeptStore.version1.copy() }

    private struct Refused: Error {}

    private func openNext(
        _ path: String, _ observe: @escaping @Sendable (MigrationStep) throws -> Void = { _ in }
    ) throws -> SQLiteLedger {
        try SQLiteLedger(path: path, version: next, observe: observe)
    }

    @Test("a migration keeps every entry and rebuilds every lookup from the entries")
    func rebuilt() async throws {
        let entries: [RecordedEntry]
        let rows: Projections
        do {
            let ledger = try SQLiteLedger(path: path)
            entries = try await ledger.allEntries()
            rows = try await ledger.allRows()
        }
        let bodies = try RawDatabase(path).texts("SELECT hex(body) FROM entries ORDER BY position")
        let ledger = try openNext(path)
        #expect(try await ledger.allEntries() == entries)
        #expect(try await ledger.allRows() == rows)
        #expect(
            try RawDatabase(path).texts("SELECT hex(body) FROM entries ORDER BY position")
                == bodies)
        let digest = try #require(rows.catalog?.digest)
        #expect(try await ledger.attachment(digest)?.isEmpty == false)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                $0.contains(".next") || $0.contains(".replaced")
            }.isEmpty)
        let rights = try FileManager.default.attributesOfItem(atPath: path)
        #expect(rights[.posixPermissions] as? Int == 0o600)
    }

    @Test("a migration that fails at any step leaves a whole file of the old or new version")
    func failsAtEveryStep() async throws {
        let expected = try await SQLiteLedger(path: path).allRows()
        for step in MigrationStep.allCases {
            let copy = try KeptStore.version1.copy()
            let path = copy.path + "/store.sqlite"
            // To this version first, so that the failing step is one of the next migration.
            _ = try SQLiteLedger(path: path)
            #expect(throws: StoreError.self, "\(step)") {
                try openNext(path) { if $0 == step { throw Refused() } }
            }
            try await expectWhole(copy, expected, "failed at \(step)")
        }
    }

    @Test("a migration killed at any step leaves a whole file of the old or new version")
    func killedAtEveryStep() async throws {
        let expected = try await SQLiteLedger(path: path).allRows()
        let killed = try TemporaryFolder()
        let seen = Mutex<[String]>([])
        let source = folder.path
        _ = try openNext(path) { step in
            let name = "\(killed.path)/\(step)"
            // In another process: closing the files here would release SQLite's locks (POSIX).
            let copying = try Process.run(
                URL(filePath: "/bin/cp"), arguments: ["-a", source + "/.", name])
            copying.waitUntilExit()
            seen.withLock { $0.append(name) }
        }
        let names = seen.withLock { $0 }
        #expect(Set(names).count == MigrationStep.allCases.count)
        for name in Set(names) {
            let copy = try TemporaryFolder()
            try FileManager.default.removeItem(atPath: copy.path)
            try FileManager.default.moveItem(atPath: name, toPath: copy.path)
            try await expectWhole(copy, expected, "killed at \(name)")
        }
    }

    /// This version opens it or refuses it as newer; the next one opens it with every entry.
    private func expectWhole(
        _ copy: TemporaryFolder, _ expected: Projections, _ what: String
    ) async throws {
        let path = copy.path + "/store.sqlite"
        do {
            let found = try await SQLiteLedger(path: path).allRows()
            #expect(found == expected, "\(what)")
        } catch {
            #expect(error.code == .storeNewer, "\(what): \(error)")
        }
        let ledger = try openNext(path)
        #expect(try await ledger.allRows() == expected, "\(what)")
        #expect(try RawDatabase(path).texts("PRAGMA integrity_check") == ["ok"], "\(what)")
        let sold = try await sell(on: ledger)
        #expect(sold == 1_000_018, "\(what): it goes on")
    }

    private func sell(on ledger: SQLiteLedger) async throws -> Int64? {
        let payment = Payment.of(SampleCatalog.coins)
        let sale = Sale(
            payment: payment, type: .consumable, purchaseDate: .latest, storefront: "USA",
            price: payment.shownPrice)
        let entry = Entry(
            account: "new", device: "phone", effectiveAt: .latest, number: .next,
            fact: .sold(sale))
        let results = try await ledger.append(
            [Decision(reads: [:], newPayments: [payment.id], entries: [entry])],
            at: Timestamp(milliseconds: 1_795_303_000_000))
        guard case .recorded(let entries)? = results.first else { return nil }
        return entries.first?.number?.number
    }

    @Test("after a migration, a process with the old file open can neither read nor write")
    func olderProcess() async throws {
        let older = try SQLiteLedger(path: path)
        var wakes = older.changes().makeAsyncIterator()
        _ = await wakes.next()
        let newer = try openNext(path)
        _ = await wakes.next()
        await #expect { try await older.head() } throws: {
            ($0 as? StoreError)?.code == .storeNewer
        }
        await #expect { try await sell(on: older) } throws: {
            ($0 as? StoreError)?.code == .storeNewer
        }
        #expect(try await newer.allEntries().count == 63)
        #expect(throws: StoreError.self) { try SQLiteLedger(path: path) }
    }

    @Test("a write that waits while the file is replaced is refused, not lost")
    func waitingWriter() async throws {
        let older = try SQLiteLedger(path: path)
        let (results, arrived) = AsyncStream<Result<Int64?, any Error>>.makeStream()
        let newer = try openNext(path) { step in
            guard step == .locked else { return }
            Task {
                do {
                    arrived.yield(.success(try await sell(on: older)))
                } catch {
                    arrived.yield(.failure(error))
                }
            }
        }
        var iterator = results.makeAsyncIterator()
        let result = try #require(await iterator.next())
        #expect(throws: StoreError.self) { try result.get() }
        #expect(try await newer.allEntries().count == 63)
    }

    @Test("sales made by others during the migration are migrated too")
    func soldMeanwhile() async throws {
        let path = path
        let hasSold = Mutex(false)
        let newer = try openNext(path) { step in
            let isFirst = hasSold.withLock { hasSold in
                defer { if step == .copied { hasSold = true } }
                return step == .copied && !hasSold
            }
            guard isFirst else { return }
            try RawDatabase(path).run(
                """
                INSERT INTO entries SELECT position + 1, account, device, number, is_new_number,
                  recorded_at, effective_at, kind, body, next_number
                FROM entries ORDER BY position DESC LIMIT 1
                """)
        }
        #expect(try await newer.allEntries().count == 64)
    }
}
