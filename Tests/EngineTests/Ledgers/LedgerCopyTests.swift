import Basics
import Foundation
import SQLLedger
import SQLiteLedger
import StoreEngine
import StoreModel
import StoreTestSupport
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct LedgerCopyTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ name: String) throws -> SQLiteLedger {
        try SQLiteLedger(path: "\(folder.path)/\(name).sqlite", isDurable: false)
    }

    /// A store with entries of many kinds.
    private func filled(_ name: String = "from", steps: Int = 120) async throws -> SQLiteLedger {
        let ledger = try open(name)
        var simulation = StoreSimulation(
            seed: 2_026, handles: .init(ledger: ledger, other: try open(name)))
        try await simulation.run(steps: steps)
        return ledger
    }

    /// Ends a copy after some of its steps, as a kill would.
    private final class Ending: Sendable {
        private let left: Mutex<Int>
        let steps = Mutex<[LedgerCopy.Step]>([])

        /// - Parameter count: nil for a copy that is not ended.
        init(after count: Int? = nil) { left = Mutex(count ?? .max) }

        func note(_ step: LedgerCopy.Step) throws(StoreError) {
            steps.withLock { $0.append(step) }
            let isOver = left.withLock { left in
                left -= 1
                return left == 0
            }
            if isOver { throw StoreError(.systemError, cause: "ended") }
        }
    }

    private func copy(
        _ source: SQLiteLedger, _ target: SQLiteLedger, _ purpose: LedgerCopy.Purpose = .move,
        to address: String = "there", pageSize: Int64 = 1_000,
        ending: Ending = Ending()
    ) async throws -> Int64 {
        try await LedgerCopy(
            of: .init(source, at: "here"), to: .init(target, at: address), purpose,
            pageSize: pageSize, onStep: { (step) throws(StoreError) in try ending.note(step) }
        ).run()
    }

    private func refusal(_ ledger: some Ledger) async -> StoreError? {
        do {
            _ = try await TestStore(ledger: ledger).session()
                .purchase(.of(SampleCatalog.coins))
        } catch { return error as? StoreError }
        return nil
    }

    @Test("a store that moves has the same entries, rows and numbers in its new place")
    func moves() async throws {
        let source = try await filled()
        let before = try await source.allEntries()
        let rows = try await source.allRows()
        let target = try open("to")
        let count = try await copy(source, target)
        #expect(count == Int64(before.count) + 2)
        let entries = try await target.allEntries()
        #expect(Array(entries.prefix(before.count)) == before)
        #expect(
            entries.suffix(2).map(\.entry.fact) == [
                .moved(.closed(goesOnAt: "there")), .moved(.continued),
            ])
        #expect(entries.last?.recordedAt == before.last?.recordedAt, "the clock stays")
        #expect(try await target.allRows() == rows)
        #expect(try Projections(folding: entries) == rows)
        #expect(try await target.head().epoch == 1)
    }

    @Test("the store that moved away refuses to sell, and says where it goes on")
    func closed() async throws {
        let source = try open("from")
        let store = try await TestStore(ledger: source)
        let payment = Payment.of(SampleCatalog.coins)
        let first = try await store.session().purchase(payment).number
        _ = try await copy(source, open("to"))
        for error in [
            await refusal(source),
            await #expect(throws: StoreError.self) {
                _ = try await store.console.perform(.clearFaults)
            },
            try await store.console.refusal(of: .clearFaults),
        ] { #expect(error?.code == .storeMoved && error?.subject == "there") }
        #expect(try await store.session().history(before: nil, limit: 10).count == 1)
        #expect(try await store.console.takings().count == 1, "what was sold can be read")

        let moved = try await TestStore(ledger: open("to")).session()
        #expect(try await moved.purchase(payment).number == first, "it was sold before")
        let next = try await moved.purchase(.of(SampleCatalog.coins)).number
        #expect(next?.number == first.map { $0.number + 1 })
        let again = try await copy(source, open("to"))
        #expect(again == (try await open("to").head().position), "it has moved already")
        let elsewhere = await #expect(throws: StoreError.self) {
            try await copy(source, open("other"), to: "elsewhere")
        }
        #expect(elsewhere?.code == .storeMoved && elsewhere?.subject == "there")
    }

    @Test("a decision made before the store was closed is not recorded after it")
    func race() async throws {
        let source = try await filled(steps: 20)
        let decision = Decision(
            reads: [:],
            entries: [
                Entry(
                    account: "aoi", device: nil, effectiveAt: .earliest,
                    fact: .valueChanged(AccountValue(key: "key", value: "late")))
            ])
        _ = try await copy(source, open("to"))
        let error = await #expect(throws: StoreError.self) {
            try await source.append([decision], at: .latest)
        }
        #expect(error?.code == .storeMoved)
    }

    @Test("a copy interrupted after any step continues, and meanwhile at most one store sells")
    func interrupted() async throws {
        let whole = Ending()
        let expected: [RecordedEntry]
        do {
            let target = try open("whole")
            _ = try await copy(filled("first"), target, pageSize: 10, ending: whole)
            expected = try await target.allEntries()
        }
        let steps = whole.steps.withLock { $0 }
        #expect(steps.count > 10 && steps.last == .completed)
        for (index, step) in steps.enumerated() {
            let source = try await filled("from\(index)")
            let target = try open("to\(index)")
            await #expect(throws: StoreError.self) {
                try await copy(source, target, pageSize: 10, ending: Ending(after: index + 1))
            }
            if step == .completed {
                #expect(try await source.snapshot(LedgerQuery()).goesOnAt == "there")
            } else {
                #expect(await refusal(target)?.code == .copyUnfinished, "after \(step)")
                let late = await #expect(throws: StoreError.self) {
                    try await target.append([Decision(reads: [:], entries: [])], at: .latest)
                }
                #expect(late?.code == .copyUnfinished && late?.subject == "here")
            }
            _ = try await copy(source, target, pageSize: 7)
            #expect(try await target.allEntries() == expected, "after \(step)")
            #expect(try await target.allRows() == Projections(folding: expected))
        }
    }

    @Test("what is beside the ledgers is copied first, and again once the store was closed")
    func beside() async throws {
        let source = try await filled(steps: 20)
        let target = try open("to")
        let calls = Mutex<[String]>([])
        let make = LedgerCopy(
            of: .init(source, at: "here"), to: .init(target, at: "there"), .move,
            copyBeside: { () async throws(StoreError) in
                let isBegun = try await target.head().position > 0
                let isClosed = try await source.snapshot(LedgerQuery()).goesOnAt != nil
                calls.withLock { $0.append("\(isBegun) \(isClosed)") }
            })
        let count = try await make.run()
        #expect(calls.withLock { $0 } == ["false false", "true true"])
        #expect(try await make.run() == count)
        #expect(calls.withLock { $0.count } == 2, "a whole copy is left alone")
    }

    @Test("a copy that sells beside its store has an epoch of its own")
    func asCopy() async throws {
        let source = try await filled()
        let before = try await source.allEntries()
        let target = try open("to")
        let cursor = try await source.head()
        _ = try await copy(source, target, .copy(epoch: 4_711))
        #expect(try await source.allEntries() == before)
        #expect(try await source.head() == cursor)
        let head = try await target.head()
        #expect(head == FeedCursor(epoch: 4_711, position: cursor.position + 1))
        #expect(try await target.mark(at: cursor) == nil)
        #expect(await refusal(source) == nil)
        #expect(await refusal(target) == nil)
        let again = await #expect(throws: StoreError.self) {
            try await copy(source, target, .copy(epoch: 4_712))
        }
        #expect(again?.code == .storeExists)
        let entries = try await target.allEntries()
        #expect(try await target.allRows() == Projections(folding: entries))
        // Another copy of the copy, and a store that moved may be copied from where it was.
        _ = try await copy(target, open("third"), to: "third")
        #expect(try await open("third").head().epoch == 4_711)
        _ = try await copy(target, open("fourth"), .copy(epoch: 9), to: "fourth")
        #expect(try await open("fourth").head().epoch == 9)
        #expect(await refusal(try open("fourth")) == nil)
    }

    @Test("a store that sells while it is copied is copied to its end")
    func whileSelling() async throws {
        let source = try open("from")
        let store = try await TestStore(ledger: source)
        for _ in 0..<20 { _ = try await store.session().purchase(.of(SampleCatalog.coins)) }
        let selling = Task {
            var sold = 0
            while await refusal(source) == nil { sold += 1 }
            return sold
        }
        let target = try open("to")
        _ = try await copy(source, target, pageSize: 3)
        _ = await selling.value
        let entries = try await source.allEntries()
        #expect(try await Array(target.allEntries().dropLast()) == entries)
    }

    @Test("a target that holds another store is not touched")
    func exists() async throws {
        let source = try await filled(steps: 20)
        let target = try open("to")
        _ = try await TestStore(ledger: target).session().purchase(.of(SampleCatalog.theme))
        let entries = try await target.allEntries()
        let error = await #expect(throws: StoreError.self) { try await copy(source, target) }
        #expect(error?.code == .storeExists && error?.subject == "there")
        #expect(try await target.allEntries() == entries)
        #expect(await refusal(source) == nil)

        // An unfinished copy of another store.
        let half = try open("half")
        await #expect(throws: StoreError.self) {
            try await copy(target, half, ending: Ending(after: 1))
        }
        let other = await #expect(throws: StoreError.self) { try await copy(source, half) }
        #expect(other?.code == .storeExists)
    }

    @Test(
        "a table that was changed by hand is found before the store is closed",
        arguments: [
            "UPDATE takings SET refunded = refunded + 1", "DELETE FROM payments",
            "DELETE FROM meta WHERE name = 'catalog'",
            "INSERT INTO history VALUES ('kai', 'x.y', 1, 1)",
        ])
    func differs(_ change: String) async throws {
        let source = try await filled()
        try await source.write { try $0.execute(change) }
        let error = await #expect(throws: StoreError.self) { try await copy(source, open("to")) }
        #expect(error?.code == .copyDiffers && error?.subject == "there")
        #expect(change.contains(error?.found?.text ?? "?"))
        #expect(try await source.snapshot(LedgerQuery()).goesOnAt == nil)
    }

    @Test("every table of a ledger is compared, by its columns and key")
    func tables() async throws {
        let ledger = try open("from")
        let made = try await ledger.read { db in
            try db.fetchAll(
                """
                SELECT name, (SELECT count(*) FROM pragma_table_info(sqlite_master.name)),
                  (SELECT count(*) FROM pragma_table_info(sqlite_master.name) WHERE pk > 0)
                FROM sqlite_master WHERE type = 'table' ORDER BY name
                """
            ) { "\($0.text(0)) \($0.integer(1)) \($0.integer(2))" }
        }
        let known = LedgerTable.all.map { "\($0.name) \($0.columns.count) \($0.key.count)" }
        #expect(known.sorted() == made)
        #expect(known.count > 20)
    }
}
